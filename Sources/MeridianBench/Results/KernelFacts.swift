// SPDX-License-Identifier: Apache-2.0

/// A kernel that took part.
package struct KernelFacts: Codable, Equatable, Sendable {
  package var id: String
  package var version: String
  /// What it stands on, "GEOS 3.11.1"; "" when it does not say.
  package var source: String
  /// The CPU level of the library that was loaded.
  package var cpuLevel: String
}
