// SPDX-License-Identifier: Apache-2.0
import Meridian

extension CaseResult {
  /// A head whose name follows from its parts; the suite is the operation's family.
  init(
    _ operation: Operation, _ workload: String, _ setting: String, as naming: String? = nil, unit: WorkUnit, units: Int,
    rows: Int
  ) {
    self.init(
      name: "\(operation.fullName)/\(workload)/\(naming ?? setting)",
      suite: Suite(rawValue: operation.family.name) ?? .measure, operation: operation.fullName, workload: workload,
      setting: setting, unit: unit, units: units, rows: rows)
  }
}
