// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Lengths and areas of the edges of a model, a vector at a time. `EdgeBlock` and `measurePaths` bring the loops.
protocol EdgeMethod: LengthMethod {
  /// How many numbers of a vertex are kept for both of its edges.
  static var columns: Int { get }
  /// Longitudes are equal modulo 360 and edges go the shorter way round, so that half a turn is ambiguous.
  static var isPeriodic: Bool { get }

  /// Writes what is kept of the vertices from `index` on.
  func prepare(x: Lanes, y: Lanes, _ vertices: VertexColumns, _ index: Int)
  /// The edges from the vertices from `index` on to the next ones; without strips, the lengths to be `finished`.
  func lengths(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes
  /// The same with strips and finished lengths.
  func edges(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes
  /// An edge that got a negative length: too long for the vectors, and worth its time only when it is one of a path.
  func longEdge(_ a: Place, _ b: Place) -> (length: Double, rise: Double, rest: Double)
  /// The signed area of a ring from its strips, brought to `side` (MRD_SIDE_*).
  func area(_ ring: RingEdges, _ geoms: Geoms, side: Int32, _ poll: inout CancelPoll) -> Double
}

extension EdgeMethod {
  /// Kept of a vertex unless the method says otherwise: its longitude and its latitude.
  static var columns: Int { 2 }

  @inline(__always)
  func prepare(x: Lanes, y: Lanes, _ vertices: VertexColumns, _ index: Int) {
    vertices.store(x, 0, index)
    vertices.store(y, 1, index)
  }

  func longEdge(_ a: Place, _ b: Place) -> (length: Double, rise: Double, rest: Double) { (.nan, .nan, .nan) }
}

/// What edges contribute to the measures of their paths.
struct EdgeLanes {
  var length: Lanes
  /// The way in longitude in degrees, eastward positive; 180 and -180 only for exact half turns where longitudes are
  /// periodic.
  var turn: Lanes
  /// The strip between the edge and a parallel: with q a function of latitude that the method chooses, rise = q2 - q1, and
  /// the area between the edge and the parallel where q = q0 is ((q1 + q2) / 2 - q0) lambda12 + rest.
  var rise = Lanes()
  var rest = Lanes()
}

/// A table of numbers by vertex in scratch memory.
struct VertexColumns {
  let memory: UnsafeMutablePointer<Double>
  /// From one column to the next.
  let room: Int

  @inline(__always)
  func lanes(_ column: Int, _ index: Int) -> Lanes { Lanes(memory + column &* room, index) }

  @inline(__always)
  func store(_ lanes: Lanes, _ column: Int, _ index: Int) { lanes.store(memory + column &* room, index) }
}

/// The strips of a ring's edges. With h = q - q(first vertex) at an edge's start, its strip down to the parallel of the
/// first vertex has the area (h + rise / 2) lambda12 + rest: all of the size of the figure, wherever it lies.
struct RingEdges {
  let path: Range<Int>
  let first: Place
  private var strips = CompensatedSum()
  private var height = CompensatedSum()
  private var turned = 0.0

  init(path: Range<Int>, first: Place) {
    self.path = path
    self.first = first
  }

  @inline(__always)
  mutating func add(rise: Double, rest: Double, turn: Double) {
    strips.add(-((height.value + 0.5 * rise) * (turn * (Double.pi / 180))) - rest)
    height.add(rise)
    turned += turn
  }

  /// How often the ring goes around the globe eastward.
  var turns: Double { (turned / 360).rounded() }

  /// The signed area between the edges and the parallel of the first vertex, and `cap` once for each turn.
  func area(cap: Double = 0) -> Double {
    var sum = strips
    if cap != 0 { sum.add(turns * cap) }
    return sum.value
  }
}

/// The area between a parallel and the pole of its hemisphere, negative in the south; `sine` and `cosine` of its latitude on
/// the sphere that the strips refer to.
func polarCap(sine: Double, cosine: Double, squaredRadius: Double) -> Double {
  let area = 2 * Double.pi * squaredRadius * (cosine * cosine / (1 + sine.magnitude))
  return sine < 0 ? -area : area
}
