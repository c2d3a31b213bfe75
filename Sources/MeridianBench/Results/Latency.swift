// SPDX-License-Identifier: Apache-2.0

/// Nanoseconds of single calls, the host's part included.
public struct Latency: Codable, Equatable, Sendable {
  public var calls: Int
  public var p50: Double
  public var p99: Double
  public var p999: Double
  public var largest: Double
  /// Interval of the 99.9th percentile from order statistics, and its confidence; nil in reports of 0.1.
  public var p999Low: Double?
  public var p999High: Double?
  public var confidence: Double?

  public init(calls: Int, p50: Double, p99: Double, p999: Double, largest: Double) {
    self.calls = calls
    self.p50 = p50
    self.p99 = p99
    self.p999 = p999
    self.largest = largest
  }
}
