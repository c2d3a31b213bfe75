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
  /// The 99.9th percentile of idle calls: empty ones as long as the kernel's, made in turns with them. What is beyond their
  /// length is the machine's doing. nil where none were made, and in reports of 0.1, as are the three below.
  package var idleP999: Double?
  /// The 99.9th percentile without as many long calls as there are among idle ones, with its interval; see `ExcessTail`.
  package var ownP999: Double?
  package var ownP999Low: Double?
  package var ownP999High: Double?
}
