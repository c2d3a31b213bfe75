// SPDX-License-Identifier: Apache-2.0

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
