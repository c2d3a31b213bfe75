// SPDX-License-Identifier: Apache-2.0

/// Nanoseconds of single calls, the host's part included.
package struct Latency: Codable, Equatable, Sendable {
  package var calls: Int
  package var p50: Double
  package var p99: Double
  package var p999: Double
  package var largest: Double
  /// Interval of the 99.9th percentile from order statistics, and its confidence; nil in reports of 0.1.
  package var p999Low: Double?
  package var p999High: Double?
  package var confidence: Double?
}
