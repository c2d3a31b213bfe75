// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianBench

@Suite struct SampleTests {
  @Test func quantilesAreThoseOfTextbooks() {
    let sample = Sample([7, 15, 36, 39, 40, 41])
    #expect(sample.median == 37.5)
    #expect(sample.lowerQuartile == 20.25 && sample.upperQuartile == 39.75)  // type 7, as R gives them
    #expect(sample.quantile(0) == 7 && sample.quantile(1) == 41)
    #expect(Sample([3, 1, 2]).median == 2 && Sample([5]).median == 5)
    #expect(Sample([]).median.isNaN && Sample([.nan, 4]).median == 4)
  }

  @Test func percentilesAreValuesThatWereSeen() {
    let sample = Sample((1...10_000).map(Double.init))
    #expect(sample.percentile(0.5) == 5000)
    #expect(sample.percentile(0.99) == 9900)
    #expect(sample.percentile(0.999) == 9990)
    #expect(Sample([1, 2]).percentile(1) == 2 && Sample([1, 2]).percentile(0) == 1)
  }

  @Test func outliersAreMarkedBeyondThreeInterquartileRanges() {
    let values = [10.0, 11, 12, 13, 14, 26, -2, 13, 12, 11]
    // Quartiles 11 and 13: fences at 5 and 19.
    #expect(Sample.outliers(of: values) == [5, 6])
    #expect(Sample.outliers(of: [1, 1, 1]).isEmpty && Sample.outliers(of: []).isEmpty)
    let spread = Spread(values)
    #expect(spread?.largest == 26 && spread?.smallest == -2, "outliers are kept in the figures")
  }

  @Test func latencyNeedsTenThousandCalls() {
    #expect(Latency([Double](repeating: 1, count: 9_999)) == nil)
    let latency = Latency((1...10_000).map(Double.init))
    #expect(latency?.p999 == 9990 && latency?.largest == 10_000 && latency?.calls == 10_000)
  }
}
