// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianJobs

/// Sweeps an operation over sizes and fits how its time grows.
public struct Scaling {
  /// One size of the sweep.
  public struct Step {
    /// What the exponent is of: n.
    public let size: Int
    public let benchCase: BenchCase

    public init(size: Int, _ benchCase: BenchCase) {
      self.size = size
      self.benchCase = benchCase
    }
  }

  /// `count` sizes from `first` to `last`, neighbours in one ratio but for rounding; fewer where rounding joins them.
  public static func geometricSizes(from first: Int, to last: Int, count: Int) -> [Int] {
    guard first > 0, last >= first, count > 1 else { return first > 0 ? [first] : [] }
    var sizes: [Int] = []
    for index in 0..<count {
      let share = Double(index) / Double(count - 1)
      let size = Int((Double(first) * pow(Double(last) / Double(first), share)).rounded())
      if sizes.last != size { sizes.append(size) }
    }
    return sizes
  }

  private let host: Host
  private let rounds: Rounds
  private let options: Rounds.Options

  /// - Parameter options: short runs need little time here, since each size counts through its logarithm only: 1 ms a
  ///   round and size is enough.
  public init(_ host: Host, _ options: Rounds.Options, timekeeper: Timekeeper = .system) {
    self.host = host
    self.options = options
    rounds = Rounds(options, timekeeper: timekeeper)
  }

  /// Each kernel by itself, all sizes in each round. A kernel that refuses a size has a series of the sizes below it, or
  /// none at all with fewer than two.
  /// - Parameter head: name, operation and variable of the result.
  /// - Throws: `JobError.interrupted` when the user stops it.
  public func sweep(
    _ head: ScalingResult, kernels: [String], steps: [Step]
  ) throws(JobError) -> ScalingResult {
    var result = head
    for kernel in kernels {
      let contenders = try prepare(steps, kernel)
      guard contenders.count > 1 else { continue }
      let times = try rounds.measure(contenders.map { $0.contender }).kernels
      let done = zip(contenders, times).prefix { $0.1.refusal == nil }
      if let series = series(kernel, sizes: done.map { $0.0.size }, times: done.map { $0.1.times }) {
        result.series.append(series)
      }
    }
    return result
  }

  private typealias Sized = (size: Int, contender: Rounds.Contender)

  private func prepare(_ steps: [Step], _ kernel: String) throws(JobError) -> [Sized] {
    var contenders: [Sized] = []
    for step in steps.sorted(by: { $0.size < $1.size }) {
      do {
        let prepared = try step.benchCase.prepare(host, kernel: kernel)
        contenders.append((step.size, Rounds.Contender("\(step.size)", run: prepared.run)))
      } catch {
        if error.status == .cancelled { throw .interrupted }
        break
      }
    }
    return contenders
  }

  private func series(_ kernel: String, sizes: [Int], times: [[Double]]) -> ScalingResult.Series? {
    guard
      let fit = PowerFit(sizes: sizes, times: times, confidence: options.confidence, seed: options.seed)
    else { return nil }
    return ScalingResult.Series(
      kernel: kernel, sizes: sizes, times: times.map { Sample($0).median }, exponent: fit.exponent, low: fit.low,
      high: fit.high)
  }
}
