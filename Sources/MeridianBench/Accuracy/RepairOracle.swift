// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The area of repaired polygons against the area that the rule says: the error of a row is the difference as a share of
/// that. Rows that have no geometry any more, or another area, are wrong.
struct RepairOracle: Oracle {
  let source = "areas by the rule"
  /// Polygons, each of one part.
  let input: Lazily<GeometrySet>
  let rule: RepairRule
  /// Rounding of the places where edges cross, as a share of the area.
  static let largestError = 1e-9

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let (input, output) = (try input.value(), try outcome.required(outcome.set, "geometries"))
    var comparisons: [Accuracy.Comparison] = []
    var wrong: [Int] = []
    for row in 0..<input.count {
      guard let area = expectedArea(input, row), area > 0 else { continue }
      guard row < output.count, let after = output.location(ofRow: row) else {
        wrong.append(row)
        continue
      }
      let error = abs(PlanarTruth.area(after.array, after.index).high - area) / area
      if error <= Self.largestError {
        comparisons.append(
          Accuracy.Comparison(row: row, error: error, exact: 0, vertices: input.vertices(ofRow: row)))
      } else {
        wrong.append(row)
      }
    }
    var accuracy = Accuracy(unit: "relative", comparisons, wrong: wrong.count)
    if let row = wrong.first { accuracy.worstRow = row }
    return accuracy
  }

  /// nil for what is no polygon of one part.
  private func expectedArea(_ set: GeometrySet, _ row: Int) -> Double? {
    guard let (array, index) = set.location(ofRow: row), array.type == .polygon else { return nil }
    let rings = array.rings(ofRow: index)
    guard let origin = rings.first?.lowerBound else { return nil }
    let places = rings.map { ring in
      ring.map { Place(array.x($0) - array.x(origin), array.y($0) - array.y(origin)) }
    }
    return Self.expectedArea(places, rule)
  }

  /// - Parameter rings: the shell first. Holes lie inside of it or apart from it.
  static func expectedArea(_ rings: [[Place]], _ rule: RepairRule) -> Double? {
    switch rule {
    case .structure:
      // The shell's region less those of the holes; a hole apart from the shell becomes a polygon.
      return FilledArea(rings).area { windings in
        let inHole = windings.dropFirst().contains { $0 != 0 }
        return windings[0] != 0 ? !inHole : inHole
      }
    case .linework:
      // Edges that are there several times are one: rings that repeat others are left out, the rest counts by parity.
      var distinct: [[Place]] = []
      for ring in rings where !distinct.contains(ring) { distinct.append(ring) }
      return FilledArea(distinct).area { $0.reduce(0, +) % 2 != 0 }
    case .evenOdd: return FilledArea(rings).area { $0.reduce(0, +) % 2 != 0 }
    case .nonzero: return FilledArea(rings).area { $0.reduce(0, +) != 0 }
    }
  }
}
