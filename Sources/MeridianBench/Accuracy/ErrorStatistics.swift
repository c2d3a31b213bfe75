// SPDX-License-Identifier: Apache-2.0

extension Accuracy {
  /// One answer beside the right one.
  struct Comparison {
    var row: Int
    var error: Double
    /// The right answer, for bounds that grow with it, and vertices of the row likewise.
    var exact: Double
    var vertices: Int
  }

  /// Sums up comparisons.
  /// - Parameters:
  ///   - unit: of the errors.
  ///   - wrong: answers that are absent, or wrong where there is no more or less; they are not among the comparisons.
  ///   - slack: bound of the right answers themselves, where a kernel gave them: an error is beyond the declared bound
  ///     only when it is beyond both together.
  init(
    unit: String, _ comparisons: [Comparison], wrong: Int = 0, bound: DeclaredBound? = nil, slack: DeclaredBound? = nil
  ) {
    let bound = bound.flatMap { $0.speaks(of: unit) ? $0 : nil }
    let comparisons = comparisons.map { one in
      var one = one
      // What is no number is as wrong as can be, and must not get lost in sorting.
      if one.error.isNaN { one.error = .infinity }
      return one
    }
    let sample = Sample(comparisons.map(\.error))
    let sorted = sample.sorted
    let count = Double(max(1, sorted.count))
    let worst = comparisons.max { $0.error < $1.error }
    self.init(
      unit: unit, compared: comparisons.count + wrong, largest: sorted.last ?? 0,
      mean: sorted.reduce(0, +) / count, rootMeanSquare: Self.rootMeanSquare(sorted),
      p99: sorted.isEmpty ? 0 : sample.percentile(0.99),
      worstRow: worst.flatMap { $0.error > 0 ? $0.row : nil },
      largestRelative: comparisons.compactMap { $0.exact != 0 ? $0.error / abs($0.exact) : nil }.max(),
      wrong: wrong,
      violations: bound.map { bound in comparisons.count { !Self.allows($0, bound, slack) } },
      bound: bound?.text)
  }

  /// Scaled by the largest one: squares of tiny errors would vanish.
  private static func rootMeanSquare(_ errors: [Double]) -> Double {
    guard let scale = errors.last, scale > 0, scale.isFinite else { return errors.last ?? 0 }
    let sum = errors.reduce(0) { $0 + ($1 / scale) * ($1 / scale) }
    return scale * (sum / Double(errors.count)).squareRoot()
  }

  private static func allows(_ one: Comparison, _ bound: DeclaredBound, _ slack: DeclaredBound?) -> Bool {
    if bound.allows(error: one.error, exact: one.exact, vertices: one.vertices) { return true }
    guard let slack, slack.unit == bound.unit, bound.unit != "ulp" else { return false }
    let both = DeclaredBound(
      unit: bound.unit, absolute: bound.absolute + slack.absolute, relative: bound.relative + slack.relative,
      perVertex: bound.perVertex + slack.perVertex, text: "")
    return both.allows(error: one.error, exact: one.exact, vertices: one.vertices)
  }
}
