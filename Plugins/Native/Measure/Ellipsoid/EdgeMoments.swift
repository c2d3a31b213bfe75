// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Moments of geodesic edges by Gauss's quadrature, a vector of edges at a time.
///
/// A ring within a radius of a place X0 in its middle is a fan of signed triangles: the points X0 + t (X(s) - X0), t from 0 to 1, of
/// the chords to its edge, laid on the ellipsoid along the lines to the centre. With rho = sqrt((x^2 + y^2) / a^2 + z^2 / b^2) of
/// such a point U, and D its gradient (x / a^2, y / a^2, z / b^2), the surface element is
///
///     det(X0, X - X0, X') |D| / rho^4 t dt ds
///
/// at the place U / rho. Area and moment come from the same points, so errors of those move the mean by no more than
/// themselves. Nothing here knows poles or longitudes.
///
/// Wider rings take Green's theorem about the centre of the ellipsoid: with w = sqrt(a^2 z^2 / b^2 + b^2 (x^2 + y^2) / a^2), the
/// element of area over that of reduced latitude and longitude, the moment of what lies left of a ring is the integral of
/// (a / b) w y dz, -(a / b) w x dz and b (a^2 + a w + w^2) / (3 a (a + w)) (x dy - y dx); the area is that of
/// `GlobeRing`.
struct EdgeMoments {
  let geodesics: Geodesics
  let geoms: Geoms

  /// Edges are cut in pieces of at most this many radii with four nodes each.
  private static let pieceLength = 0.1

  /// What a ring gives: its signed area and perimeter, and the integral of X - origin over what it winds round.
  struct Ring {
    var area = 0.0
    var length = 0.0
    var moment = Vector()
    var origin = Vector()
  }

  func ring(_ path: Range<Int>, _ poll: inout CancelPoll) -> Ring {
    guard !path.isEmpty else { return Ring() }
    var sum = Vector()
    for coordinate in path { sum += geodesics.position(geoms.place(coordinate)) }
    let mean = sum * (1 / Double(path.count))
    let isRound = mean.norm < 0.3 * geodesics.b
    let origin = isRound ? Vector() : geodesics.position(geodesics.place(below: mean))
    // In space. Eight nodes do for half a radius, sixteen for one.
    var reach = isRound ? Double.infinity : 0
    for coordinate in path { reach = max(reach, (geodesics.position(geoms.place(coordinate)) - origin).norm) }
    let (isFar, isWide) = (reach > 0.5 * geodesics.b, reach > geodesics.b)
    var (area, length, moment) = (CompensatedSum(), CompensatedSum(), VectorSum())
    visit(path, &poll) { edges in
      let sums = isWide ? MomentSums(green: edges, geodesics) : MomentSums(edges, origin, isFar: isFar, geodesics)
      for lane in 0..<edges.count {
        area.add(sums.area[lane])
        length.add(edges.length[lane])
        moment.add(Vector(x: sums.x[lane], y: sums.y[lane], z: sums.z[lane]), times: 1)
      }
    }
    if isWide {
      let surface = EllipsoidSurface(geodesics: geodesics)
      let whole = GlobeRing(surface: surface, geoms: geoms, path: path).integral(&poll).area
      return Ring(area: whole, length: length.value, moment: moment.value)
    }
    return Ring(area: area.value, length: length.value, moment: moment.value, origin: origin)
  }

  /// The integral of X - origin along a line.
  func line(_ path: Range<Int>, from origin: Vector, _ poll: inout CancelPoll) -> (moment: Vector, length: Double) {
    var (length, moment) = (CompensatedSum(), VectorSum())
    visit(path, &poll) { edges in
      var (x, y, z) = (Lanes(), Lanes(), Lanes())
      edges.forEachNode(geodesics) { node in
        x += node.weight * (node.x - origin.x)
        y += node.weight * (node.y - origin.y)
        z += node.weight * (node.z - origin.z)
      }
      for lane in 0..<edges.count {
        length.add(edges.length[lane])
        moment.add(Vector(x: x[lane], y: y[lane], z: z[lane]), times: 1)
      }
    }
    return (moment.value, length.value)
  }

  /// The edges of a path, a vector at a time.
  private func visit(_ path: Range<Int>, _ poll: inout CancelPoll, _ body: (MomentEdges) -> Void) {
    guard path.count > 1 else { return }
    var start = path.lowerBound
    while start < path.upperBound &- 1 {
      let count = min(Lanes.scalarCount, path.upperBound &- 1 &- start)
      if poll.tick(count) { return }
      let (aX, aY) = geoms.lanes(start, count)
      let (bX, bY) = geoms.lanes(start &+ 1, count)
      body(MomentEdges(aX, aY, bX, bY, count, EdgeMoments.pieceLength, geodesics))
      start &+= count
    }
  }
}

/// A vector of edges and the nodes on them.
struct MomentEdges {
  let count: Int
  let (x, y): (Lanes, Lanes)
  let length: Lanes
  private let azimuth: Lanes
  /// In how many pieces each edge is integrated.
  private let pieces: Lanes

  /// A node: where it is, the unit vector along the edge, the length that it stands for (0 for none).
  struct Node {
    let (x, y, z): (Lanes, Lanes, Lanes)
    let (alongX, alongY, alongZ): (Lanes, Lanes, Lanes)
    let weight: Lanes
  }

  @inline(never)
  init(
    _ aX: Lanes, _ aY: Lanes, _ bX: Lanes, _ bY: Lanes, _ count: Int, _ pieceLength: Double, _ geodesics: Geodesics
  ) {
    let edge = geodesics.inverse(aY, aX, bY, bX)
    (x, y, length, azimuth) = (aX, aY, edge.distance, edge.azimuth1)
    self.count = count
    pieces = (length / (pieceLength * geodesics.b)).rounded(.up)
  }

  /// Gauss's nodes of order 4 on [0, 1] and their weights.
  private static let nodes: InlineArray<4, Double> = [
    0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970263,
  ]
  private static let weights: InlineArray<4, Double> = [
    0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693,
  ]

  func forEachNode(_ geodesics: Geodesics, _ body: (Node) -> Void) {
    let most = min(512, pieces.max())
    var piece = 0.0
    while piece < most {
      let isThere = pieces .> piece
      let share = 1 / greater(pieces, Lanes(repeating: 1))
      for index in 0..<4 {
        let along = length * (share * (piece + MomentEdges.nodes[index]))
        let weight = pick(isThere, length * share * MomentEdges.weights[index], Lanes())
        body(node(along, weight, geodesics))
      }
      piece += 1
    }
  }

  @inline(never)
  private func node(_ along: Lanes, _ weight: Lanes, _ geodesics: Geodesics) -> Node {
    let place = DirectLanes(latitude: y, longitude: x, azimuth: azimuth, distance: along, geodesics)
    let (latitude, longitude) = (sineCosine(latitude: place.latitude), sineCosine(azimuth: place.longitude))
    let heading = sineCosine(azimuth: place.azimuth)
    let scale = 1 / (1 - geodesics.e2 * latitude.sin * latitude.sin).squareRoot()
    let out = geodesics.a * latitude.cos * scale
    let outward = -(heading.cos * latitude.sin)
    return Node(
      x: out * longitude.cos, y: out * longitude.sin, z: geodesics.b * geodesics.f1 * latitude.sin * scale,
      alongX: outward * longitude.cos - heading.sin * longitude.sin,
      alongY: outward * longitude.sin + heading.sin * longitude.cos, alongZ: heading.cos * latitude.cos,
      weight: weight)
  }
}

/// Integrals over a vector of edges.
private struct MomentSums {
  var (area, x, y, z) = (Lanes(), Lanes(), Lanes(), Lanes())

  // Gauss's nodes of order 8 and 16 on [0, 1] and their weights, symmetric about the middle: the first half of each.
  private static let nodes8: InlineArray<8, Double> = [
    0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751, 0, 0, 0, 0,
  ]
  private static let weights8: InlineArray<8, Double> = [
    0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.181341891689181, 0, 0, 0, 0,
  ]
  private static let nodes16: InlineArray<8, Double> = [
    0.005299532504175033, 0.02771248846338371, 0.06718439880608412, 0.12229779582249849, 0.19106187779867811,
    0.2709916111713863, 0.35919822461037054, 0.4524937450811813,
  ]
  private static let weights16: InlineArray<8, Double> = [
    0.013576229705877048, 0.031126761969323947, 0.04757925584124639, 0.06231448562776694, 0.07479799440828837,
    0.08457825969750127, 0.09130170752246179, 0.09472530522753425,
  ]

  /// Of the triangles between X0 and the edges.
  init(_ edges: MomentEdges, _ origin: Vector, isFar: Bool, _ geodesics: Geodesics) {
    let table = isFar ? (MomentSums.nodes16, MomentSums.weights16, 8) : (MomentSums.nodes8, MomentSums.weights8, 4)
    var (area, x, y, z) = (Lanes(), Lanes(), Lanes(), Lanes())
    edges.forEachNode(geodesics) { node in
      let (dx, dy, dz) = (node.x - origin.x, node.y - origin.y, node.z - origin.z)
      let fan = MomentSums.triangle(dx, dy, dz, origin, table, geodesics)
      // det(X0, X - X0, X').
      let crossX: Lanes = dy * node.alongZ - dz * node.alongY
      let crossY: Lanes = dz * node.alongX - dx * node.alongZ
      let crossZ: Lanes = dx * node.alongY - dy * node.alongX
      let determinant = origin.x * crossX + origin.y * crossY + origin.z * crossZ
      let weight = node.weight * determinant
      area += weight * fan.area
      x += weight * fan.x
      y += weight * fan.y
      z += weight * fan.z
    }
    (self.area, self.x, self.y, self.z) = (area, x, y, z)
  }

  /// The integrals over t, of 1 and of the place less X0.
  @inline(never)
  private static func triangle(
    _ dx: Lanes, _ dy: Lanes, _ dz: Lanes, _ origin: Vector,
    _ table: (nodes: InlineArray<8, Double>, weights: InlineArray<8, Double>, half: Int), _ geodesics: Geodesics
  ) -> (area: Lanes, x: Lanes, y: Lanes, z: Lanes) {
    let (overA2, overB2) = (1 / (geodesics.a * geodesics.a), 1 / (geodesics.b * geodesics.b))
    var (area, x, y, z) = (Lanes(), Lanes(), Lanes(), Lanes())
    // 1 - rho^2 = 2 t k - t^2 m: X0 lies on the ellipsoid.
    let k = -((dx * origin.x + dy * origin.y) * overA2 + dz * (origin.z * overB2))
    let m = (dx * dx + dy * dy) * overA2 + dz * dz * overB2
    for index in 0..<(2 &* table.half) {
      let isFirst = index < table.half
      let entry = isFirst ? index : 2 &* table.half &- 1 &- index
      let t = isFirst ? table.nodes[entry] : 1 - table.nodes[entry]
      let missing = t * (2 * k - t * m)
      let square = 1 - missing
      let rho = square.squareRoot()
      let (ux, uy, uz) = (origin.x + t * dx, origin.y + t * dy, origin.z + t * dz)
      let gradient = ((ux * ux + uy * uy) * (overA2 * overA2) + uz * uz * (overB2 * overB2)).squareRoot()
      let weight = (table.weights[entry] * t) * gradient / (square * square)
      // U / rho - X0 = (t d + X0 (1 - rho)) / rho.
      let over = 1 / rho
      let back = missing / (1 + rho)
      area += weight
      x += weight * ((t * dx + origin.x * back) * over)
      y += weight * ((t * dy + origin.y * back) * over)
      z += weight * ((t * dz + origin.z * back) * over)
    }
    return (area, x, y, z)
  }
}

extension MomentSums {
  /// The moments by Green's theorem, without the area.
  fileprivate init(green edges: MomentEdges, _ geodesics: Geodesics) {
    let (a, b) = (geodesics.a, geodesics.b)
    var (x, y, z) = (Lanes(), Lanes(), Lanes())
    edges.forEachNode(geodesics) { node in
      let square = node.x * node.x + node.y * node.y
      let (high, wide): (Lanes, Lanes) = (node.z * (a / b), square * ((b / a) * (b / a)))
      let w = (high * high + wide).squareRoot()
      let rise = node.weight * node.alongZ * ((a / b) * w)
      let turn = node.weight * (node.x * node.alongY - node.y * node.alongX)
      x += rise * node.y
      y -= rise * node.x
      let share: Lanes = (w * w + a * w + a * a) / ((w + a) * (3 * a))
      z += turn * (b * share)
    }
    (self.area, self.x, self.y, self.z) = (Lanes(), x, y, z)
  }
}
