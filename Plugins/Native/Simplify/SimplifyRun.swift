// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Writes the rows of one call: kept vertices, what became of each row, and the lists that the caller asked for.
struct SimplifyRun {
  private let geoms: Geoms
  private let options: mrd_simplify_options
  private let outcomes: UnsafeMutablePointer<Int32>?
  private let call: UnsafeMutablePointer<mrd_call>
  private var kernel: DouglasPeucker
  private var writer: GeomsWriter
  private var keptIDs: ResultBuffer<Int64>
  private var points: ResultBuffer<Double>
  private var poll: CancelPoll

  // Of the row that is being written.
  private var droppedVertices = 0
  private var wrotePath = false
  private var heldForm = false
  private var lostPath = false
  private var tolerance = 0.0

  /// nil = no memory.
  init?(
    _ geoms: Geoms, _ options: mrd_simplify_options, _ outcomes: UnsafeMutablePointer<Int32>?,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    var most = 0
    for row in 0..<geoms.count where !geoms.isNull(row) {
      for path in 0..<geoms.pathCount(row) { most = max(most, geoms.path(row, path).count) }
    }
    guard let kernel = DouglasPeucker(geoms, protected: options.protected_vertices, most: most, call) else {
      return nil
    }
    self.geoms = geoms
    self.options = options
    self.outcomes = outcomes
    self.call = call
    self.kernel = kernel
    writer = GeomsWriter(call, type: geoms.type, dims: geoms.raw.dims)
    keptIDs = ResultBuffer(call, MRD_BUF_IDS)
    points = ResultBuffer(call, MRD_BUF_VALUES)
    poll = CancelPoll(call)
  }

  /// All rows at one tolerance. False = cancelled.
  mutating func write(level: Int, tolerance: Double) -> Bool {
    self.tolerance = tolerance
    for row in 0..<geoms.count {
      let status = geoms.inspect(row, .plane, &poll)
      let outcome = status == MRD_ITEM_OK || status == MRD_ITEM_EMPTY ? writeRow(row) : writeNull(row, status)
      if poll.tick() { return false }
      outcomes?[level * geoms.count + row] = outcome
      if level == 0 { call.setStatus(row, status) }
    }
    return true
  }

  mutating func finish(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    var fine = true
    if options.flags & MRD_SIMPLIFY_WANT_KEPT != 0 { fine = keptIDs.finish() }
    if options.collapse == MRD_COLLAPSE_POINT { fine = fine && points.finish() }
    guard fine else { return fail(call, MRD_E_MEMORY, "no memory for the result") }
    return writer.finish(out, call)
  }

  private mutating func writeNull(_ row: Int, _ status: mrd_item_status) -> Int32 {
    if geoms.type == MRD_POINT { noteKept(geoms.span(row).lowerBound) }
    writer.nullRow()
    addPoint(nil)
    return status == MRD_ITEM_NULL ? MRD_SIMPLIFY_UNCHANGED : MRD_SIMPLIFY_WITHHELD
  }

  private mutating func writeRow(_ row: Int) -> Int32 {
    (droppedVertices, wrotePath, heldForm, lostPath) = (0, false, false, false)
    if geoms.isPuntal {
      for coordinate in geoms.coordinates(row) { noteKept(coordinate) }
      writer.copyRow(geoms, row)
      addPoint(nil)
      return MRD_SIMPLIFY_UNCHANGED
    }
    switch geoms.type {
    case MRD_LINESTRING: _ = writeLine(geoms.span(row))
    case MRD_MULTILINESTRING:
      for line in geoms.span(row) where writeLine(geoms.span(level: 1, line)) { writer.endRing() }
    case MRD_POLYGON: _ = writePolygon(level: 1, geoms.span(row))
    default:
      for part in geoms.span(row) where writePolygon(level: 2, geoms.span(level: 1, part)) { writer.endPart() }
    }
    writer.endRow()
    let isGone = lostPath && !wrotePath
    let toPoint = isGone && options.collapse == MRD_COLLAPSE_POINT
    addPoint(toPoint ? geoms.place(geoms.coordinates(row).lowerBound) : nil)
    if toPoint { return MRD_SIMPLIFY_TO_POINT }
    if isGone { return MRD_SIMPLIFY_DROPPED }
    if heldForm { return MRD_SIMPLIFY_LEAST_FORM }
    return droppedVertices > 0 ? MRD_SIMPLIFY_REDUCED : MRD_SIMPLIFY_UNCHANGED
  }

  /// x, y for every row of the result when points are asked for, NaN where the row is no point.
  private mutating func addPoint(_ place: Place?) {
    guard options.collapse == MRD_COLLAPSE_POINT else { return }
    points.append(place?.x ?? .nan)
    points.append(place?.y ?? .nan)
  }

  private mutating func noteKept(_ coordinate: Int) {
    if options.flags & MRD_SIMPLIFY_WANT_KEPT != 0 { keptIDs.append(Int64(coordinate)) }
  }

  private mutating func add(_ coordinate: Int) {
    writer.add(geoms, coordinate)
    noteKept(coordinate)
  }

  private mutating func addAll(_ path: Range<Int>) {
    for coordinate in path { add(coordinate) }
    wrotePath = true
  }

  /// A line that shrinks to two equal points would vanish; its least form keeps the vertex farthest from them. False =
  /// the line is gone.
  private mutating func writeLine(_ path: Range<Int>) -> Bool {
    guard path.count >= 3 else {
      addAll(path)
      return true
    }
    var count = kernel.simplifyLine(path, tolerance, &poll)
    let (first, last) = (geoms.place(path.lowerBound), geoms.place(path.upperBound - 1))
    if count == 2 && first == last {
      guard options.collapse == MRD_COLLAPSE_KEEP else { return lose(path) }
      heldForm = true
      count = kernel.keepFarthest(path, &poll)
      guard count == 3 else {  // all its vertices are one point
        addAll(path)
        return true
      }
    }
    for offset in 0..<path.count where kernel.isKept(offset) { add(path.lowerBound + offset) }
    droppedVertices += path.count - count
    wrotePath = true
    return true
  }

  /// False = the shell is gone, and its holes with it.
  private mutating func writePolygon(level: Int, _ rings: Range<Int>) -> Bool {
    for ring in rings {
      if writeRing(geoms.span(level: level, ring)) {
        writer.endRing()
      } else if ring == rings.lowerBound {
        return false
      }
    }
    return true
  }

  private mutating func writeRing(_ path: Range<Int>) -> Bool {
    // Rings of under three vertices, and open ones, are not this kernel's to mend.
    guard path.count >= 4, geoms.place(path.lowerBound) == geoms.place(path.upperBound - 1) else {
      addAll(path)
      return true
    }
    let plain = kernel.simplifyRing(path, tolerance, keepTriangle: false, &poll)
    if plain >= 3 {
      writeKeptRing(path, plain)
      return true
    }
    guard options.collapse == MRD_COLLAPSE_KEEP else { return lose(path) }
    heldForm = true
    let least = kernel.simplifyRing(path, tolerance, keepTriangle: true, &poll)
    if least >= 3 { writeKeptRing(path, least) } else { addAll(path) }  // all on one line: there is no triangle
    return true
  }

  private mutating func lose(_ path: Range<Int>) -> Bool {
    lostPath = true
    droppedVertices += path.count
    return false
  }

  /// The kept vertices from the first one that the input has, and that one again.
  private mutating func writeKeptRing(_ path: Range<Int>, _ count: Int) {
    var first = -1
    for offset in 0..<(path.count - 1) where kernel.isKept(offset) {
      if first < 0 { first = path.lowerBound + offset }
      add(path.lowerBound + offset)
    }
    if first >= 0 { add(first) }
    droppedVertices += path.count - 1 - count
    wrotePath = true
  }
}
