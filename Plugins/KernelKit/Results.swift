// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A growing result buffer of trivial values. It asks the host for at least twice the room each time, and for the exact
/// length at the end. After a failed growth `failed` is set, further values are dropped, and the kernel answers MRD_E_MEMORY.
public struct ResultBuffer<Element: BitwiseCopyable> {
  @usableFromInline let call: UnsafeMutablePointer<mrd_call>
  @usableFromInline let buffer: UInt32
  @usableFromInline var base: UnsafeMutablePointer<Element>?
  @usableFromInline var capacity = 0
  public private(set) var count = 0
  public private(set) var failed = false

  public init(_ call: UnsafeMutablePointer<mrd_call>, _ buffer: UInt32) {
    self.call = call
    self.buffer = buffer
  }

  @inlinable public subscript(index: Int) -> Element {
    get { base.unsafelyUnwrapped[index] }
    set { base.unsafelyUnwrapped[index] = newValue }
  }

  /// Where a value is; valid until the buffer grows.
  @inlinable public func address(_ index: Int) -> UnsafeMutablePointer<Element> { base.unsafelyUnwrapped + index }

  @inline(__always)
  public mutating func append(_ value: Element) {
    if count == capacity { reserve(count &+ 1) }
    guard !failed, let base else { return }
    base[count] = value
    count &+= 1
  }

  public mutating func reserve(_ wanted: Int) {
    guard wanted > capacity, !failed else { return }
    // The first room is as wanted, so that who knows the length in advance gets no more.
    let room = capacity == 0 && wanted > 64 ? wanted : max(wanted, capacity &* 2, 64)
    let (bytes, overflow) = room.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow, let fresh = call.pointee.grow(call, buffer, Int64(bytes)) else {
      failed = true
      return
    }
    base = fresh.assumingMemoryBound(to: Element.self)
    capacity = room
  }

  /// Makes room for `count` values in all, whose new ones are to be set before the end.
  public mutating func extend(to count: Int) {
    reserve(count)
    if !failed { self.count = max(self.count, count) }
  }

  /// Sets `size` values from `begin` on, inside of what there is, to others of half their width.
  @inlinable
  public mutating func set(_ begin: Int, _ size: Int, widening values: UnsafePointer<UInt32>) where Element == Int64 {
    guard let base else { return }
    for index in 0..<size { base[begin &+ index] = Int64(values[index]) }
  }

  /// Where the next values go, with room for `most` of them; nil = no memory. `advance` says how many were set.
  @inline(__always)
  public mutating func room(for most: Int) -> UnsafeMutablePointer<Element>? {
    if count &+ most > capacity { reserve(count &+ most) }
    guard !failed, let base else { return nil }
    return base + count
  }

  @inline(__always)
  public mutating func advance(_ values: Int) { count &+= values }

  /// Drops what was appended behind `count`.
  public mutating func truncate(_ count: Int) { self.count = min(self.count, count) }

  /// Sorts a part of what there is.
  public mutating func sort(_ part: Range<Int>) where Element: Comparable {
    guard let base, part.count > 1 else { return }
    var elements = UnsafeMutableBufferPointer(start: base + part.lowerBound, count: part.count)
    elements.sort()
  }

  /// Sets the exact length. False = no memory.
  public mutating func finish() -> Bool {
    guard !failed else { return false }
    return call.pointee.grow(call, buffer, Int64(count &* MemoryLayout<Element>.stride)) != nil
  }
}

/// Writes a geometry array into the host's result buffers, row by row.
///
/// For each row: its coordinates by `add`, each ring or line closed by `endRing`, each polygon of a multipolygon by
/// `endPart`, then `endRow`. A point row takes exactly one `add`; `nullRow` replaces the row.
public struct GeomsWriter {
  public let type: Int32
  public let dims: Int32
  let levels: Int
  var offsets0: ResultBuffer<Int64>
  var offsets1: ResultBuffer<Int64>
  var offsets2: ResultBuffer<Int64>
  var xs: ResultBuffer<Double>
  var ys: ResultBuffer<Double>
  var zs: ResultBuffer<Double>
  var ms: ResultBuffer<Double>
  var validity: ResultBuffer<UInt8>
  var anyNull = false
  public private(set) var rows = 0
  /// What there was when the last row ended.
  private var ends = (coordinates: 0, offsets1: 1, offsets2: 1)

  public init(_ call: UnsafeMutablePointer<mrd_call>, type: Int32, dims: Int32) {
    self.type = type
    self.dims = dims
    levels =
      type == MRD_POINT ? 0 : type == MRD_LINESTRING || type == MRD_MULTIPOINT ? 1 : type == MRD_MULTIPOLYGON ? 3 : 2
    offsets0 = ResultBuffer(call, MRD_BUF_OFFSETS0)
    offsets1 = ResultBuffer(call, MRD_BUF_OFFSETS1)
    offsets2 = ResultBuffer(call, MRD_BUF_OFFSETS2)
    xs = ResultBuffer(call, MRD_BUF_X)
    ys = ResultBuffer(call, MRD_BUF_Y)
    zs = ResultBuffer(call, MRD_BUF_Z)
    ms = ResultBuffer(call, MRD_BUF_M)
    validity = ResultBuffer(call, MRD_BUF_VALIDITY)
    if levels >= 1 { offsets0.append(0) }
    if levels >= 2 { offsets1.append(0) }
    if levels == 3 { offsets2.append(0) }
  }

  /// Makes room at once for so many coordinates, paths and rows in all, as far as they are known or guessed: growing step by
  /// step would touch twice the memory.
  public mutating func reserve(coordinates: Int, paths: Int, rows: Int) {
    xs.reserve(coordinates)
    ys.reserve(coordinates)
    if hasZ { zs.reserve(coordinates) }
    if hasM { ms.reserve(coordinates) }
    if levels >= 1 { offsets0.reserve(rows + 1) }
    if levels == 2 { offsets1.reserve(paths + 1) }
    if levels == 3 { offsets2.reserve(paths + 1) }
    validity.reserve(rows / 8 + 1)
  }

  public var hasZ: Bool { dims == MRD_XYZ || dims == MRD_XYZM }
  public var hasM: Bool { dims == MRD_XYM || dims == MRD_XYZM }
  /// Memory for coordinates ran out: what is added is dropped, and `finish` will say so.
  public var failed: Bool { xs.failed || ys.failed || zs.failed || ms.failed }
  /// Coordinates so far.
  public var coordinates: Int { xs.count }

  @inline(__always)
  public mutating func add(_ x: Double, _ y: Double, _ z: Double = .nan, _ m: Double = .nan) {
    xs.append(x)
    ys.append(y)
    if hasZ { zs.append(z) }
    if hasM { ms.append(m) }
  }

  /// Copies one coordinate of the input, bit-equal.
  @inline(__always)
  public mutating func add(_ geoms: Geoms, _ coordinate: Int) {
    add(geoms.x(coordinate), geoms.y(coordinate), hasZ ? geoms.z(coordinate) : .nan, hasM ? geoms.m(coordinate) : .nan)
  }

  /// Copies chosen coordinates of a range. `choose` is called once a dimension: it writes the chosen ones of the values,
  /// which lie `stride` bytes apart, one after the other, and answers how many they are. What it writes behind them, up to
  /// eight values more than the range has, is overwritten later.
  @inline(__always)
  public mutating func add(
    _ geoms: Geoms, _ range: Range<Int>,
    choose: (_ values: UnsafeRawPointer, _ stride: Int, _ target: UnsafeMutablePointer<Double>) -> Int
  ) {
    let (v, strides) = (geoms.raw.coords.v, geoms.raw.coords.stride)
    func copy(_ values: UnsafePointer<Double>?, _ stride: Int64, _ buffer: inout ResultBuffer<Double>) {
      guard let target = buffer.room(for: range.count &+ 8), let values else { return }
      let first = UnsafeRawPointer(values) + (range.lowerBound &* Int(stride))
      buffer.advance(choose(first, Int(stride), target))
    }
    copy(v.0, strides.0, &xs)
    copy(v.1, strides.1, &ys)
    if hasZ { copy(v.2, strides.2, &zs) }
    if hasM { copy(v.3, strides.3, &ms) }
  }

  public mutating func endRing() {
    if levels == 2 { offsets1.append(Int64(xs.count)) } else if levels == 3 { offsets2.append(Int64(xs.count)) }
  }

  public mutating func endPart() { if levels == 3 { offsets1.append(Int64(offsets2.count - 1)) } }

  public mutating func endRow() { close(valid: true) }

  /// Takes back what was added since the last row ended.
  public mutating func dropRow() {
    xs.truncate(ends.coordinates)
    ys.truncate(ends.coordinates)
    zs.truncate(ends.coordinates)
    ms.truncate(ends.coordinates)
    if levels >= 2 { offsets1.truncate(ends.offsets1) }
    if levels == 3 { offsets2.truncate(ends.offsets2) }
  }

  /// A null row. What was added since the last row would be coordinates of it: call it alone, or after `dropRow`.
  public mutating func nullRow() {
    if levels == 0 { add(.nan, .nan) }
    close(valid: false)
  }

  private mutating func close(valid: Bool) {
    switch levels {
    case 1: offsets0.append(Int64(xs.count))
    case 2: offsets0.append(Int64(offsets1.count - 1))
    case 3: offsets0.append(Int64(offsets1.count - 1))
    default: break
    }
    if rows & 7 == 0 { validity.append(0) }
    if valid, rows >> 3 < validity.count { validity[rows >> 3] |= 1 << UInt8(rows & 7) }
    anyNull = anyNull || !valid
    rows += 1
    ends = (xs.count, offsets1.count, offsets2.count)
  }

  /// Copies row `row` of `geoms` bit-equal; its type is this writer's type, or the single type of it.
  public mutating func copyRow(_ geoms: Geoms, _ row: Int) {
    if geoms.isNull(row) { return nullRow() }
    func isSingle(_ single: Int32, _ multi: Int32) -> Bool { geoms.type == single && type == multi }
    switch geoms.type {
    case MRD_POINT:
      if !(type == MRD_MULTIPOINT && geoms.isEmpty(row)) { add(geoms, geoms.span(row).lowerBound) }
    case MRD_LINESTRING, MRD_MULTIPOINT:
      let span = geoms.span(row)
      for index in span { add(geoms, index) }
      if isSingle(MRD_LINESTRING, MRD_MULTILINESTRING), !span.isEmpty { endRing() }
    case MRD_POLYGON, MRD_MULTILINESTRING:
      let span = geoms.span(row)
      for ring in span {
        for index in geoms.span(level: 1, ring) { add(geoms, index) }
        endRing()
      }
      if isSingle(MRD_POLYGON, MRD_MULTIPOLYGON), !span.isEmpty { endPart() }
    default:
      for part in geoms.span(row) {
        for ring in geoms.span(level: 1, part) {
          for index in geoms.span(level: 2, ring) { add(geoms, index) }
          endRing()
        }
        endPart()
      }
    }
    endRow()
  }

  /// Sets the exact lengths and fills `out`. MRD_E_MEMORY when some growth failed.
  public mutating func finish(
    _ out: UnsafeMutablePointer<mrd_geoms_out>, _ call: UnsafeMutablePointer<mrd_call>
  ) -> mrd_status {
    var fine = xs.finish() && ys.finish() && (!hasZ || zs.finish()) && (!hasM || ms.finish())
    if levels >= 1 { fine = fine && offsets0.finish() }
    if levels >= 2 { fine = fine && offsets1.finish() }
    if levels == 3 { fine = fine && offsets2.finish() }
    if !anyNull { validity.truncate(0) }
    fine = fine && validity.finish()
    guard fine else { return fail(call, MRD_E_MEMORY, "no memory for the result") }
    out.pointee.type = type
    out.pointee.dims = dims
    out.pointee.length = Int64(rows)
    return MRD_OK
  }
}
