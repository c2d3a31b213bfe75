// SPDX-License-Identifier: Apache-2.0

/// The machine, as far as it tells.
package struct MachineFacts: Codable, Equatable, Sendable {
  /// "linux-x86_64"
  package var platform: String
  /// The model of the processor; "" when not known.
  package var processor: String
  package var cores: Int
  /// Bytes of memory; 0 when not known.
  package var memory: Int64
  /// Sizes of the data and unified caches, "L1d 48 KiB, L2 1 MiB".
  package var caches: String
  /// The kernel of the system, "Linux 6.1".
  package var system: String
  /// Load over one minute when the run began.
  package var load: Double
}
