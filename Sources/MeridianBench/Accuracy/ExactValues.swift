// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// Right numbers of some rows, to hold the columns of a measure against.
struct ExactValues: Oracle {
  /// How far an answer is from the right one.
  enum Difference: Sendable {
    /// The largest difference of the columns.
    case largest
    /// The distance in the plane between the places that two columns name.
    case place
    /// The largest difference of longitudes (modulo 360) and latitudes.
    case degrees
    /// Metres through the globe between places given in degrees, on a sphere of this radius; where the places are as
    /// near as right answers are, the ellipsoid's distance differs by half a percent of it.
    case globe(radius: Double)
  }

  struct Values: Sendable {
    /// Rows of the set, and for each its vertices and the right numbers of the columns.
    var rows: [Int]
    var vertices: [Int]
    var exact: [[DoubleDouble]]
  }

  let source: String
  let unit: String
  /// Columns that are judged.
  let columns: [String]
  let difference: Difference
  /// Of the right numbers themselves, where a kernel gave them.
  let slack: DeclaredBound?
  let values: Lazily<Values>

  init(
    source: String, unit: String, columns: [String], difference: Difference = .largest, slack: DeclaredBound? = nil,
    values: Lazily<Values>
  ) {
    self.source = source
    self.unit = unit
    self.columns = columns
    self.difference = difference
    self.slack = slack
    self.values = values
  }

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let values = try values.value()
    let found = columns.map { outcome.column($0) ?? [] }
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    for (number, row) in values.rows.enumerated() {
      let exact = values.exact[number]
      let answers = found.map { row < $0.count ? $0[row] : .nan }
      let isAbsent = answers.contains(where: \.isNaN)
      // Rows that have no result have none here either.
      if exact.contains(where: \.high.isNaN) {
        wrong += isAbsent ? 0 : 1
      } else if isAbsent {
        wrong += 1
      } else {
        comparisons.append(
          Accuracy.Comparison(
            row: row, error: error(answers, exact), exact: exact.map { abs($0.high) }.max() ?? 0,
            vertices: values.vertices[number]))
      }
    }
    return Accuracy(unit: unit, comparisons, wrong: wrong, bound: bound, slack: slack)
  }

  private func error(_ found: [Double], _ exact: [DoubleDouble]) -> Double {
    let errors = zip(found, exact).map { $1.distance(to: $0) }
    switch difference {
    case .largest: return errors.max() ?? 0
    case .place: return errors.reduce(0) { hypot($0, $1) }
    case .degrees: return zip(errors, [true, false]).map { $1 ? abs(remainder($0, 360)) : $0 }.max() ?? 0
    case .globe(let radius):
      guard found.count >= 2, exact.count >= 2 else { return .nan }
      let gap =
        SpherePoint(longitude: found[0], latitude: found[1])
        - SpherePoint(longitude: exact[0], latitude: exact[1])
      return radius * gap.length.high
    }
  }
}
