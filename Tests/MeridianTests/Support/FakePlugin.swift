// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@testable import Meridian

/// Plug-ins from static tables that declare and do nothing. C functions cannot capture, so each has its own.
enum FakePlugin {
  nonisolated(unsafe) static let alpha = plugin("test.alpha") { id in
    matches(id, MRD_FAMILY_MEASURE) ? UnsafeRawPointer(alphaMeasure) : nil
  }
  nonisolated(unsafe) static let beta = plugin("test.beta") { id in
    if matches(id, MRD_FAMILY_MEASURE) { return UnsafeRawPointer(betaMeasure) }
    return matches(id, MRD_FAMILY_VALIDATE) ? UnsafeRawPointer(betaValidate) : nil
  }
  nonisolated(unsafe) static let gamma = plugin("test.gamma") { id in
    matches(id, MRD_FAMILY_MEASURE) ? UnsafeRawPointer(gammaMeasure) : nil
  }

  /// A plug-in's table that lives as long as the process.
  static func plugin(
    _ id: String, getFamily: @escaping @convention(c) (UnsafePointer<CChar>?) -> UnsafeRawPointer?
  ) -> UnsafeMutablePointer<mrd_plugin> {
    let plugin = UnsafeMutablePointer<mrd_plugin>.allocate(capacity: 1)
    plugin.initialize(to: mrd_plugin())
    plugin.pointee.struct_size = UInt32(MemoryLayout<mrd_plugin>.size)
    plugin.pointee.abi = UInt32(MRD_ABI_VERSION)
    plugin.pointee.id = text(id)
    plugin.pointee.name = text("Fake \(id)")
    plugin.pointee.version = text("9.9")
    plugin.pointee.get_family = getFamily
    return plugin
  }

  static func info(
    types: UInt32 = 0b111_1110, dims: UInt32 = 0b11110, edges: [Int32], metrics: [Int32], dialects: UInt32 = 0,
    flags: UInt32 = 0, unit: Int32 = MRD_UNIT_NONE, absolute: Double = 0, relative: Double = 0, perVertex: Double = 0,
    flattening: Double = 0, cost: Double = 0
  ) -> UnsafeMutablePointer<mrd_op_info> {
    let info = UnsafeMutablePointer<mrd_op_info>.allocate(capacity: 1)
    info.initialize(
      to: mrd_op_info(
        struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: flags, type_mask: types, dims_mask: dims,
        edges_mask: edges.reduce(0) { $0 | 1 << UInt32($1) }, metric_mask: metrics.reduce(0) { $0 | 1 << UInt32($1) },
        dialect_mask: dialects, error_unit: unit, error_absolute: absolute, error_relative: relative,
        error_per_vertex: perVertex, max_flattening: flattening, ns_per_coord: cost, method: text("none"), next: nil))
    return info
  }

  static func measure(
    _ info: @escaping @convention(c) (UInt32) -> UnsafePointer<mrd_op_info>?
  ) -> UnsafeMutablePointer<mrd_family_measure> {
    let table = UnsafeMutablePointer<mrd_family_measure>.allocate(capacity: 1)
    table.initialize(to: mrd_family_measure())
    table.pointee.struct_size = UInt32(MemoryLayout<mrd_family_measure>.size)
    table.pointee.info = info
    return table
  }

  static func matches(_ id: UnsafePointer<CChar>?, _ family: String) -> Bool {
    id.map { String(cString: $0) } == family
  }

  private static func text(_ string: String) -> UnsafePointer<CChar> {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.utf8.count + 1)
    for (index, byte) in string.utf8CString.enumerated() { copy[index] = byte }
    return UnsafePointer(copy)
  }
}

private let planar = [MRD_EDGES_PLANAR]
private let curved = [MRD_EDGES_PLANAR, MRD_EDGES_GEODESIC]
private let metres = [MRD_METRIC_COORD, MRD_METRIC_ELLIPSOID]

// Fast and rough: lengths on any edges, areas in the plane.
nonisolated(unsafe) private let alphaLength = FakePlugin.info(
  edges: curved, metrics: metres, flags: MRD_OP_DETERMINISTIC, unit: MRD_UNIT_METRE, absolute: 1e-3,
  flattening: 0.02, cost: 1)
nonisolated(unsafe) private let alphaGlobeArea = FakePlugin.info(
  edges: [MRD_EDGES_GREAT_CIRCLE], metrics: [MRD_METRIC_SPHERE], unit: MRD_UNIT_METRE, relative: 1e-6, cost: 9)
nonisolated(unsafe) private let alphaArea: UnsafeMutablePointer<mrd_op_info> = {
  let plane = FakePlugin.info(
    edges: planar, metrics: [MRD_METRIC_COORD], unit: MRD_UNIT_ULP, absolute: 4, cost: 1)
  plane.pointee.next = UnsafePointer(alphaGlobeArea)
  return plane
}()
nonisolated(unsafe) private let alphaMeasure = FakePlugin.measure { op in
  op == MRD_MEASURE_LENGTH ? UnsafePointer(alphaLength) : op == MRD_MEASURE_AREA ? UnsafePointer(alphaArea) : nil
}

// Slow and exact, on WGS84 and flatter bodies up to 1/150; validates by OGC's rules.
nonisolated(unsafe) private let betaLength = FakePlugin.info(
  edges: curved, metrics: metres, flags: MRD_OP_DETERMINISTIC | MRD_OP_EXACT_PREDICATES, unit: MRD_UNIT_METRE,
  absolute: 1e-8, relative: 1e-15, perVertex: 5e-9, flattening: 1.0 / 150, cost: 50)
nonisolated(unsafe) private let betaArea = FakePlugin.info(
  types: 1 << 3, edges: curved, metrics: metres, unit: MRD_UNIT_METRE, absolute: 0.1, relative: 1e-12,
  flattening: 1.0 / 150, cost: 60)
nonisolated(unsafe) private let betaMeasure = FakePlugin.measure { op in
  op == MRD_MEASURE_LENGTH ? UnsafePointer(betaLength) : op == MRD_MEASURE_AREA ? UnsafePointer(betaArea) : nil
}
nonisolated(unsafe) private let betaValid = FakePlugin.info(
  edges: planar, metrics: metres, dialects: 1 << UInt32(MRD_DIALECT_OGC), flags: MRD_OP_ALL_PROBLEMS)
nonisolated(unsafe) private let betaValidate: UnsafeMutablePointer<mrd_family_validate> = {
  let table = UnsafeMutablePointer<mrd_family_validate>.allocate(capacity: 1)
  table.initialize(to: mrd_family_validate())
  table.pointee.struct_size = UInt32(MemoryLayout<mrd_family_validate>.size)
  table.pointee.info = { $0 == MRD_VALIDATE_VALID ? UnsafePointer(betaValid) : nil }
  return table
}()

// Bounds only, from a table that ends behind `info`: an older plug-in.
nonisolated(unsafe) private let gammaBounds: UnsafeMutablePointer<mrd_op_info> = {
  let bounds = FakePlugin.info(edges: planar, metrics: metres)
  bounds.pointee.next = UnsafePointer(bounds)  // a chain in a circle: must not be followed for ever
  return bounds
}()
nonisolated(unsafe) private let gammaMeasure: UnsafeMutablePointer<mrd_family_measure> = {
  let table = FakePlugin.measure { $0 == MRD_MEASURE_BOUNDS ? UnsafePointer(gammaBounds) : nil }
  table.pointee.struct_size = UInt32(LeastSize.family)
  table.pointee.measure = { _, _, _, _, _ in MRD_E_INTERNAL }  // behind the end: must not be seen
  return table
}()
