// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Rules that name a kernel for an operation, and for whatever of its family comes along with it.
enum Naming {
  static func rules(_ operation: Operation, _ kernel: String) -> String {
    "\(operation.family.name)=\(kernel);\(operation.fullName)=\(kernel)"
  }
}

extension Host {
  /// A kernel must offer an operation: the host would let another answer, and a benchmark of one kernel must not.
  /// - Parameter operation: its full name, "index.window".
  /// - Throws: `notFound` when it is not installed, `unsupported` when it does not offer the operation.
  func require(_ operation: String, of kernel: String) throws(MeridianError) {
    let known = try self.kernel(named: kernel)
    guard known.operations.contains(operation) else {
      throw MeridianError(.unsupported, "\(known.shortID) does not offer \(operation)")
    }
  }
}
