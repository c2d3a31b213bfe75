// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension Double {
  /// The largest 32-bit float that is not above this value. SQLite's own rounding misses beyond the range of floats
  /// and among its denormals; a value that is a float already passes through it unchanged.
  var floatDown: Double {
    let near = Float(self)
    return Double(Double(near) > self ? near.nextDown : near)
  }
  /// The smallest 32-bit float that is not below this value.
  var floatUp: Double {
    let near = Float(self)
    return Double(Double(near) < self ? near.nextUp : near)
  }
}

extension BoxArray {
  /// Refuses edge models that the index knows no boxes of.
  init(known pointer: UnsafePointer<mrd_boxes>?) throws(Failure) {
    do throws(Fault) {
      try self.init(anyEdges: pointer)
    } catch {
      throw Failure(error.status, error.message)
    }
  }
}
