// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianABI

/// Mean positions in space of polygons with geodesic edges, by quadrature along the edges.
///
/// Green's theorem makes each integral over the figure one along its edges, of the integral between the first vertex's
/// latitude and the edge: eight Gauss points an edge, and eight between the latitudes at each. The places on the edges,
/// and the azimuths that say how fast the longitude grows there, are asked of a reference kernel; the rest is a double's
/// arithmetic about the first vertex. Good to nanometres for what `suits` takes.
enum GeodesicCentroid {
  /// Figures of up to four degrees, away from poles and the antimeridian.
  static func suits(_ set: GeometrySet, row: Int) -> Bool {
    guard let (array, index) = set.location(ofRow: row), array.type.single == .polygon, !array.isEmpty(index)
    else { return false }
    let coordinates = array.coordinates(ofRow: index)
    let (x, y) = (coordinates.map { array.x($0) }, coordinates.map { array.y($0) })
    guard let west = x.min(), let east = x.max(), let south = y.min(), let north = y.max() else { return false }
    return east - west <= 4 && north - south <= 4 && max(abs(south), abs(north)) <= 85
      && max(abs(west), abs(east)) <= 180
  }

  /// Columns x and y in degrees, a row each. The rules of `run` say who solves geodesics.
  static func places(
    of set: GeometrySet, _ model: GeometryModel, on host: Host, _ run: Run
  ) throws(MeridianError) -> Outcome {
    let edges = Edges(set)
    let inverse = try host.measurePair(.inverse, edges.starts.set(), edges.ends.set(), run: run)
    guard let lengths = inverse.column("distance"), let azimuths = inverse.column("azimuth_a") else {
      throw MeridianError(.unsupported, "the reference kernel gave no distances")
    }
    var sums = edges.origins.map { Moments(about: $0, model: model) }
    for node in Gauss.nodes {
      let way = try host.measureDirect(
        edges.starts.set(), azimuths: azimuths, distances: lengths.map { $0 * node.place }, run: run)
      guard let x = way.column("x"), let y = way.column("y"), let azimuth = way.column("azimuth") else {
        throw MeridianError(.unsupported, "the reference kernel gave no ends")
      }
      for edge in edges.rows.indices {
        sums[edges.rows[edge]].add(
          Place(x[edge], y[edge]), azimuth: azimuth[edge], step: lengths[edge] * node.weight, sign: edges.signs[edge])
      }
    }
    let means = sums.map(\.mean)
    var outcome = Outcome()
    outcome.names = ["x", "y"]
    outcome.columns = [means.map(\.x), means.map(\.y)]
    return outcome
  }
}

/// The edges of all rings, whose row they are of, and whether the ring's integrals count or are taken away.
private struct Edges {
  var starts = Places()
  var ends = Places()
  var rows: [Int] = []
  var signs: [Double] = []
  /// The first vertex of each row.
  var origins: [Place] = []

  init(_ set: GeometrySet) {
    for row in 0..<set.count {
      guard let (array, index) = set.location(ofRow: row), !array.isEmpty(index) else {
        origins.append(Place(.nan, .nan))
        continue
      }
      origins.append(array.place(array.coordinates(ofRow: index).lowerBound))
      for part in array.parts(ofRow: index) {
        for (number, ring) in part.enumerated() {
          // Shells count as if they ran counterclockwise, holes as if clockwise.
          let sign: Double = (Self.isCounterclockwise(array, ring) == (number == 0)) ? 1 : -1
          for vertex in ring.dropLast() { add(array.place(vertex), array.place(vertex + 1), row, sign) }
        }
      }
    }
  }

  private mutating func add(_ start: Place, _ end: Place, _ row: Int, _ sign: Double) {
    starts.append(start)
    ends.append(end)
    rows.append(row)
    signs.append(sign)
  }

  private static func isCounterclockwise(_ array: GeometryArray, _ ring: Range<Int>) -> Bool {
    guard let first = ring.first else { return true }
    let (x, y) = (array.x(first), array.y(first))
    return ring.dropLast().reduce(0) { sum, vertex in
      sum + (array.x(vertex) - x) * (array.y(vertex + 1) - y) - (array.x(vertex + 1) - x) * (array.y(vertex) - y)
    } > 0
  }
}

/// Area, and area times position from the first vertex in space.
private struct Moments {
  private let model: GeometryModel
  /// Latitude in radians.
  private let base: Double
  private let origin: [Double]
  private var area = 0.0
  private var moment = [0.0, 0.0, 0.0]

  init(about first: Place, model: GeometryModel) {
    self.model = model
    base = first.y * .pi / 180
    origin = Self.position(latitude: base, longitude: first.x * .pi / 180, model)
  }

  /// Adds the strip between an edge's point and the base latitude.
  /// - Parameter step: metres of the edge that the point stands for.
  mutating func add(_ place: Place, azimuth: Double, step: Double, sign: Double) {
    let (latitude, longitude) = (place.y * .pi / 180, place.x * .pi / 180)
    // Counterclockwise the interior is north of an eastward edge: the strip south of it is taken away.
    let turned = -sign * step * sin(azimuth * .pi / 180) / (Self.normalRadius(latitude, model) * cos(latitude))
    for node in Gauss.nodes {
      let between = base + node.place * (latitude - base)
      let (meridian, normal) = (Self.meridianRadius(between, model), Self.normalRadius(between, model))
      let weight = turned * node.weight * (latitude - base) * meridian * normal * cos(between)
      area += weight
      let position = Self.position(latitude: between, longitude: longitude, model)
      for axis in 0..<3 { moment[axis] += weight * (position[axis] - origin[axis]) }
    }
  }

  /// The mean position, brought back along the normal of the ellipsoid; degrees.
  var mean: Place {
    let (x, y, z) = (origin[0] + moment[0] / area, origin[1] + moment[1] / area, origin[2] + moment[2] / area)
    let across = (x * x + y * y).squareRoot()
    var latitude = atan2(z, across)
    // The error shrinks by the square of the eccentricity, 0.04 at most, each time.
    for _ in 0..<12 {
      latitude = atan2(z + Self.squaredEccentricity(model) * Self.normalRadius(latitude, model) * sin(latitude), across)
    }
    return Place(atan2(y, x) * 180 / .pi, latitude * 180 / .pi)
  }

  private static func squaredEccentricity(_ model: GeometryModel) -> Double {
    model.flattening * (2 - model.flattening)
  }

  private static func normalRadius(_ latitude: Double, _ model: GeometryModel) -> Double {
    model.semiMajor / (1 - squaredEccentricity(model) * sin(latitude) * sin(latitude)).squareRoot()
  }

  private static func meridianRadius(_ latitude: Double, _ model: GeometryModel) -> Double {
    let normal = normalRadius(latitude, model) / model.semiMajor
    return model.semiMajor * (1 - squaredEccentricity(model)) * normal * normal * normal
  }

  private static func position(latitude: Double, longitude: Double, _ model: GeometryModel) -> [Double] {
    let normal = normalRadius(latitude, model)
    return [
      normal * cos(latitude) * cos(longitude), normal * cos(latitude) * sin(longitude),
      normal * (1 - squaredEccentricity(model)) * sin(latitude),
    ]
  }
}

/// Gauss and Legendre's rule of eight points on [0, 1].
private enum Gauss {
  struct Node {
    let place: Double
    let weight: Double
  }

  static let nodes = [
    (0.1834346424956498, 0.3626837833783620), (0.5255324099163290, 0.3137066458778873),
    (0.7966664774136267, 0.2223810344533745), (0.9602898564975363, 0.1012285362903763),
  ].flatMap { (root: Double, weight: Double) -> [Node] in
    let half = weight / 2
    return [Node(place: (1 - root) / 2, weight: half), Node(place: (1 + root) / 2, weight: half)]
  }
}
