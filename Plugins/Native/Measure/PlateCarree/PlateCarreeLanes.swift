// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// A vector of edges, all by the same Gauss-Legendre rule. With t from -1/2 to 1/2 along the edge, p and l its differences of
/// latitude and longitude, M and r the radii of the meridian and of the parallel, and q the area per radian of longitude
/// between the equator and a parallel:
///
///     length = integral of sqrt((M p)^2 + (r l)^2) dt
///     rise = q2 - q1 = p * integral of M r dt
///     rest = l (mean of q - (q1 + q2) / 2) = -l p * integral of t M r dt
///
/// The integrand of the length has its singularities 1 / l away from the real axis where the edge meets a pole, and
/// farther off elsewhere: short edges need few nodes wherever they lie.
struct PlateCarreeLanes {
  let length: Lanes
  let rise: Lanes
  let rest: Lanes

  @inline(__always)
  init<let n: Int>(
    _ edge: EdgeDifferences, _ model: PlateCarree, nodes: InlineArray<n, Double>, weights: InlineArray<n, Double>
  ) {
    var (length, rise, skew) = (Lanes(), Lanes(), Lanes())
    // The middle one stands first.
    for index in stride(from: n &- 1, to: 0, by: -1) {
      let turn = sineCosine(small: edge.p * nodes[index])
      let (far, near) = (
        Node(edge, edge.sine * turn.cos + edge.cosine * turn.sin, edge.cosine * turn.cos - edge.sine * turn.sin, model),
        Node(edge, edge.sine * turn.cos - edge.cosine * turn.sin, edge.cosine * turn.cos + edge.sine * turn.sin, model)
      )
      length += weights[index] * (far.speed + near.speed)
      rise += weights[index] * (far.area + near.area)
      skew += (weights[index] * nodes[index]) * (far.area - near.area)
    }
    let middle = Node(edge, edge.sine, edge.cosine, model)
    length += weights[0] * middle.speed
    rise += weights[0] * middle.area
    let scale = model.a * model.a * model.f1Squared
    self.length = model.a * length
    self.rise = scale * (edge.p * rise)
    rest = -scale * (edge.l * edge.p * skew)
  }

  /// sqrt((M p)^2 + (r l)^2) / a and M r / b^2 at one node.
  private struct Node {
    let speed: Lanes
    let area: Lanes

    @inline(__always)
    init(_ edge: EdgeDifferences, _ sine: Lanes, _ cosine: Lanes, _ model: PlateCarree) {
      // 1 / W^2: M = a (1 - e^2) / W^3, r = a cos / W.
      let over = 1 / (1 - model.e2 * sine * sine)
      let north = model.f1Squared * over * edge.p
      let east = cosine * edge.l
      speed = (over * (north * north + east * east)).squareRoot()
      area = cosine * (over * over)
    }
  }
}

/// The differences of longitude and latitude of a vector of edges in radians, and their middle latitude.
struct EdgeDifferences {
  let l: Lanes
  let p: Lanes
  let sine: Lanes
  let cosine: Lanes
  /// The difference of longitude in degrees.
  let turn: Lanes

  @inline(__always)
  init(from: (x: Lanes, y: Lanes), to: (x: Lanes, y: Lanes)) {
    let (east, north) = (twoSum(to.x, -from.x), twoSum(to.y, -from.y))
    turn = east.head + east.tail
    l = radians(east.head, tail: east.tail)
    p = radians(north.head, tail: north.tail)
    let sum = twoSum(from.y, to.y)
    let (sine, cosine) = sineCosine(
      quadrant: 0.5 * magnitude(sum.head), tail: 0.5 * flip(sum.tail, bySignOf: sum.head))
    self.sine = flip(sine, bySignOf: sum.head)
    self.cosine = cosine
  }

  @inline(__always)
  func isWithin(_ limit: Double) -> LaneMask { (magnitude(l) .<= limit) .& (magnitude(p) .<= limit) }
}

extension PlateCarree: EdgeMethod {
  static var isPeriodic: Bool { false }

  @inline(__always)
  func lengths(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes { edges(vertices, index) }

  /// Edges up to 1/64 radian by 3 nodes, up to 1/5 by 7, longer ones in panels, each lane whatever its neighbours need.
  @inline(__always)
  func edges(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes {
    let edge = EdgeDifferences(
      from: (vertices.lanes(0, index), vertices.lanes(1, index)),
      to: (vertices.lanes(0, index &+ 1), vertices.lanes(1, index &+ 1)))
    let short = PlateCarreeLanes(
      edge, self, nodes: GaussLegendre.threeNodes, weights: GaussLegendre.threeWeights)
    var result = EdgeLanes(length: short.length, turn: edge.turn, rise: short.rise, rest: short.rest)
    let (isShort, isDone) = (edge.isWithin(1.0 / 64), edge.isWithin(0.2))
    if any(isDone .& .!isShort) { replace(&result, isShort, edge) }
    result.length = pick(isDone, result.length, Lanes(repeating: -1))
    return result
  }

  func longEdge(_ a: Place, _ b: Place) -> (length: Double, rise: Double, rest: Double) {
    let panels = PlateCarreeEdge(self, a, b)
    return (panels.length, panels.rise, panels.rest)
  }

  @inline(never)
  private func replace(_ result: inout EdgeLanes, _ isShort: LaneMask, _ edge: EdgeDifferences) {
    let longer = PlateCarreeLanes(
      edge, self, nodes: GaussLegendre.sevenNodes, weights: GaussLegendre.sevenWeights)
    result.length = pick(isShort, result.length, longer.length)
    result.rise = pick(isShort, result.rise, longer.rise)
    result.rest = pick(isShort, result.rest, longer.rest)
  }

  /// Rings are closed in plain longitudes, so the parallel of the first vertex is as good as any.
  func area(_ ring: RingEdges, _ geoms: Geoms, side: Int32, _ poll: inout CancelPoll) -> Double { ring.area() }
}
