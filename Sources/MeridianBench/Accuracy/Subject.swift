// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// What a kernel's declaration is looked up by.
package struct Subject: Sendable {
  package var operation: Operation
  /// nil where the operation takes no geometry.
  package var type: GeometryType?
  package var model: GeometryModel

  package init(_ operation: Operation, type: GeometryType?, model: GeometryModel) {
    self.operation = operation
    self.type = type
    self.model = model
  }
}

extension Subject {
  /// Masks have bit k set for the value k.
  func fits(_ info: mrd_op_info) -> Bool {
    func has(_ mask: UInt32, _ value: Int32) -> Bool { (0..<32).contains(value) && mask >> UInt32(value) & 1 == 1 }
    guard info.type_mask != 0, let type else { return true }
    return has(info.type_mask, type.rawValue) && has(info.edges_mask, model.edges)
      && has(info.metric_mask, model.metric)
  }
}
