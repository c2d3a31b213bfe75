// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Right lengths, areas, centroids and bounds in the plane, by sums in double-double: 30 digits, less what cancels.
enum PlanarTruth {
  /// The columns of a measure for all rows of a set that are neither null nor collections.
  static func values(_ operation: MeasureOperation, _ set: GeometrySet) -> ExactValues.Values {
    let rows = (0..<set.count).filter { set.location(ofRow: $0) != nil }
    return ExactValues.Values(
      rows: rows, vertices: rows.map { set.vertices(ofRow: $0) },
      exact: rows.map { row in
        guard let (array, index) = set.location(ofRow: row) else { return operation.columns.map { _ in .nan } }
        return numbers(operation, array, index)
      })
  }

  private static func numbers(_ operation: MeasureOperation, _ array: GeometryArray, _ row: Int) -> [DoubleDouble] {
    let isArea = array.type.single == .polygon
    switch operation {
    case .length: return [isArea || array.type.single == .point ? DoubleDouble(0) : length(array, row)]
    case .perimeter: return [isArea ? length(array, row) : DoubleDouble(0)]
    case .area: return [isArea ? area(array, row) : DoubleDouble(0)]
    case .perimeterArea:
      return isArea ? [length(array, row), area(array, row)] : [DoubleDouble(0), DoubleDouble(0)]
    case .centroid: return centroid(array, row)
    case .bounds: return bounds(array, row)
    default: return operation.columns.map { _ in .nan }
    }
  }

  static func length(_ array: GeometryArray, _ row: Int) -> DoubleDouble {
    var total = DoubleDouble(0)
    for ring in array.rings(ofRow: row) where ring.count > 1 {
      for start in ring.dropLast() { total += edge(array, start) }
    }
    return total
  }

  /// |shell| - sum of |hole|.
  static func area(_ array: GeometryArray, _ row: Int) -> DoubleDouble {
    var total = DoubleDouble(0)
    for part in array.parts(ofRow: row) {
      for (number, ring) in part.enumerated() {
        let area = moments(array, ring).area.magnitude
        total += number == 0 ? area : -area
      }
    }
    return total
  }

  private static func edge(_ array: GeometryArray, _ start: Int) -> DoubleDouble {
    let dx = DoubleDouble.sum(array.x(start + 1), -array.x(start))
    let dy = DoubleDouble.sum(array.y(start + 1), -array.y(start))
    return (dx * dx + dy * dy).squareRoot()
  }

  private struct Moments {
    var area = DoubleDouble(0)
    /// Area times the centroid's distance from the row's first vertex.
    var x = DoubleDouble(0)
    var y = DoubleDouble(0)
  }

  /// Signed, about the coordinate `origin`, nil = the ring's first one.
  private static func moments(_ array: GeometryArray, _ ring: Range<Int>, about origin: Int? = nil) -> Moments {
    var moments = Moments()
    guard ring.count > 2 else { return moments }
    let origin = origin ?? ring.lowerBound
    func offset(_ coordinate: Int) -> (x: DoubleDouble, y: DoubleDouble) {
      (
        DoubleDouble.sum(array.x(coordinate), -array.x(origin)),
        DoubleDouble.sum(array.y(coordinate), -array.y(origin))
      )
    }
    for start in ring.dropLast() {
      let (a, b) = (offset(start), offset(start + 1))
      let cross = a.x * b.y - b.x * a.y
      moments.area += cross * 0.5
      moments.x += cross * (a.x + b.x) * DoubleDouble.sixth
      moments.y += cross * (a.y + b.y) * DoubleDouble.sixth
    }
    return moments
  }

  /// Of the area, else the length, else the points; NaN where there is nothing.
  private static func centroid(_ array: GeometryArray, _ row: Int) -> [DoubleDouble] {
    let origin = array.coordinates(ofRow: row).lowerBound
    guard !array.isEmpty(row) else { return [.nan, .nan] }
    var (weight, x, y) = (DoubleDouble(0), DoubleDouble(0), DoubleDouble(0))
    if array.type.single == .polygon {
      for part in array.parts(ofRow: row) {
        for (number, ring) in part.enumerated() {
          let ring = moments(array, ring, about: origin)
          let isNegative = (ring.area.high < 0) != (number > 0)
          weight += isNegative ? -ring.area : ring.area
          x += isNegative ? -ring.x : ring.x
          y += isNegative ? -ring.y : ring.y
        }
      }
    }
    if weight.high == 0, array.type.single != .point {
      for ring in array.rings(ofRow: row) where ring.count > 1 {
        for start in ring.dropLast() {
          let length = edge(array, start)
          weight += length
          x += length * twiceTheMiddle(array.x(start), array.x(start + 1), array.x(origin)) * 0.5
          y += length * twiceTheMiddle(array.y(start), array.y(start + 1), array.y(origin)) * 0.5
        }
      }
    }
    if weight.high == 0 {
      for coordinate in array.coordinates(ofRow: row) {
        weight += DoubleDouble(1)
        x += DoubleDouble.sum(array.x(coordinate), -array.x(origin))
        y += DoubleDouble.sum(array.y(coordinate), -array.y(origin))
      }
    }
    return [DoubleDouble(array.x(origin)) + x / weight, DoubleDouble(array.y(origin)) + y / weight]
  }

  private static func twiceTheMiddle(_ a: Double, _ b: Double, _ origin: Double) -> DoubleDouble {
    DoubleDouble.sum(a, -origin) + DoubleDouble.sum(b, -origin)
  }

  private static func bounds(_ array: GeometryArray, _ row: Int) -> [DoubleDouble] {
    let coordinates = array.coordinates(ofRow: row)
    guard !array.isEmpty(row) else { return [.nan, .nan, .nan, .nan] }
    let (x, y) = (coordinates.lazy.map { array.x($0) }, coordinates.lazy.map { array.y($0) })
    return [x.min(), y.min(), x.max(), y.max()].map { DoubleDouble($0 ?? .nan) }
  }
}

extension DoubleDouble {
  static let nan = DoubleDouble(.nan)
  fileprivate static let sixth = DoubleDouble(1) / DoubleDouble(6)
}
