// SPDX-License-Identifier: Apache-2.0
import Meridian

extension Host {
  /// What a kernel is called in cases and reports: its short id, or its id where another kernel has the same short one.
  func plainName(_ kernel: Kernel) -> String {
    kernels.count { $0.shortID == kernel.shortID } == 1 ? kernel.shortID : kernel.id
  }

  /// The same for an id or a short id that a user gave; nil when no kernel has it, or several have.
  package func kernelName(_ given: String) -> String? {
    if let exact = kernels.first(where: { $0.id == given }) { return plainName(exact) }
    let short = kernels.filter { $0.shortID == given }
    return short.count == 1 ? plainName(short[0]) : nil
  }
}
