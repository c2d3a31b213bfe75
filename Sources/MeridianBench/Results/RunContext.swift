// SPDX-License-Identifier: Apache-2.0

/// What has to be known to repeat a run.
public struct RunContext: Codable, Equatable, Sendable {
  /// ISO 8601, UTC.
  public var date: String
  /// The command line, arguments quoted for a shell.
  public var command: String
  /// Version of Meridian.
  public var version: String
  /// "release" or "debug".
  public var build: String
  public var machine: MachineFacts
  /// The CPU level that kernels were chosen for.
  public var cpuLevel: String
  /// The seed of generators, of the draws of orders, and of the bootstrap of exponents.
  public var seed: UInt64
  public var kernels: [KernelFacts]
  /// Things that weaken the figures: a debug build, a loaded machine, counters that are not available.
  public var warnings: [String] = []

  public init(
    date: String, command: String, version: String, build: String, machine: MachineFacts, cpuLevel: String,
    seed: UInt64,
    kernels: [KernelFacts]
  ) {
    self.date = date
    self.command = command
    self.version = version
    self.build = build
    self.machine = machine
    self.cpuLevel = cpuLevel
    self.seed = seed
    self.kernels = kernels
  }
}
