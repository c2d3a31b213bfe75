// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var measureTable = mrd_family_measure(
  struct_size: UInt32(MemoryLayout<mrd_family_measure>.size), pad0: 0, info: measureInfo, measure: measure, pair: pair,
  direct: direct, build: build)

/// The surface of a model; nil, with the call's error filled, when PROJ has no edges or metric of that kind.
private func surface(_ model: mrd_model, _ call: UnsafeMutablePointer<mrd_call>) -> Ellipsoid? {
  let flattening: Double
  switch (model.edges, model.metric) {
  case (MRD_EDGES_GEODESIC, MRD_METRIC_ELLIPSOID): flattening = model.flattening
  case (MRD_EDGES_GREAT_CIRCLE, MRD_METRIC_SPHERE): flattening = 0
  default:
    _ = fail(call, MRD_E_UNSUPPORTED, "PROJ measures geodesics on an ellipsoid and great circles on a sphere only")
    return nil
  }
  guard model.semi_major > 0, model.semi_major.isFinite, flattening.magnitude <= 1.0 / 50 else {
    _ = fail(call, MRD_E_ARGUMENT, "the radius must be positive and the flattening at most 1/50")
    return nil
  }
  guard let ellipsoid = Ellipsoid(radius: model.semi_major, flattening: flattening, call) else {
    _ = fail(call, MRD_E_MEMORY, "no memory for the ellipsoid's constants")
    return nil
  }
  return ellipsoid
}

private func measure(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafePointer<mrd_columns>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let options = knownMeasureOptions(options, call), let geoms = Geoms(input, call),
    let columns = Columns(out, rows: geoms.count, call), let ellipsoid = surface(geoms.model, call)
  else { return call.failure }
  if op == MRD_MEASURE_BOUNDS { return measureGlobeBounds(ellipsoid, geoms, options.side, columns, call) }
  return measure(ellipsoid, op, geoms, options, columns, call)
}

private func pair(
  _ op: UInt32, _ a: UnsafePointer<mrd_geoms>?, _ b: UnsafePointer<mrd_geoms>?,
  _ options: UnsafePointer<mrd_measure_options>?, _ out: UnsafePointer<mrd_columns>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let options = knownMeasureOptions(options, call), let a = Geoms(a, call), let b = Geoms(b, call),
    let pairs = PairedGeoms(a, b, broadcast: options.flags & MRD_MEASURE_BROADCAST_B != 0, call),
    let columns = Columns(out, rows: a.count, call), let ellipsoid = surface(a.model, call)
  else { return call.failure }
  return pair(ellipsoid, op, pairs, columns, call)
}

private func direct(
  _ points: UnsafePointer<mrd_geoms>?, _ azimuths: UnsafePointer<Double>?, _ distances: UnsafePointer<Double>?,
  _ options: UnsafePointer<mrd_measure_options>?, _ out: UnsafePointer<mrd_columns>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard knownMeasureOptions(options, call) != nil, let points = Geoms(points, call),
    let columns = Columns(out, rows: points.count, call), let ellipsoid = surface(points.model, call)
  else { return call.failure }
  return measureDirect(ellipsoid, points, azimuths, distances, columns, call)
}

private func build(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out = knownResult(out, call), let options = knownMeasureOptions(options, call),
    let geoms = Geoms(input, call),
    let ellipsoid = surface(geoms.model, call)
  else { return call.failure }
  guard op == MRD_MEASURE_DENSIFY else { return fail(call, MRD_E_UNSUPPORTED, "not an operation of this kernel") }
  return buildDensified(ellipsoid, geoms, largest: options.max_edge_m, out, call)
}
