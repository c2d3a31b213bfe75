// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A ring or line of a layer: vertices `first` to `last`. The last vertex of a ring is its first one again.
struct LayerPath: BitwiseCopyable {
  let first: Int32
  let last: Int32
  let row: Int32
  /// The polygon or line in its row.
  let part: Int32
  /// The ring in its polygon; -1 for lines.
  let ring: Int32
}

/// A vertex as a problem names it.
struct LayerVertex: BitwiseCopyable {
  var part: Int64 = -1
  var ring: Int64 = -1
  var vertex: Int64 = -1
}

/// The rows of a layer as paths over numbered points: equal places are one point, whatever rows they belong to. Consecutive
/// equal vertices are one.
///
/// Rows that are null, empty, not finite, have an open ring or one of under three vertices, or a line of under two, take no
/// part.
struct LayerRows {
  let geoms: Geoms
  private(set) var points: PointTable
  /// The point of each vertex.
  private(set) var entries: ScratchList<Int32>
  /// The number of each vertex in its ring or line as it was given, and its path.
  private var numbers: ScratchList<Int32>
  private(set) var pathOf: ScratchList<Int32>
  private(set) var paths: ScratchList<LayerPath>
  /// What each row is; MRD_ITEM_OK takes part, and so would MRD_ITEM_EMPTY.
  private(set) var statuses: ScratchList<mrd_item_status>

  init(_ geoms: Geoms, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll) throws(Stop) {
    var total = 0
    for row in 0..<geoms.count { total &+= geoms.isNull(row) ? 0 : geoms.coordinates(row).count }
    guard total < Int(Int32.max) / 4 else { throw .limit }
    guard let points = PointTable(capacity: max(1, total), call) else { throw .memory }
    self.geoms = geoms
    self.points = points
    entries = ScratchList(call)
    numbers = ScratchList(call)
    pathOf = ScratchList(call)
    paths = ScratchList(call)
    statuses = ScratchList(call)
    entries.reserve(total)
    numbers.reserve(total)
    pathOf.reserve(total)
    for row in 0..<geoms.count {
      var status = geoms.inspect(row, .finite, &poll)
      if poll.isCancelled { throw .cancelled }
      if status == MRD_ITEM_OK, try !load(row) { status = MRD_ITEM_INVALID }
      try statuses.push(status)
    }
    // Near points get near numbers; what follows is sorted by them.
    if entries.count > 0, !self.points.sort(entries.start, entries.count, &poll) {
      throw poll.isCancelled ? .cancelled : .memory
    }
  }

  func place(_ point: Int) -> Place { points.place(point) }

  /// False: some ring or line is not fit, and nothing of the row was kept.
  private mutating func load(_ row: Int) throws(Stop) -> Bool {
    let (vertices, count) = (entries.count, paths.count)
    if geoms.isPuntal {
      for (part, index) in geoms.span(row).enumerated() where !geoms.isEmptyPoint(index) {
        try add(row, index..<(index &+ 1), part: part, ring: -1)
      }
      return true
    }
    var isFit = true
    if geoms.isLineal {
      for part in 0..<geoms.pathCount(row) where isFit {
        isFit = try load(row, geoms.path(row, part), part: part, ring: -1)
      }
    } else {
      let parts = geoms.type == MRD_POLYGON ? 1 : geoms.span(row).count
      for part in 0..<parts where isFit {
        let span = geoms.span(row)
        let rings = geoms.type == MRD_POLYGON ? span : geoms.span(level: 1, span.lowerBound &+ part)
        let level = Int(geoms.raw.n_offsets) &- 1
        for ring in rings where isFit {
          isFit = try load(row, geoms.span(level: level, ring), part: part, ring: ring &- rings.lowerBound)
        }
      }
    }
    if !isFit {
      entries.truncate(vertices)
      numbers.truncate(vertices)
      pathOf.truncate(vertices)
      paths.truncate(count)
    }
    return isFit
  }

  private mutating func load(_ row: Int, _ span: Range<Int>, part: Int, ring: Int) throws(Stop) -> Bool {
    if span.isEmpty { return true }
    try add(row, span, part: part, ring: ring)
    let path = paths[paths.count &- 1]
    let count = Int(path.last &- path.first)
    if ring < 0 { return count > 0 }
    return count >= 3 && entries[Int(path.first)] == entries[Int(path.last)]
  }

  private mutating func add(_ row: Int, _ span: Range<Int>, part: Int, ring: Int) throws(Stop) {
    let first = entries.count
    for index in span {
      let point = Int32(truncatingIfNeeded: points.number(geoms.place(index)))
      if entries.count > first && entries[entries.count &- 1] == point { continue }
      try entries.push(point)
      try numbers.push(Int32(truncatingIfNeeded: index &- span.lowerBound))
      try pathOf.push(Int32(truncatingIfNeeded: paths.count))
    }
    try paths.push(
      LayerPath(
        first: Int32(truncatingIfNeeded: first), last: Int32(truncatingIfNeeded: entries.count &- 1),
        row: Int32(truncatingIfNeeded: row), part: Int32(truncatingIfNeeded: part),
        ring: Int32(truncatingIfNeeded: ring)))
  }

  // MARK: Vertices, and the edges that begin there

  @inline(__always)
  func path(of vertex: Int) -> LayerPath { paths[Int(pathOf[vertex])] }

  @inline(__always)
  func row(of vertex: Int) -> Int { Int(path(of: vertex).row) }

  /// Begins an edge: not the last one of its path.
  @inline(__always)
  func isEdge(_ vertex: Int) -> Bool { vertex != Int(path(of: vertex).last) }

  func name(_ vertex: Int) -> LayerVertex {
    let path = path(of: vertex)
    return LayerVertex(part: Int64(path.part), ring: Int64(path.ring), vertex: Int64(numbers[vertex]))
  }
}
