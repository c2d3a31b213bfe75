// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Sweeps an operation over sizes and fits how its time grows.
package struct Scaling {
  /// One size of the sweep.
  package struct Step {
    /// What the exponent is of: n.
    package let size: Int
    package let benchCase: BenchCase

    /// - Parameter size: nil = the units of the case.
    package init(size: Int? = nil, _ benchCase: BenchCase) {
      self.size = size ?? benchCase.head.units
      self.benchCase = benchCase
    }
  }

  /// Whether the growth of a kernel is known well enough; asked only at looks.
  package typealias Decision = (ScalingResult.Series) -> Bool

  /// Sizes of a sweep, as shares of the scale of its case.
  package static let shares = [0.05, 0.1, 0.2, 0.4, 0.7, 1.0]

  private let host: Host
  private let rounds: Rounds
  private let options: Rounds.Options

  package init(_ host: Host, _ options: Rounds.Options, timekeeper: Timekeeper = .system) {
    self.host = host
    self.options = options
    rounds = Rounds(options, timekeeper: timekeeper)
  }

  /// Each kernel by itself, all sizes in each round. A kernel that refuses a size has a series of the sizes below it, or
  /// none at all with fewer than two.
  /// - Parameters:
  ///   - head: name, operation and variable of the result.
  ///   - isDecided: nil = after the fewest rounds the growth is known well enough.
  /// - Throws: `JobError.interrupted` when the user stops it.
  package func sweep(
    _ head: ScalingResult, kernels: [String], steps: [Step], isDecided: Decision? = nil
  ) throws(JobError) -> ScalingResult {
    var result = head
    for kernel in kernels {
      let contenders = try prepare(steps, kernel)
      guard contenders.count > 1 else { continue }
      let looks = Looks(fewest: options.fewest, most: isDecided == nil ? options.fewest : options.most).count
      let found = { (times: Rounds.Times) -> ScalingResult.Series? in
        let done = zip(contenders, times.kernels).prefix { $0.1.refusal == nil }
        return series(kernel, sizes: done.map { $0.0.size }, times: done.map { $0.1.times }, looks: looks)
      }
      let times = try rounds.measure(
        contenders.map { $0.contender }, isDecided: isDecided.map { decide in { found($0).map(decide) ?? true } })
      if let series = found(times) { result.series.append(series) }
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

  private func series(
    _ kernel: String, sizes: [Int], times: [[Double]], looks: Int
  ) -> ScalingResult.Series? {
    let confidence = Looks.confidence(options.confidence, ofEach: looks)
    guard let fit = PowerFit(sizes: sizes, times: times, confidence: confidence, seed: options.seed) else { return nil }
    return ScalingResult.Series(
      kernel: kernel, sizes: sizes, times: times.map { Sample($0).median }, exponent: fit.exponent, low: fit.low,
      high: fit.high)
  }
}
