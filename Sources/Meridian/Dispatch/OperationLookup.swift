// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension Operation {
  /// The operation with this number; one that is not in the list keeps its number and has no name, so that choosing a
  /// kernel for it says that nobody offers it.
  package static func numbered(_ family: Family, _ number: UInt32) -> Operation {
    find(family, number) ?? Operation(family, number, "operation \(number)")
  }
}
