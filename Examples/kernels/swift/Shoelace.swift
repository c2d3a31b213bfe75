// SPDX-License-Identifier: Apache-2.0
//
// A complete kernel in Embedded Swift: the planar area of polygons, by the shoelace formula.
import MeridianABI

// Tables and their texts live as long as the process: globals and literals do.
func text(_ literal: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
}
func address<T>(_ global: UnsafePointer<T>) -> UnsafePointer<T> { global }

/// Entry `index` of an offset level, 0 = rows.
func offset(_ geoms: mrd_geoms, _ level: Int, _ index: Int) -> Int {
  guard let base = level == 0 ? geoms.offsets.0 : geoms.offsets.1 else { return 0 }
  if geoms.offset_bits == 64 { return Int(base.load(fromByteOffset: index &* 8, as: Int64.self)) }
  return Int(base.load(fromByteOffset: index &* 4, as: Int32.self))
}

/// Coordinates lie a stride apart: separated and interleaved buffers need no copy.
func value(_ base: UnsafePointer<Double>?, _ stride: Int64, _ index: Int) -> Double {
  guard let base else { return .nan }
  return UnsafeRawPointer(base).load(fromByteOffset: index &* Int(stride), as: Double.self)
}

/// The area inside a ring, whatever its winding; relative to its first vertex, so that far rings lose no digits.
func ringArea(_ coords: mrd_coords, _ ring: Range<Int>) -> Double {
  guard let first = ring.first else { return 0 }
  func x(_ at: Int) -> Double { value(coords.v.0, coords.stride.0, at) - value(coords.v.0, coords.stride.0, first) }
  func y(_ at: Int) -> Double { value(coords.v.1, coords.stride.1, at) - value(coords.v.1, coords.stride.1, first) }
  var twice = 0.0
  for at in ring.dropFirst() { twice += x(at &- 1) * y(at) - x(at) * y(at &- 1) }
  return abs(twice) / 2
}

/// Area of one row, |shell| - sum |hole|, and the status that says why there is none.
func rowArea(_ geoms: mrd_geoms, _ row: Int) -> (area: Double, status: mrd_item_status) {
  let at = row &+ Int(geoms.first)
  if let validity = geoms.validity, validity[at >> 3] >> UInt8(at & 7) & 1 == 0 { return (.nan, MRD_ITEM_NULL) }
  let rings = offset(geoms, 0, at)..<offset(geoms, 0, at &+ 1)
  if rings.isEmpty { return (0, MRD_ITEM_EMPTY) }
  var area = 0.0
  for ring in rings {
    let part = ringArea(geoms.coords, offset(geoms, 1, ring)..<offset(geoms, 1, ring &+ 1))
    area += ring == rings.lowerBound ? part : -part
  }
  return area.isFinite ? (area, MRD_ITEM_OK) : (.nan, MRD_ITEM_NONFINITE)
}

@c func measure(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafePointer<mrd_columns>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let geoms = input?.pointee, let columns = out?.pointee, let call else { return MRD_E_ARGUMENT }
  let planar = geoms.model.map { $0.pointee.edges == MRD_EDGES_PLANAR && $0.pointee.metric == MRD_METRIC_COORD } ?? true
  guard op == MRD_MEASURE_AREA, geoms.type == MRD_POLYGON, planar else {
    return mrd_fail(call.pointee.error, MRD_E_UNSUPPORTED, -1, -1, text("shoelace: planar areas of polygons only"))
  }
  for row in 0..<Int(geoms.length) {
    if mrd_cancelled(call) != 0 { return mrd_fail(call.pointee.error, MRD_E_CANCELLED, -1, -1, text("cancelled")) }
    let (area, status) = rowArea(geoms, row)
    if columns.count > 0, let column = columns.values[0] { column[row] = area }
    if let statuses = call.pointee.item_status { statuses[row] = status }
  }
  return MRD_OK
}

// No bound is declared: how far the products cancel depends on the ring. Nor CANCELS: one huge ring is not interrupted.
nonisolated(unsafe) var areaInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT,
  type_mask: 1 << UInt32(MRD_POLYGON), dims_mask: 0b11110, edges_mask: 1 << UInt32(MRD_EDGES_PLANAR),
  metric_mask: 1 << UInt32(MRD_METRIC_COORD), dialect_mask: 0, error_unit: MRD_UNIT_NONE, error_absolute: 0,
  error_relative: 0, error_per_vertex: 0, max_flattening: 0, ns_per_coord: 0, method: text("shoelace formula"),
  next: nil)
nonisolated(unsafe) var family = mrd_family_measure(
  struct_size: UInt32(MemoryLayout<mrd_family_measure>.size), pad0: 0, info: info, measure: measure, pair: nil,
  direct: nil, build: nil)
nonisolated(unsafe) var plugin = mrd_plugin(
  struct_size: UInt32(MemoryLayout<mrd_plugin>.size), abi: 0x0000_0001, id: text("org.example.shoelace"),
  name: text("Shoelace areas"), vendor: text("example.org"), version: text("1.0.0"), license: text("Apache-2.0"),
  build: text("Embedded Swift"), init: nil, get_family: getFamily, get_extension: nil)

@c func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? { op == MRD_MEASURE_AREA ? address(&areaInfo) : nil }

@c func getFamily(_ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  guard var theirs = id else { return nil }
  for byte in MRD_FAMILY_MEASURE.utf8 {
    guard UInt8(bitPattern: theirs.pointee) == byte else { return nil }
    theirs += 1
  }
  return theirs.pointee == 0 ? UnsafeRawPointer(address(&family)) : nil
}

@c @implementation public func mrd_plugin_entry_v1(
  _ host: UnsafePointer<mrd_host>!, _ error: UnsafeMutablePointer<mrd_error>!
) -> UnsafePointer<mrd_plugin>! {
  if host.pointee.abi_min <= plugin.abi, plugin.abi <= host.pointee.abi_max { return address(&plugin) }
  _ = mrd_fail(error, MRD_E_ABI, -1, -1, text("shoelace: needs ABI 0.1"))
  return nil
}
