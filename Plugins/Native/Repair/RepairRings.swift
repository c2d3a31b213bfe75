// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// One ring of the row that is repaired: its points from `first` on, the first one again at `last`.
struct RepairRing: BitwiseCopyable {
  var first: Int32
  var last: Int32
  /// The polygon it belongs to, counted from 0 in the row.
  let part: Int32
  /// The ring's number in the row, as `Geoms.path` counts.
  let path: Int32
  let isShell: Bool
  /// Closed in the input.
  let isClosed: Bool
  /// Some edge was moved by rounding.
  var isBent = false
}

/// What is known of a point of the rings.
struct PointMarks: OptionSet, BitwiseCopyable {
  let rawValue: UInt8
  /// Rings meet here.
  static let node = PointMarks(rawValue: 1)
  /// Not a vertex of its ring in the input.
  static let inserted = PointMarks(rawValue: 2)
  /// The edge that starts here is not quite where it was before the last round of noding.
  static let moved = PointMarks(rawValue: 4)
  /// The edge that starts here is to be moved by the round that is under way.
  static let bends = PointMarks(rawValue: 8)
}

/// Z and M of a point that is not in the input.
struct MadePoint: BitwiseCopyable {
  let z: Double
  let m: Double
}

/// The rings of one row as points without consecutive repeats, which noding adds to.
///
/// Point i and point i + 1 are the ends of edge i; the closing point of each ring starts none.
struct RepairRings {
  var rings: ScratchList<RepairRing>
  var places: ScratchList<Place>
  var marks: ScratchList<PointMarks>
  /// The coordinate of the input, counted from the row's first one, or -1 - the number among `made`.
  var sources: ScratchList<Int32>
  var made: ScratchList<MadePoint>
  /// The edge of the input on which an inserted point was put, as the number of its first point as loaded.
  var origins: ScratchList<Int32>
  /// Rings that are one point.
  var pointRings: ScratchList<Place>
  /// Points as loaded, for `origins`: kept only when edges move more than once.
  var original: ScratchList<Place>
  private(set) var parts = 0
  /// The first coordinate of the row.
  private var base = 0
  /// Some ring is open, has fewer than three vertices, or is a hole without a shell.
  private(set) var hasRingError = false
  /// Vertices were moved: no mark tells what is in the input.
  var isSnapped = false
  /// The largest ordinate.
  private(set) var largest = 0.0
  /// Points as loaded.
  private(set) var loaded = 0

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    rings = ScratchList(call)
    places = ScratchList(call)
    marks = ScratchList(call)
    sources = ScratchList(call)
    made = ScratchList(call)
    origins = ScratchList(call)
    pointRings = ScratchList(call)
    original = ScratchList(call)
  }

  /// Takes the rings of a polygonal row with finite coordinates.
  mutating func load(_ geoms: Geoms, _ row: Int) throws(Stop) {
    base = geoms.coordinates(row).lowerBound
    let total = geoms.coordinates(row).count
    guard total < 1 << 29 else { throw .limit }
    rings.truncate(0)
    made.truncate(0)
    pointRings.truncate(0)
    hasRingError = false
    isSnapped = false
    largest = 0
    // Rings that are open get one more point.
    let room = total + geoms.pathCount(row)
    try places.resize(room)
    try sources.resize(room)
    var count = 0
    parts = 0
    let isMulti = geoms.type == MRD_MULTIPOLYGON
    let polygons = isMulti ? geoms.span(row) : 0..<1
    let firstPath = geoms.rings(row).lowerBound
    for polygon in polygons {
      let numbers = isMulti ? geoms.span(level: 1, polygon) : geoms.rings(row)
      for number in numbers {
        let span = geoms.span(level: isMulti ? 2 : 1, number)
        try loadRing(geoms, span, path: number - firstPath, isShell: number == numbers.lowerBound, &count)
      }
      parts += 1
    }
    places.truncate(count)
    sources.truncate(count)
    loaded = count
    try marks.fill(count, [])
    try origins.resize(count)
    for index in 0..<count { origins[index] = Int32(truncatingIfNeeded: index) }
  }

  private mutating func loadRing(
    _ geoms: Geoms, _ span: Range<Int>, path: Int, isShell: Bool, _ count: inout Int
  ) throws(Stop) {
    // An empty ring is no error.
    guard !span.isEmpty else { return }
    let first = count
    var former = Place(x: .nan, y: .nan)
    var most = largest
    let (places, sources) = (self.places.start, self.sources.start)
    for coordinate in span {
      let place = geoms.place(coordinate)
      if place == former { continue }
      former = place
      places[count] = place
      sources[count] = Int32(truncatingIfNeeded: coordinate &- base)
      count &+= 1
      most = max(most, max(place.x.magnitude, place.y.magnitude))
    }
    largest = most
    let isClosed = geoms.place(span.lowerBound) == geoms.place(span.upperBound - 1)
    if count - first > 1 && places[count - 1] == places[first] { count -= 1 }
    let size = count - first
    if !isClosed || size < 3 { hasRingError = true }
    if !isShell && !hasShell(parts) { hasRingError = true }
    guard size > 1 else {
      try pointRings.push(places[first])
      count = first
      return
    }
    places[count] = places[first]
    sources[count] = sources[first]
    try rings.push(
      RepairRing(
        first: Int32(truncatingIfNeeded: first), last: Int32(truncatingIfNeeded: count),
        part: Int32(truncatingIfNeeded: parts), path: Int32(truncatingIfNeeded: path), isShell: isShell,
        isClosed: isClosed))
    count += 1
  }

  /// Holes follow the shell of their part.
  private func hasShell(_ part: Int) -> Bool { rings.count > 0 && Int(rings[rings.count - 1].part) == part }

  mutating func truncate(_ count: Int) {
    places.truncate(count)
    marks.truncate(count)
    sources.truncate(count)
    origins.truncate(count)
  }

  /// The ring of an edge or point.
  func ring(of point: Int) -> Int {
    var (low, high) = (0, rings.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(rings[middle].first) <= point { low = middle } else { high = middle }
    }
    return low
  }

  /// Marks a point; the two that close a ring are one.
  mutating func mark(_ point: Int, _ new: PointMarks) {
    if marks[point].isSuperset(of: new) { return }
    marks[point].formUnion(new)
    let ring = rings[self.ring(of: point)]
    if point == ring.last { marks[Int(ring.first)].formUnion(new) }
    if point == ring.first { marks[Int(ring.last)].formUnion(new) }
  }

  /// Z and M of a point; NaN where the input has none.
  func ordinates(_ source: Int32, _ geoms: Geoms) -> MadePoint {
    if source < 0 { return made[Int(-1 - source)] }
    let coordinate = base + Int(source)
    return MadePoint(z: geoms.hasZ ? geoms.z(coordinate) : .nan, m: geoms.hasM ? geoms.m(coordinate) : .nan)
  }
}
