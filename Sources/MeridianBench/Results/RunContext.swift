// SPDX-License-Identifier: Apache-2.0

/// What has to be known to repeat a run.
package struct RunContext: Codable, Equatable, Sendable {
  /// ISO 8601, UTC.
  package var date: String
  /// The command line, arguments quoted for a shell.
  package var command: String
  /// Version of Meridian.
  package var version: String
  /// "release" or "debug".
  package var build: String
  package var machine: MachineFacts
  /// The CPU level that kernels were chosen for.
  package var cpuLevel: String
  /// The seed of generators, of the draws of orders, and of the bootstrap of exponents.
  package var seed: UInt64
  package var kernels: [KernelFacts]
  /// Things that weaken the figures: a debug build, a loaded machine, counters that are not available.
  package var warnings: [String] = []
}
