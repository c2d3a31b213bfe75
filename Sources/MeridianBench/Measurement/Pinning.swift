// SPDX-License-Identifier: Apache-2.0
import CBench

/// Keeps the calling thread on one processor, so that figures are one core's and caches are not changed under it.
/// Threads that begin later inherit it.
package enum Pinning {
  /// Pins a run.
  /// - Parameter core: -1 = the first.
  /// - Returns: a warning for its report when the system refuses.
  static func warning(_ core: Int) -> String? {
    pin(to: core < 0 ? nil : core) == nil ? "the run could not be kept on processor \(core)" : nil
  }

  /// - Parameter core: number of the processor; nil = the first that the process may run on.
  /// - Returns: the processor, or nil where the system refuses.
  @discardableResult
  package static func pin(to core: Int? = nil) -> Int? {
    let given = mrdb_pin(core.map { Int32(clamping: $0) } ?? -1)
    return given >= 0 ? Int(given) : nil
  }
}
