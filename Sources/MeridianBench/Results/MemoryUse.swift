// SPDX-License-Identifier: Apache-2.0

/// Memory of one run, in bytes.
package struct MemoryUse: Codable, Equatable, Sendable {
  /// The largest resident size during the run less that before it.
  package var peak: Int64?
  /// What the kernel's result keeps: the bytes of an index that was built.
  package var kept: Int64?
  /// Calls of malloc and its relatives, and bytes that they were asked for; nil when they were not counted.
  package var allocations: Int64?
  package var allocated: Int64?
}
