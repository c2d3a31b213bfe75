// SPDX-License-Identifier: Apache-2.0

/// Memory of one run, in bytes.
public struct MemoryUse: Codable, Equatable, Sendable {
  /// The largest resident size during the run less that before it.
  public var peak: Int64?
  /// What the kernel's result keeps: the bytes of an index that was built.
  public var kept: Int64?
  /// Calls of malloc and its relatives, and bytes that they were asked for; nil when they were not counted.
  public var allocations: Int64?
  public var allocated: Int64?

  public init(peak: Int64? = nil, kept: Int64? = nil, allocations: Int64? = nil, allocated: Int64? = nil) {
    self.peak = peak
    self.kept = kept
    self.allocations = allocations
    self.allocated = allocated
  }
}
