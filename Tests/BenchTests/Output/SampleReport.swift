// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import MeridianBench

/// Reports as a run of the harness would give them: rounds with noise, now and then an interruption, kernels that are
/// faster, more exact or refuse. The same seed gives the same report.
struct SampleReport {
  /// A kernel of the sample: its time over that of the first, and its largest error.
  struct Contestant {
    var name: String
    var factor: Double
    var error: Double
  }

  var seed: UInt64 = 1
  var rounds = 40
  var processor = "Example CPU 3000 @ 2.50GHz"
  var contestants = [
    Contestant(name: "native", factor: 1, error: 3e-9), Contestant(name: "geos", factor: 2.4, error: 2e-9),
    Contestant(name: "proj", factor: 31, error: 0), Contestant(name: "sqlite", factor: 7.5, error: 4e-4),
  ]
  /// The kernel below the line of ratios.
  var reference = "geos"
  private var random: SplitMix

  init(seed: UInt64 = 1) {
    self.seed = seed
    random = SplitMix(state: seed)
  }

  static func make(seed: UInt64 = 1) -> BenchReport {
    var sample = SampleReport(seed: seed)
    return sample.report()
  }

  mutating func report() -> BenchReport {
    random = SplitMix(state: seed)
    var report = BenchReport(context: context())
    report.cases = [
      measure("measure.area/G2/planar", "measure.area", "G2", "planar", 3.1, error: 1),
      measure("measure.area/G2/geodesic", "measure.area", "G2", "geodesic", 48, error: 400),
      measure("measure.length/L1/planar", "measure.length", "L1", "planar", 1.4, error: 0.02),
      validity(), build(), latency(),
    ]
    report.scalings = [scaling()]
    report.tolerances = [tolerance("finger", 0.6), tolerance("gps", 2.4)]
    report.budgets = budgets()
    return report
  }

  private func context() -> RunContext {
    let machine = MachineFacts(
      platform: "linux-x86_64", processor: processor, cores: 2, memory: 25_282_543_616,
      caches: "L1d 48 KiB, L2 1 MiB, L3 32 MiB", system: "Linux 6.1", load: 0.34)
    var context = RunContext(
      date: "2031-02-03T04:05:06Z", command: "meridian bench --suite all --json report.json", version: "0.1.0",
      build: "release", machine: machine, cpuLevel: "x86-64-v3", seed: seed,
      kernels: contestants.map {
        KernelFacts(id: "meridian.\($0.name)", version: "0.1.0", source: "\($0.name) 1.2.3", cpuLevel: "x86-64-v3")
      })
    context.warnings = ["counters of the processor are not available: no cycles, no instructions"]
    return context
  }

  // MARK: - Cases

  private mutating func measure(
    _ name: String, _ operation: String, _ workload: String, _ setting: String, _ perVertex: Double, error: Double
  ) -> CaseResult {
    var result = CaseResult(
      name: name, suite: .measure, operation: operation, workload: workload, setting: setting, unit: .vertex,
      units: 655_360, rows: 8192)
    result.oracle = "exact by construction"
    fill(&result, perVertex: perVertex)
    for index in result.kernels.indices where result.kernels[index].refusal == nil {
      let largest = contestants[index].error * error * random.around(1, 0.2)
      result.kernels[index].accuracy = Accuracy(
        unit: "m2", compared: 8192, largest: largest, mean: largest / 9, rootMeanSquare: largest / 5, p99: largest / 2,
        worstRow: 4711, largestRelative: largest / 1e4, violations: contestants[index].error > 1e-6 ? 12 : 0,
        bound: "at most 1e-8 of the area")
    }
    return result
  }

  private mutating func validity() -> CaseResult {
    var result = CaseResult(
      name: "validate/V1 <own data> & more", suite: .validate, operation: "validate", workload: "roads \"old\".geojson",
      setting: "", unit: .vertex, units: 81_920, rows: 1024)
    result.oracle = "known by construction"
    fill(&result, perVertex: 22, refusing: ["proj": "the operation is not declared", "sqlite": "no such family"])
    for index in result.kernels.indices where result.kernels[index].refusal == nil {
      result.kernels[index].accuracy = Accuracy(
        unit: "verdict", compared: 1024, largest: 0, mean: 0, rootMeanSquare: 0, p99: 0, wrong: index * 3)
    }
    return result
  }

  private mutating func build() -> CaseResult {
    var result = CaseResult(
      name: "index.build/B1", suite: .index, operation: "index.build", workload: "B1", setting: "", unit: .box,
      units: 100_000, rows: 100_000)
    fill(&result, perVertex: 61, refusing: ["proj": "no such family"])
    for index in result.kernels.indices where result.kernels[index].refusal == nil {
      result.kernels[index].memory = MemoryUse(
        peak: 9_000_000 + Int64(index) * 1_234_567, kept: 4_915_204 + Int64(index) * 800_000, allocations: 12,
        allocated: 10_485_760)
    }
    return result
  }

  private mutating func latency() -> CaseResult {
    var result = CaseResult(
      name: "snap.nearest/P1/finger", suite: .interactive, operation: "snap.nearest", workload: "P1",
      setting: "tolerance 22 points", unit: .query, units: 10_000, rows: 10_000)
    result.oracle = "brute force"
    fill(&result, perVertex: 900, refusing: ["proj": "no such family"])
    for index in result.kernels.indices where result.kernels[index].refusal == nil {
      let median = 900 * contestants[index].factor
      result.kernels[index].latency = Latency(
        calls: 10_000, p50: median, p99: median * 2.1, p999: median * 3.6, largest: median * 40)
    }
    return result
  }

  private mutating func fill(_ result: inout CaseResult, perVertex: Double, refusing: [String: String] = [:]) {
    for contestant in contestants {
      guard refusing[contestant.name] == nil else {
        result.kernels.append(KernelResult(kernel: contestant.name, refusal: refusing[contestant.name]))
        continue
      }
      var kernel = KernelResult(kernel: contestant.name)
      let middle = perVertex * Double(result.units) * contestant.factor
      kernel.times = (0..<rounds).map { _ in middle * abs(random.around(1, 0.012)) }
      if rounds > 12 {
        kernel.outliers = [7 + result.kernels.count]
        kernel.times[kernel.outliers[0]] *= 1.9
      }
      kernel.time = Self.spread(kernel.times)
      result.kernels.append(kernel)
    }
    guard let below = result.kernels.first(where: { $0.kernel == reference && $0.refusal == nil }) else { return }
    result.ratios = result.kernels.filter { $0.refusal == nil && $0.kernel != reference }.map { kernel in
      let spread = Self.spread(zip(kernel.times, below.times).map { $0 / $1 })
      return RatioResult(
        kernel: kernel.kernel, reference: reference, ratio: spread.median, low: spread.low, high: spread.high,
        confidence: 0.95, rounds: rounds)
    }
  }

  /// Median and quartiles; the interval is that of order statistics.
  static func spread(_ values: [Double]) -> Spread {
    let sorted = values.sorted()
    func at(_ share: Double) -> Double { sorted[min(sorted.count - 1, max(0, Int(share * Double(sorted.count))))] }
    let reach = 0.98 / Double(sorted.count).squareRoot()
    return Spread(
      median: at(0.5), smallest: sorted[0], largest: sorted[sorted.count - 1],
      relativeSpread: (at(0.75) - at(0.25)) / 2 / at(0.5), low: at(0.5 - reach), high: at(0.5 + reach))
  }

  // MARK: - The rest

  private mutating func scaling() -> ScalingResult {
    var result = ScalingResult(name: "index.build/boxes", operation: "index.build", variable: "boxes")
    for contestant in contestants where contestant.name != "proj" {
      let exponent = contestant.name == "sqlite" ? 1.21 : 1.04
      let sizes = (10...18).map { 1 << $0 }
      let times = sizes.map { 40 * contestant.factor * pow(Double($0), exponent) * random.around(1, 0.03) + 4000 }
      result.series.append(
        ScalingResult.Series(
          kernel: contestant.name, sizes: sizes, times: times, exponent: exponent, low: exponent - 0.02,
          high: exponent + 0.02))
    }
    return result
  }

  private mutating func tolerance(_ pointer: String, _ sigma: Double) -> ToleranceResult {
    var result = ToleranceResult(
      kernel: "native", pointer: pointer, biasX: 0.1, biasY: -0.2, sigmaX: sigma, sigmaY: sigma * 1.2,
      metresPerPoint: 0.15, falseShare: 0.2, costRatio: 4)
    result.zoom = 19
    result.latitude = 47.4
    result.steps = stride(from: 2.0, through: 44, by: 3).map { points in
      let metres = points * 0.15
      let right = 1 - exp(-metres * metres / (2 * sigma * sigma))
      let wrong = 0.25 * (1 - exp(-metres / 8))
      return ToleranceResult.Step(
        points: points, metres: metres, snapped: min(1, right + wrong * 0.3), right: right, missed: 1 - right,
        falseSnaps: wrong, ambiguous: wrong / 2, displacementP50: metres * 0.4, displacementP95: metres * 0.9,
        displacementLargest: metres, cost: 0.8 * (1 - right) + 0.2 * 4 * wrong)
    }
    if let best = result.steps.min(by: { $0.cost < $1.cost }) {
      result.recommendation = ToleranceResult.Recommendation(
        points: best.points, metres: best.metres,
        reasons: ["At \(best.points) points the expected cost is least.", "Smaller tolerances miss more."])
    }
    return result
  }

  private func budgets() -> [BudgetResult] {
    [
      BudgetResult(
        budget: "area is faster than GEOS", suite: .measure, limitName: "time_ratio", limit: 0.5, value: 0.417,
        low: 0.414, high: 0.421, verdict: .kept),
      BudgetResult(
        budget: "error of area", suite: .measure, limitName: "error", limit: 1e-9, value: 3e-9, verdict: .exceeded,
        note: "beyond the limit by a factor of 3"),
      BudgetResult(
        budget: "fourth CPU level", suite: .measure, limitName: "time_ratio", limit: 0.3, verdict: .notRun,
        note: "the machine lacks x86-64-v4", isEnforced: false),
      BudgetResult(
        budget: "touch", suite: .interactive, limitName: "p999_us", limit: 3.2, value: 3.24, low: 3.1, high: 3.4,
        verdict: .undecided, note: "the interval holds the limit"),
    ]
  }
}

/// SplitMix64.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// In 0..<1.
  mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// About normal: the sum of twelve shares.
  mutating func around(_ mean: Double, _ deviation: Double) -> Double {
    mean + deviation * ((0..<12).reduce(0) { sum, _ in sum + share() } - 6)
  }
}
