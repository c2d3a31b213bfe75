// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A point of the unit sphere, or a difference of two, in double-double.
struct SpherePoint {
  var x: DoubleDouble
  var y: DoubleDouble
  var z: DoubleDouble

  init(_ x: DoubleDouble, _ y: DoubleDouble, _ z: DoubleDouble) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// From degrees, taken as exact.
  init(longitude: Double, latitude: Double) {
    let (lon, lat) = (DoubleDouble.sineCosine(degrees: longitude), DoubleDouble.sineCosine(degrees: latitude))
    self.init(lat.cosine * lon.cosine, lat.cosine * lon.sine, lat.sine)
  }

  /// From degrees of two doubles each.
  init(longitude: DoubleDouble, latitude: DoubleDouble) {
    let lon = DoubleDouble.sineCosine(radians: longitude * .radiansPerDegree)
    let lat = DoubleDouble.sineCosine(radians: latitude * .radiansPerDegree)
    self.init(lat.cosine * lon.cosine, lat.cosine * lon.sine, lat.sine)
  }

  static func + (a: SpherePoint, b: SpherePoint) -> SpherePoint { SpherePoint(a.x + b.x, a.y + b.y, a.z + b.z) }
  static func - (a: SpherePoint, b: SpherePoint) -> SpherePoint { SpherePoint(a.x - b.x, a.y - b.y, a.z - b.z) }
  static func * (a: SpherePoint, factor: DoubleDouble) -> SpherePoint {
    SpherePoint(a.x * factor, a.y * factor, a.z * factor)
  }

  func dot(_ other: SpherePoint) -> DoubleDouble { x * other.x + y * other.y + z * other.z }
  func cross(_ other: SpherePoint) -> SpherePoint {
    SpherePoint(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
  var length: DoubleDouble { dot(self).squareRoot() }

  /// The angle to another point in radians, good at every distance (Kahan).
  func angle(to other: SpherePoint) -> DoubleDouble {
    DoubleDouble.arcTangent((self - other).length, (self + other).length) * 2
  }
}

/// Right lengths, areas and centroids of great circles, in double-double.
enum SphereTruth {
  /// Length, perimeter or area in metres for some rows of a set.
  static func values(
    _ operation: MeasureOperation, _ set: GeometrySet, radius: Double, rows: [Int]
  ) -> ExactValues.Values {
    ExactValues.Values(
      rows: rows, vertices: rows.map { set.vertices(ofRow: $0) },
      exact: rows.map { row in
        guard let (array, index) = set.location(ofRow: row) else { return operation.columns.map { _ in .nan } }
        return numbers(operation, array, index, DoubleDouble(radius))
      })
  }

  private static func numbers(
    _ operation: MeasureOperation, _ array: GeometryArray, _ row: Int, _ radius: DoubleDouble
  ) -> [DoubleDouble] {
    // No place of the sphere: a measure has no result there.
    guard array.coordinates(ofRow: row).allSatisfy({ abs(array.y($0)) <= 90 }) else {
      return operation.columns.map { _ in .nan }
    }
    let isArea = array.type.single == .polygon
    let lengths = array.type.single == .point ? DoubleDouble(0) : length(array, row) * radius
    switch operation {
    case .length: return [isArea ? DoubleDouble(0) : lengths]
    case .perimeter: return [isArea ? lengths : DoubleDouble(0)]
    case .area: return [isArea ? area(array, row) * radius * radius : DoubleDouble(0)]
    case .centroid: return centroid(array, row)
    case .perimeterArea:
      return isArea ? [lengths, area(array, row) * radius * radius] : [DoubleDouble(0), DoubleDouble(0)]
    default: return operation.columns.map { _ in .nan }
    }
  }

  /// Distances in metres between the rows `rows` of two sets of points.
  static func distances(_ a: GeometrySet, _ b: GeometrySet, radius: Double, rows: [Int]) -> ExactValues.Values {
    ExactValues.Values(
      rows: rows, vertices: rows.map { _ in 2 },
      exact: rows.map { row in
        guard let one = point(a, row), let two = point(b, row) else { return [.nan] }
        return [one.angle(to: two) * DoubleDouble(radius)]
      })
  }

  /// Longitude and latitude in degrees of the ends of great circles from the rows `rows` of a set of points.
  static func ends(
    _ points: GeometrySet, azimuths: [Double], distances: [Double], radius: Double, rows: [Int]
  ) -> ExactValues.Values {
    ExactValues.Values(
      rows: rows, vertices: rows.map { _ in 1 },
      exact: rows.map { row in
        guard let (array, index) = points.location(ofRow: row) else { return [.nan, .nan] }
        let at = array.coordinates(ofRow: index).lowerBound
        let end = end(array.x(at), array.y(at), azimuths[row], distances[row], radius)
        return end.degrees
      })
  }

  private static func end(
    _ longitude: Double, _ latitude: Double, _ azimuth: Double, _ distance: Double, _ radius: Double
  ) -> SpherePoint {
    let start = SpherePoint(longitude: longitude, latitude: latitude)
    let (lon, lat) = (DoubleDouble.sineCosine(degrees: longitude), DoubleDouble.sineCosine(degrees: latitude))
    let north = SpherePoint(-(lat.sine * lon.cosine), -(lat.sine * lon.sine), lat.cosine)
    let east = SpherePoint(-lon.sine, lon.cosine, DoubleDouble(0))
    let turn = DoubleDouble.sineCosine(degrees: azimuth)
    let step = DoubleDouble.sineCosine(radians: DoubleDouble(distance) / DoubleDouble(radius))
    return start * step.cosine + (north * turn.cosine + east * turn.sine) * step.sine
  }

  private static func point(_ set: GeometrySet, _ row: Int) -> SpherePoint? {
    guard let (array, index) = set.location(ofRow: row), !array.isEmpty(index) else { return nil }
    let at = array.coordinates(ofRow: index).lowerBound
    return SpherePoint(longitude: array.x(at), latitude: array.y(at))
  }

  static func points(_ array: GeometryArray, _ ring: Range<Int>) -> [SpherePoint] {
    ring.map { SpherePoint(longitude: array.x($0), latitude: array.y($0)) }
  }

  private static func length(_ array: GeometryArray, _ row: Int) -> DoubleDouble {
    var total = DoubleDouble(0)
    for ring in array.rings(ofRow: row) {
      let points = points(array, ring)
      for (one, two) in zip(points, points.dropFirst()) { total += one.angle(to: two) }
    }
    return total
  }

  /// |shell| - sum of |hole| on the unit sphere.
  private static func area(_ array: GeometryArray, _ row: Int) -> DoubleDouble {
    var total = DoubleDouble(0)
    for part in array.parts(ofRow: row) {
      for (number, ring) in part.enumerated() {
        let area = signedArea(points(array, ring)).magnitude
        total += number == 0 ? area : -area
      }
    }
    return total
  }

  /// The signed triangles from the first vertex, each by Oosterom and Strackee's formula; the smaller side is inside.
  static func signedArea(_ points: [SpherePoint]) -> DoubleDouble {
    guard let origin = points.first else { return DoubleDouble(0) }
    var total = DoubleDouble(0)
    for (one, two) in zip(points, points.dropFirst()) {
      let volume = origin.dot(one.cross(two))
      let sum = DoubleDouble(1) + origin.dot(one) + one.dot(two) + two.dot(origin)
      total += DoubleDouble.arcTangent(volume, sum) * 2
    }
    let sphere = DoubleDouble.pi * 4
    while total.high > 2 * Double.pi { total = total - sphere }
    while total.high <= -2 * Double.pi { total = total + sphere }
    return total
  }
}
