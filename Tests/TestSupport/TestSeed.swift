// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where a test with random inputs begins, to be printed where it fails.
///
/// At the small scale each test has its own seed, the same in all runs: whether a change passes must not hang on luck. At the
/// large scale the seeds are new in each run, which is how faults are found. `MERIDIAN_TEST_SEED` repeats what was printed.
public func testSeed(_ number: Int = 0, file: String = #fileID, test: String = #function) -> UInt64 {
  if let text = ProcessInfo.processInfo.environment["MERIDIAN_TEST_SEED"] {
    guard let seed = UInt64(text) else { fatalError("MERIDIAN_TEST_SEED: \(text) is no whole number of 64 bits") }
    return seed &+ UInt64(truncatingIfNeeded: number)
  }
  if TestScale.isLarge { return UInt64.random(in: 0...UInt64.max) }
  // FNV-1a, of a text that does not change when lines move.
  return "\(file) \(test) \(number)".utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
