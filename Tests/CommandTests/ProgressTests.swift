// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianJobs

@Suite struct ProgressTests {
  private func line(_ fraction: Double?, findings: Int? = nil, seconds: Double = 2) -> String {
    Progress(what: "validating", rows: 1000, findings: findings, fraction: fraction, seconds: seconds).line
  }

  @Test func aLineSaysHowFarAndHowLong() {
    let half = String(repeating: "#", count: 15) + String(repeating: ".", count: 15)
    #expect(line(0.5, findings: 3) == "[\(half)] 50%  validating  1000 rows  3 findings  500 rows/s  0:02 left")
    #expect(line(nil) == "validating  1000 rows  500 rows/s")
    #expect(line(0.25, seconds: 40).hasSuffix("  25 rows/s  2:00 left"))
    #expect(line(0.01, seconds: 60).hasSuffix("  1:39:00 left"))
    #expect(line(0.001).hasSuffix("rows/s"), "too early to say")
    #expect(line(1).hasSuffix("0:00 left"))
    #expect(line(.nan).contains("] 0%") && line(7).contains("] 100%"))
    #expect(line(0.5, seconds: 0).hasSuffix("1000 rows  0:00 left"))
  }
}
