// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Writes rows by the marks of their vertices: kept vertices, what became of each row, and the lists that the caller asked
/// for.
struct SimplifyWriter {
  private let geoms: Geoms
  private let collapse: Int32
  private let wantsKept: Bool
  private let outcomes: UnsafeMutablePointer<Int32>?
  private let call: UnsafeMutablePointer<mrd_call>
  private var writer: GeomsWriter
  private var keptIDs: ResultBuffer<Int64>
  private var points: ResultBuffer<Double>

  // Of the row that is being written.
  private var level: Int32 = 0
  private var marks: UnsafePointer<UInt8>
  private var base = 0
  private var droppedVertices = 0
  private var wrotePath = false
  private var heldForm = false
  private var lostPath = false

  /// `marks`: one a coordinate from coordinate `base` on, on how many levels it stays; see `MRDK_LEAST_FORM`.
  init(
    _ geoms: Geoms, _ options: mrd_simplify_options, _ outcomes: UnsafeMutablePointer<Int32>?,
    _ call: UnsafeMutablePointer<mrd_call>, marks: UnsafePointer<UInt8>
  ) {
    self.geoms = geoms
    collapse = options.collapse
    wantsKept = options.flags & MRD_SIMPLIFY_WANT_KEPT != 0
    self.outcomes = outcomes
    self.call = call
    self.marks = marks
    writer = GeomsWriter(call, type: geoms.type, dims: geoms.raw.dims)
    keptIDs = ResultBuffer(call, MRD_BUF_IDS)
    points = ResultBuffer(call, MRD_BUF_VALUES)
  }

  /// Writes a row whose status is known. Levels come one after the other, rows in their order.
  mutating func write(_ row: Int, level: Int, _ status: mrd_item_status, base: Int) {
    self.level = Int32(truncatingIfNeeded: level)
    self.base = base
    let outcome: Int32
    switch status {
    case MRD_ITEM_OK, MRD_ITEM_EMPTY: outcome = writeRow(row)
    case MRD_ITEM_INVALID, MRD_ITEM_NOT_APPLIED, MRD_ITEM_UNSUPPORTED: outcome = writeUnchanged(row)
    default: outcome = writeNull(row, status)
    }
    outcomes?[level &* geoms.count &+ row] = outcome
    if level == 0 { call.setStatus(row, status) }
  }

  /// Writes all rows on some levels, from the marks of all coordinates, and ends the result.
  mutating func finish(
    _ out: UnsafeMutablePointer<mrd_geoms_out>, levels: Range<Int>, _ statuses: UnsafePointer<mrd_item_status>,
    base: Int, _ poll: inout CancelPoll
  ) -> mrd_status {
    for level in levels {
      for row in 0..<geoms.count {
        write(row, level: level, statuses[row], base: base)
        if poll.tick(geoms.coordinates(row).count) { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
      }
    }
    return finish(out)
  }

  /// Makes room for all levels by what was kept of the first `seen` coordinates on the first one.
  mutating func reserve(seen: Int, levels: Int) {
    guard geoms.count > 0, seen > 0 else { return }
    let first = geoms.coordinates(0).lowerBound
    let all = geoms.coordinates(geoms.count &- 1).upperBound &- first
    let share = Double(writer.coordinates) / Double(seen)
    let guess = (Double(all) * min(1, share * 1.06) + 64) * Double(levels)
    let paths = geoms.raw.n_offsets < 2 ? 0 : geoms.rings(geoms.count &- 1).upperBound &- geoms.rings(0).lowerBound
    let (rows, overflow) = geoms.count.multipliedReportingOverflow(by: levels)
    guard !overflow, guess < 1e15 else { return }
    writer.reserve(coordinates: Int(guess), paths: paths &* levels, rows: rows)
    if wantsKept { keptIDs.reserve(Int(guess)) }
  }

  private mutating func finish(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    var fine = true
    if wantsKept { fine = keptIDs.finish() }
    if collapse == MRD_COLLAPSE_POINT { fine = fine && points.finish() }
    guard fine else { return fail(call, MRD_E_MEMORY, "no memory for the result") }
    return writer.finish(out, call)
  }

  private mutating func writeNull(_ row: Int, _ status: mrd_item_status) -> Int32 {
    if geoms.type == MRD_POINT { noteKept(geoms.span(row).lowerBound) }
    writer.nullRow()
    addPoint(nil)
    return status == MRD_ITEM_NULL ? MRD_SIMPLIFY_UNCHANGED : MRD_SIMPLIFY_WITHHELD
  }

  private mutating func writeUnchanged(_ row: Int) -> Int32 {
    writer.copyRow(geoms, row)
    if wantsKept { for coordinate in geoms.coordinates(row) { keptIDs.append(Int64(coordinate)) } }
    addPoint(nil)
    return MRD_SIMPLIFY_WITHHELD
  }

  private mutating func writeRow(_ row: Int) -> Int32 {
    (droppedVertices, wrotePath, heldForm, lostPath) = (0, false, false, false)
    switch geoms.type {
    case MRD_POINT, MRD_MULTIPOINT:
      for coordinate in geoms.coordinates(row) { noteKept(coordinate) }
      writer.copyRow(geoms, row)
      addPoint(nil)
      return MRD_SIMPLIFY_UNCHANGED
    case MRD_LINESTRING: _ = writeLine(geoms.span(row))
    case MRD_MULTILINESTRING:
      for line in geoms.span(row) where writeLine(geoms.span(level: 1, line)) { writer.endRing() }
    case MRD_POLYGON: _ = writePolygon(level: 1, geoms.span(row))
    default:
      for part in geoms.span(row) where writePolygon(level: 2, geoms.span(level: 1, part)) { writer.endPart() }
    }
    writer.endRow()
    return outcome(row)
  }

  private mutating func outcome(_ row: Int) -> Int32 {
    let isGone = lostPath && !wrotePath
    let toPoint = isGone && collapse == MRD_COLLAPSE_POINT
    addPoint(toPoint ? geoms.place(geoms.coordinates(row).lowerBound) : nil)
    if toPoint { return MRD_SIMPLIFY_TO_POINT }
    if isGone { return MRD_SIMPLIFY_DROPPED }
    if heldForm { return MRD_SIMPLIFY_LEAST_FORM }
    return droppedVertices > 0 ? MRD_SIMPLIFY_REDUCED : MRD_SIMPLIFY_UNCHANGED
  }

  /// x, y for every row of the result when points are asked for, NaN where the row is no point.
  private mutating func addPoint(_ place: Place?) {
    guard collapse == MRD_COLLAPSE_POINT else { return }
    points.append(place?.x ?? .nan)
    points.append(place?.y ?? .nan)
  }

  private mutating func noteKept(_ coordinate: Int) { if wantsKept { keptIDs.append(Int64(coordinate)) } }

  /// The vertices of a range that stay, or are of a least form.
  private mutating func add(_ range: Range<Int>, flags: Int32 = 0) {
    let (level, from) = (level, marks + (range.lowerBound &- base))
    writer.add(geoms, range) { values, stride, target in
      Int(mrdk_take_kept(target, values, stride, from, UInt(range.count), level, flags))
    }
    if wantsKept {
      for coordinate in range where isKept(coordinate, flags) { keptIDs.append(Int64(coordinate)) }
    }
  }

  @inline(__always)
  private func isKept(_ coordinate: Int, _ flags: Int32) -> Bool {
    let mark = Int32(marks[coordinate &- base])
    return mark & 0x7f > level || mark & flags != 0
  }

  private func count(_ range: Range<Int>, flags: Int32 = 0) -> Int {
    Int(mrdk_count_kept(marks + (range.lowerBound &- base), UInt(range.count), level, flags))
  }

  private mutating func addAll(_ path: Range<Int>) {
    for coordinate in path {
      writer.add(geoms, coordinate)
      noteKept(coordinate)
    }
    wrotePath = true
  }

  /// A line that shrinks to two equal points would vanish; its least form keeps the vertex farthest from them. False =
  /// the line is gone.
  private mutating func writeLine(_ path: Range<Int>) -> Bool {
    guard path.count >= 3 else {
      addAll(path)
      return true
    }
    let kept = count(path)
    guard kept == 2, geoms.place(path.lowerBound) == geoms.place(path.upperBound &- 1) else {
      add(path)
      droppedVertices &+= path.count &- kept
      wrotePath = true
      return true
    }
    return writeVanishing(path, closing: 0)
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
    guard SimplifyWriter.isRing(path, geoms) else {
      addAll(path)
      return true
    }
    let open = path.lowerBound..<(path.upperBound &- 1)
    let kept = count(open)
    guard kept >= 3 else { return writeVanishing(open, closing: 1) }
    addRing(open, flags: 0)
    droppedVertices &+= open.count &- kept
    wrotePath = true
    return true
  }

  /// Rings of under three vertices, and open ones, are not this kernel's to mend.
  @inline(__always)
  static func isRing(_ path: Range<Int>, _ geoms: Geoms) -> Bool {
    path.count >= 4 && geoms.place(path.lowerBound) == geoms.place(path.upperBound &- 1)
  }

  /// What is left is less than a ring, or a line of two equal points: its least form, or nothing.
  private mutating func writeVanishing(_ path: Range<Int>, closing: Int) -> Bool {
    guard collapse == MRD_COLLAPSE_KEEP else {
      lostPath = true
      droppedVertices &+= path.count &+ closing
      return false
    }
    heldForm = true
    let flags = Int32(MRDK_LEAST_FORM)
    let kept = count(path, flags: flags)
    guard kept >= 3 else {  // all its vertices are on one line, or one point: there is no form
      addAll(path.lowerBound..<(path.upperBound &+ closing))
      return true
    }
    if closing == 1 { addRing(path, flags: flags) } else { add(path, flags: flags) }
    droppedVertices &+= path.count &- kept
    wrotePath = true
    return true
  }

  /// The kept vertices from the first one that the input has, and that one again.
  private mutating func addRing(_ path: Range<Int>, flags: Int32) {
    add(path, flags: flags)
    guard let first = path.first(where: { isKept($0, flags) }) else { return }
    writer.add(geoms, first)
    noteKept(first)
  }
}
