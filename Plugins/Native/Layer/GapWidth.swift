// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Whether a circle of some diameter fits into a face.
///
/// Squares over the face are halved, the large ones first, until one has its middle inside and farther from the border than
/// the radius, or none can have. A square goes on with the edges that may be nearest to some place of it. Its best place is
/// no farther from the border than the middle's distance and half the diagonal; and, where two edges face each other, than
/// the mean of both distances and what their directions leave over, so that long strips need no small squares.
struct GapWidth {
  private struct Square: BitwiseCopyable {
    let x: Double
    let y: Double
    let half: Double
    let first: Int32
    let count: Int32
  }

  private struct Segment: BitwiseCopyable {
    let a: Place
    let b: Place
  }

  private struct Near: BitwiseCopyable {
    let distance: Double
    /// The unit vector from the nearest place of an edge.
    let x: Double
    let y: Double
  }

  private var segments: ScratchList<Segment>
  private var lists: ScratchList<Int32>
  private var squares: ScratchList<Square>
  private var nears: ScratchList<Near>

  /// Circles that fit are told from those that do not within this share of their size.
  static let precision = 0x1p-20

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    segments = ScratchList(call)
    lists = ScratchList(call)
    squares = ScratchList(call)
    nears = ScratchList(call)
  }

  mutating func isWider(
    _ face: Int, than width: Double, _ graph: LayerGraph, _ faces: LayerFaces, _ poll: inout CancelPoll
  ) throws(Stop) -> Bool {
    segments.truncate(0)
    lists.truncate(0)
    squares.truncate(0)
    var box = Box.empty
    for index in faces.halves.range(face) {
      let half = Int(faces.halves.values[index])
      let (a, b) = (
        graph.edges.place(graph.origin(half), graph.rows), graph.edges.place(graph.origin(half ^ 1), graph.rows)
      )
      // Two crossings that are one place when rounded.
      if a == b { continue }
      try lists.push(Int32(truncatingIfNeeded: segments.count))
      try segments.push(Segment(a: a, b: b))
      box.grow(Box(xmin: min(a.x, b.x), ymin: min(a.y, b.y), xmax: max(a.x, b.x), ymax: max(a.y, b.y)))
    }
    let (wide, high) = (box.xmax - box.xmin, box.ymax - box.ymin)
    if min(wide, high) <= width { return false }
    moveToCorner(Place(x: box.xmin, y: box.ymin))
    // As many squares as cover the box once; of a very long box at most some thousand, which are larger then.
    let half = max(min(wide, high) / 2, max(wide, high) / 2048)
    let all = Int32(truncatingIfNeeded: segments.count)
    guard half > 0 else { return false }
    let along = max(wide, high)
    for step in 0..<1025 where 2 * half * Double(step) < along {
      let middle = half * Double(2 &* step &+ 1)
      try squares.push(
        Square(x: wide > high ? middle : half, y: wide > high ? half : middle, half: half, first: 0, count: all))
    }
    let radius = width / 2
    var next = 0
    while next < squares.count {
      if poll.tick(1 &+ Int(squares[next].count)) { throw .cancelled }
      if try look(squares[next], radius, &poll) { return true }
      next &+= 1
    }
    return false
  }

  /// Makes a corner of the face the origin: far from it, doubles are too coarse for small squares.
  private func moveToCorner(_ corner: Place) {
    func moved(_ place: Place) -> Place { Place(x: place.x - corner.x, y: place.y - corner.y) }
    let segments = segments.start
    for index in 0..<self.segments.count {
      segments[index] = Segment(a: moved(segments[index].a), b: moved(segments[index].b))
    }
  }

  /// True: the middle of the square is the middle of a circle that fits.
  private mutating func look(_ square: Square, _ radius: Double, _ poll: inout CancelPoll) throws(Stop) -> Bool {
    let middle = Place(x: square.x, y: square.y)
    let reach = square.half * 2.0.squareRoot()
    try nears.resize(Int(square.count))
    var least = Double.infinity
    var nearest = 0
    for index in 0..<Int(square.count) {
      let near = near(middle, segments[Int(lists[Int(square.first) &+ index])])
      nears[index] = near
      if near.distance < least { (least, nearest) = (near.distance, index) }
    }
    // All of a square that no border meets is on one side.
    let isSettled = least > reach
    if least > radius || isSettled {
      if poll.tick(segments.count) { throw .cancelled }
      let isInside = isInside(middle)
      if least > radius && isInside { return true }
      if isSettled && !isInside { return false }
    }
    let enough = radius * (1 + GapWidth.precision)
    if least + reach <= enough || isNarrow(nearest, reach, enough, Int(square.count)) { return false }
    try divide(square, middle, least + 2 * reach)
    return false
  }

  /// Whether some other edge faces the nearest one so that no place of the square is farther than `enough` from both.
  private func isNarrow(_ nearest: Int, _ reach: Double, _ enough: Double, _ count: Int) -> Bool {
    let one = nears[nearest]
    guard one.distance > 0 else { return false }
    for index in 0..<count where index != nearest && nears[index].distance > 0 {
      let other = nears[index]
      let (x, y) = (one.x + other.x, one.y + other.y)
      let turn = (x * x + y * y).squareRoot()
      let bend = reach * reach / 2 * (1 / one.distance + 1 / other.distance)
      if (one.distance + other.distance + turn * reach + bend) / 2 <= enough { return true }
    }
    return false
  }

  private mutating func divide(_ square: Square, _ middle: Place, _ reach: Double) throws(Stop) {
    let first = lists.count
    for index in 0..<Int(square.count) where nears[index].distance <= reach {
      try lists.push(lists[Int(square.first) &+ index])
    }
    let half = square.half / 2
    // Places are no closer together: no double is the middle of a circle that fits.
    if middle.x + half == middle.x || middle.y + half == middle.y { return }
    for quarter in 0..<4 {
      try squares.push(
        Square(
          x: middle.x + (quarter & 1 == 0 ? -half : half), y: middle.y + (quarter & 2 == 0 ? -half : half), half: half,
          first: Int32(truncatingIfNeeded: first), count: Int32(truncatingIfNeeded: lists.count &- first)))
    }
  }

  private func near(_ p: Place, _ segment: Segment) -> Near {
    let (a, b) = (segment.a, segment.b)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let share = max(0, min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)))
    let (x, y) = (p.x - (a.x + share * dx), p.y - (a.y + share * dy))
    let distance = (x * x + y * y).squareRoot()
    return distance > 0 ? Near(distance: distance, x: x / distance, y: y / distance) : Near(distance: 0, x: 0, y: 0)
  }

  /// By parity; for places that lie on no edge.
  private func isInside(_ p: Place) -> Bool {
    var isInside = false
    for index in 0..<segments.count {
      let (a, b) = (segments[index].a, segments[index].b)
      if (a.x <= p.x) != (b.x <= p.x), (orientation(a, b, p) < 0) == (a.x < b.x) { isInside.toggle() }
    }
    return isInside
  }
}
