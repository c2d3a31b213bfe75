// SPDX-License-Identifier: Apache-2.0

/// Everything that one run of the harness found. Written and read as JSON: members may be added, never renamed.
public struct BenchReport: Codable, Equatable, Sendable {
  /// The revision of this layout.
  public var schema = 1
  public var context: RunContext
  public var cases: [CaseResult] = []
  public var scalings: [ScalingResult] = []
  public var tolerances: [ToleranceResult] = []
  public var budgets: [BudgetResult] = []

  public init(context: RunContext) { self.context = context }
}

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
  /// The seed of generators and of the bootstrap.
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

/// The machine, as far as it tells.
public struct MachineFacts: Codable, Equatable, Sendable {
  /// "linux-x86_64"
  public var platform: String
  /// The model of the processor; "" when not known.
  public var processor: String
  public var cores: Int
  /// Bytes of memory; 0 when not known.
  public var memory: Int64
  /// Sizes of the data and unified caches, "L1d 48 KiB, L2 1 MiB".
  public var caches: String
  /// The kernel of the system, "Linux 6.1".
  public var system: String
  /// Load over one minute when the run began.
  public var load: Double

  public init(
    platform: String, processor: String, cores: Int, memory: Int64, caches: String, system: String, load: Double
  ) {
    self.platform = platform
    self.processor = processor
    self.cores = cores
    self.memory = memory
    self.caches = caches
    self.system = system
    self.load = load
  }
}

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
