// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The coordinates of the geometry that is edited, as an array of one row.
struct EditedRow {
  let type: Int32
  let dims: Int32
  private(set) var x = HandleList<Double>()
  private(set) var y = HandleList<Double>()
  /// The first vertex of each line or ring, and one more for the end.
  private(set) var paths = HandleList<Int64>()
  /// The first ring of each polygon, and one more for the end.
  private(set) var parts = HandleList<Int64>()
  /// Rings whose last vertex is the first one again, and stays so.
  private(set) var areClosed = HandleList<Bool>()
  private var row = HandleList<Int64>()

  /// Takes a row that is not null. nil = no memory.
  init?(_ geoms: Geoms, _ index: Int) {
    type = geoms.type
    dims = MRD_XY
    let coordinates = geoms.coordinates(index)
    let count = geoms.pathCount(index)
    guard x.reserve(coordinates.count), y.reserve(coordinates.count), paths.reserve(count &+ 1),
      areClosed.reserve(count), row.reserve(2)
    else { return nil }
    paths.append(0)
    for number in 0..<count {
      let span = geoms.path(index, number)
      for coordinate in span {
        x.append(geoms.x(coordinate))
        y.append(geoms.y(coordinate))
      }
      paths.append(Int64(x.count))
      areClosed.append(
        geoms.isPolygonal && span.count > 1 && geoms.place(span.lowerBound) == geoms.place(span.upperBound &- 1))
    }
    guard loadParts(geoms, index) else { return nil }
  }

  private mutating func loadParts(_ geoms: Geoms, _ index: Int) -> Bool {
    let polygons = type == MRD_MULTIPOLYGON ? geoms.span(index) : 0..<0
    guard parts.reserve(polygons.count &+ 1) else { return false }
    parts.append(0)
    let base = polygons.isEmpty ? 0 : geoms.span(level: 1, polygons.lowerBound).lowerBound
    for polygon in polygons { parts.append(Int64(geoms.span(level: 1, polygon).upperBound &- base)) }
    row.append(0)
    row.append(Int64(type == MRD_MULTIPOLYGON ? polygons.count : type == MRD_LINESTRING ? x.count : areClosed.count))
    return true
  }

  /// Calls `body` with the row as an array of one, which lives as long as the row is not edited.
  func withGeoms<Result>(
    _ call: UnsafeMutablePointer<mrd_call>, _ body: (Geoms) -> Result
  ) -> Result? {
    var raw = mrd_geoms()
    raw.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    (raw.type, raw.dims, raw.offset_bits, raw.length) = (type, dims, 64, 1)
    raw.coords.count = Int64(x.count)
    (raw.coords.v.0, raw.coords.v.1) = (UnsafePointer(x.start), UnsafePointer(y.start))
    raw.coords.stride = (8, 8, 8, 8)
    switch type {
    case MRD_LINESTRING:
      raw.n_offsets = 1
      raw.offsets.0 = UnsafeRawPointer(row.start)
    case MRD_MULTIPOLYGON:
      raw.n_offsets = 3
      raw.offsets = (UnsafeRawPointer(row.start), UnsafeRawPointer(parts.start), UnsafeRawPointer(paths.start))
    default:
      raw.n_offsets = 2
      (raw.offsets.0, raw.offsets.1) = (UnsafeRawPointer(row.start), UnsafeRawPointer(paths.start))
    }
    return Geoms(&raw, call).map(body)
  }

  // MARK: Paths

  var isPolygonal: Bool { type == MRD_POLYGON || type == MRD_MULTIPOLYGON }
  var pathCount: Int { areClosed.count }

  func span(_ path: Int) -> Range<Int> { Int(paths[path])..<Int(paths[path &+ 1]) }

  @inline(__always)
  func place(_ vertex: Int) -> Place { Place(x: x[vertex], y: y[vertex]) }

  /// The line or ring that an edit names; nil when there is none.
  func path(of edit: mrd_edit) -> Int? {
    let (part, ring) = (Int(edit.part), Int(edit.ring))
    switch type {
    case MRD_LINESTRING: return part == 0 && pathCount == 1 ? 0 : nil
    case MRD_MULTILINESTRING: return (0..<pathCount).contains(part) ? part : nil
    case MRD_POLYGON: return part == 0 && (0..<pathCount).contains(ring) ? ring : nil
    default:
      guard part >= 0, part < parts.count &- 1, ring >= 0, ring < Int(parts[part &+ 1] &- parts[part]) else {
        return nil
      }
      return Int(parts[part]) &+ ring
    }
  }

  /// The polygon and ring of a path; -1 = none.
  func name(_ path: Int) -> (part: Int, ring: Int) {
    guard type == MRD_MULTIPOLYGON else { return (0, path) }
    var (low, high) = (0, parts.count &- 1)
    while high &- low > 1 {
      let middle = (low &+ high) >> 1
      if Int(parts[middle]) <= path { low = middle } else { high = middle }
    }
    return (low, path &- Int(parts[low]))
  }

  // MARK: Edits

  /// Room for so many further vertices. False = no memory.
  mutating func reserve(_ more: Int) -> Bool { x.reserve(x.count &+ more) && y.reserve(y.count &+ more) }

  /// The stored vertex, which of a closed ring is never the last one.
  func stored(_ vertex: Int, _ path: Int) -> Int {
    let span = span(path)
    return areClosed[path] && vertex == span.count &- 1 ? span.lowerBound : span.lowerBound &+ vertex
  }

  mutating func move(_ vertex: Int, _ path: Int, to place: Place) {
    set(vertex, place)
    close(path)
  }

  mutating func insert(_ place: Place, at vertex: Int, _ path: Int) {
    x.insert(place.x, at: vertex)
    y.insert(place.y, at: vertex)
    shift(behind: path, by: 1)
    close(path)
  }

  mutating func remove(_ vertex: Int, _ path: Int) {
    x.remove(at: vertex)
    y.remove(at: vertex)
    shift(behind: path, by: -1)
    if span(path).count < 2 { areClosed[path] = false }
    close(path)
  }

  private func shift(behind path: Int, by step: Int64) {
    paths.add(step, from: path &+ 1)
    if type == MRD_LINESTRING { row[1] &+= step }
  }

  private func set(_ vertex: Int, _ place: Place) { (x[vertex], y[vertex]) = (place.x, place.y) }

  /// The closing vertex follows the first one.
  private func close(_ path: Int) {
    guard areClosed[path] else { return }
    let span = span(path)
    set(span.upperBound &- 1, place(span.lowerBound))
  }
}
