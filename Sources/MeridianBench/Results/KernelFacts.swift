// SPDX-License-Identifier: Apache-2.0

/// A kernel that took part.
public struct KernelFacts: Codable, Equatable, Sendable {
  public var id: String
  public var version: String
  /// What it stands on, "GEOS 3.11.1"; "" when it does not say.
  public var source: String
  /// The CPU level of the library that was loaded.
  public var cpuLevel: String

  public init(id: String, version: String, source: String, cpuLevel: String) {
    self.id = id
    self.version = version
    self.source = source
    self.cpuLevel = cpuLevel
  }
}
