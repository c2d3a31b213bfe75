// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// LENGTH, PERIMETER, AREA, AREA_SIGNED and PERIMETER_AREA of lines and polygons in the plane, in one pass over memory; nil
/// for what these operations do not measure.
func measurePlanarPaths(
  _ op: UInt32, _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status? {
  guard let x = geoms.raw.coords.v.0, let y = geoms.raw.coords.v.1 else { return nil }
  let (strides, count) = (geoms.raw.coords.stride, Int(geoms.raw.coords.count))
  if strides.0 == 8 && strides.1 == 8 {
    let source = SeparateSource(xs: x, ys: y, count: count)
    return measure(op, PlanarSums(source), geoms, columns, call)
  }
  if strides.0 == 16 && strides.1 == 16 && y == x + 1 {
    return measure(op, PlanarSums(PairedSource(pairs: x, count: count)), geoms, columns, call)
  }
  return measure(op, PlanarSums(StridedSource(geoms: geoms)), geoms, columns, call)
}

/// BOUNDS of lines and polygons in the same way; nil for points.
func measureBounds(
  _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>, domain: CoordinateDomain
) -> mrd_status? {
  guard !geoms.isPuntal, let x = geoms.raw.coords.v.0, let y = geoms.raw.coords.v.1 else { return nil }
  let (strides, count) = (geoms.raw.coords.stride, Int(geoms.raw.coords.count))
  if strides.0 == 8 && strides.1 == 8 {
    return bounds(PlanarSums(SeparateSource(xs: x, ys: y, count: count)), geoms, columns, call, domain)
  }
  if strides.0 == 16 && strides.1 == 16 && y == x + 1 {
    return bounds(PlanarSums(PairedSource(pairs: x, count: count)), geoms, columns, call, domain)
  }
  return bounds(PlanarSums(StridedSource(geoms: geoms)), geoms, columns, call, domain)
}

@inline(__always)
private func bounds<Source: PlanarSource>(
  _ given: PlanarSums<Source>, _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>,
  _ domain: CoordinateDomain
) -> mrd_status? {
  guard let offsets = PathOffsets(geoms) else { return nil }
  var sums = given
  let limit = domain.limits.y
  return run(geoms, offsets, columns, call, domain: domain, width: 4, emptyValue: .nan) { row, poll in
    sums.begin()
    let (low, high) = sums.bounds(offsets.coordinates(row), &poll)
    columns.set(0, row, low.x)
    columns.set(1, row, low.y)
    columns.set(2, row, high.x)
    columns.set(3, row, high.y)
    return sums.isGood && low.y >= -limit && high.y <= limit
  }
}

@inline(__always)
private func measure<Source: PlanarSource>(
  _ op: UInt32, _ sums: PlanarSums<Source>, _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status? {
  guard let offsets = PathOffsets(geoms) else { return nil }
  switch op {
  case MRD_MEASURE_LENGTH, MRD_MEASURE_PERIMETER:
    let isWanted = op == MRD_MEASURE_LENGTH ? geoms.isLineal : geoms.isPolygonal
    guard isWanted else { return nil }
    var row = PlanarRow(sums: sums, geoms: geoms, offsets: offsets)
    return run(geoms, offsets, columns, call, width: 1) { index, poll in
      columns.set(0, index, row.length(index, &poll))
      return row.sums.isGood
    }
  case MRD_MEASURE_AREA, MRD_MEASURE_AREA_SIGNED, MRD_MEASURE_PERIMETER_AREA:
    guard geoms.isPolygonal else { return nil }
    let width = op == MRD_MEASURE_PERIMETER_AREA ? 2 : 1
    var row = PlanarRow(sums: sums, geoms: geoms, offsets: offsets)
    return run(geoms, offsets, columns, call, width: width) { index, poll in
      columns.set(width &- 1, index, row.area(index, signed: op == MRD_MEASURE_AREA_SIGNED, &poll))
      guard row.sums.isGood else { return false }
      if width == 2 { columns.set(0, index, row.length(index, &poll)) }
      return true
    }
  default: return nil
  }
}

/// `body` measures a row that is there, writes its columns and answers false when a coordinate is outside of the domain.
@inline(__always)
private func run(
  _ geoms: Geoms, _ offsets: PathOffsets, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>,
  domain: CoordinateDomain = .plane, width: Int, emptyValue: Double = 0,
  _ body: (_ row: Int, _ poll: inout CancelPoll) -> Bool
) -> mrd_status {
  var poll = CancelPoll(call)
  let haveNulls = geoms.raw.validity != nil
  for row in 0..<geoms.count {
    let vertices = offsets.coordinates(row)
    var status = MRD_ITEM_OK
    if vertices.isEmpty || (haveNulls && geoms.isNull(row)) || !body(row, &poll) {
      status = geoms.inspect(row, domain, &poll)
      columns.fill(row, columns: width, status == MRD_ITEM_EMPTY ? emptyValue : .nan)
    }
    if poll.tick(min(vertices.count, 4096)) { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    call.setStatus(row, status)
  }
  return MRD_OK
}

/// The measures of one row.
private struct PlanarRow<Source: PlanarSource> {
  var sums: PlanarSums<Source>
  let geoms: Geoms
  let offsets: PathOffsets

  mutating func length(_ row: Int, _ poll: inout CancelPoll) -> Double {
    sums.begin()
    let paths = offsets.paths(row)
    if paths.count == 1 { return sums.length(offsets.path(paths.lowerBound), &poll).value }
    var total = CompensatedSum()
    for path in paths { total.add(sums.length(offsets.path(path), &poll)) }
    return total.value
  }

  mutating func area(_ row: Int, signed: Bool, _ poll: inout CancelPoll) -> Double {
    sums.begin()
    var total = CompensatedSum()
    var isDone = true
    func add(_ ring: CompensatedSum?, isShell: Bool) {
      guard let ring else {
        isDone = false
        return
      }
      if signed || isShell != (ring.value < 0) { total.add(ring) } else { total.subtract(ring) }
    }
    if geoms.type == MRD_POLYGON {
      let rings = offsets.paths(row)
      for ring in rings { add(sums.twiceArea(offsets.path(ring), &poll), isShell: ring == rings.lowerBound) }
    } else {
      geoms.forEachPolygon(row) { rings in
        for index in rings {
          add(sums.twiceArea(geoms.path(row, index), &poll), isShell: index == rings.lowerBound)
        }
      }
    }
    // Rings that are left out have not been looked at.
    if !isDone && geoms.inspect(row, .plane, &poll) != MRD_ITEM_OK { sums.fail() }
    guard sums.isGood else { return .nan }
    if isDone && isCertain(total, offsets.coordinates(row).count) { return total.value / 2 }
    let area = PlanarArea(geoms: geoms, row: row)
    return signed ? area.signed(&poll) : area.unsigned(&poll)
  }

  /// Sums of n terms in two doubles are wrong by less than 2 n u^2 of the magnitude, u = 2^-53: this one by less than an
  /// eighth of an ulp, or it is taken again about the first vertex.
  private func isCertain(_ total: CompensatedSum, _ count: Int) -> Bool {
    total.value.magnitude > sums.magnitude * max(0x1p-36, Double(count) * 0x1p-49) || sums.magnitude == 0
  }
}

/// The offsets of an array of lines or polygons at hand: short rows would spend most of their time in finding them.
private struct PathOffsets {
  private let levels: Int
  private let first: Int
  private let isWide: Bool
  private let outer: UnsafeRawPointer
  private let middle: UnsafeRawPointer
  private let inner: UnsafeRawPointer

  /// nil for arrays without offsets: points, and none at all.
  init?(_ geoms: Geoms) {
    guard let known = geoms.raw.offsets.0 else { return nil }
    levels = Int(geoms.raw.n_offsets)
    first = Int(geoms.raw.first)
    isWide = geoms.raw.offset_bits == 64
    outer = known
    // Absent levels are never read.
    middle = geoms.raw.offsets.1 ?? known
    inner = levels == 3 ? geoms.raw.offsets.2 ?? known : levels == 2 ? middle : known
  }

  @inline(__always)
  private func entry(_ base: UnsafeRawPointer, _ index: Int) -> Int {
    isWide
      ? Int(base.load(fromByteOffset: index &* 8, as: Int64.self))
      : Int(base.load(fromByteOffset: index &* 4, as: Int32.self))
  }

  /// The lines or rings of a row, as entries of the innermost level.
  @inline(__always)
  func paths(_ row: Int) -> Range<Int> {
    let at = row &+ first
    if levels == 1 { return at..<(at &+ 1) }
    let (start, end) = (entry(outer, at), entry(outer, at &+ 1))
    return levels == 2 ? start..<end : entry(middle, start)..<entry(middle, end)
  }

  @inline(__always)
  func path(_ index: Int) -> Range<Int> { entry(inner, index)..<entry(inner, index &+ 1) }

  @inline(__always)
  func coordinates(_ row: Int) -> Range<Int> {
    let paths = paths(row)
    return entry(inner, paths.lowerBound)..<entry(inner, paths.upperBound)
  }
}
