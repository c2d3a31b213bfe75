// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianBench

@Suite struct ReportTests {
  @Test func ratiosSayWhenTheyDiffer() {
    func ratio(_ low: Double, _ high: Double) -> RatioResult {
      RatioResult(
        kernel: "a", reference: "b", ratio: (low + high) / 2, low: low, high: high, confidence: 0.95, rounds: 9)
    }
    #expect(ratio(0.7, 0.9).isDifferent && ratio(1.01, 1.2).isDifferent)
    #expect(!ratio(0.9, 1.1).isDifferent && !ratio(1, 1.1).isDifferent)
  }
}
