// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var measureTable = mrd_family_measure(
  struct_size: UInt32(MemoryLayout<mrd_family_measure>.size), pad0: 0, info: measureInfo, measure: measure, pair: pair,
  direct: direct, build: build)

/// A model that this plug-in has kernels for. Metric and edges must belong together; nothing falls back.
private enum SurfaceOf {
  case plane(Plane)
  case sphere(Sphere)
  case ellipsoid(Geodesics)
  case plateCarree(PlateCarree)
  case unsupported

  init(_ model: mrd_model) {
    switch (model.edges, model.metric) {
    case (MRD_EDGES_PLANAR, MRD_METRIC_COORD): self = .plane(Plane())
    case (MRD_EDGES_GREAT_CIRCLE, MRD_METRIC_SPHERE):
      self = Sphere(radius: model.semi_major).map { .sphere($0) } ?? .unsupported
    case (MRD_EDGES_GEODESIC, MRD_METRIC_ELLIPSOID):
      self =
        Geodesics(radius: model.semi_major, flattening: model.flattening).map { .ellipsoid($0) } ?? .unsupported
    case (MRD_EDGES_PLATE_CARREE, MRD_METRIC_SPHERE), (MRD_EDGES_PLATE_CARREE, MRD_METRIC_ELLIPSOID):
      let flattening = model.metric == MRD_METRIC_SPHERE ? 0 : model.flattening
      self = PlateCarree(radius: model.semi_major, flattening: flattening).map { .plateCarree($0) } ?? .unsupported
    default: self = .unsupported
    }
  }
}

private func measure(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafePointer<mrd_columns>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let options = knownMeasureOptions(options, call) else { return call.failure }
  guard let geoms = Geoms(input, call), let columns = Columns(out, rows: geoms.count, call) else {
    return call.failure
  }
  if op == MRD_MEASURE_COUNTS { return measureCounts(geoms, columns, call) }
  if op == MRD_MEASURE_BOUNDS { return bounds(geoms, options, columns, call) }
  switch SurfaceOf(geoms.model) {
  case .plane(let plane):
    if op == MRD_MEASURE_CENTROID { return measurePlanarCentroid(geoms, columns, call) }
    return measurePlanarPaths(op, geoms, columns, call) ?? measure(plane, op, geoms, options, columns, call)
  case .sphere(let sphere):
    if op == MRD_MEASURE_CENTROID { return measureSphericalCentroid(geoms, options.side, columns, call) }
    return measureEdges(sphere, sphere, op, geoms, options, columns, call)
  case .ellipsoid(let geodesics):
    if op == MRD_MEASURE_CENTROID { return measureGeodesicCentroid(geodesics, geoms, options.side, columns, call) }
    if op == MRD_MEASURE_INTERPOLATE { return measureGeodesicInterpolate(geodesics, geoms, options, columns, call) }
    let surface = EllipsoidSurface(geodesics: geodesics)
    return measureEdges(geodesics, surface, op, geoms, options, columns, call)
  case .plateCarree(let model): return measureEdges(model, model, op, geoms, options, columns, call)
  case .unsupported: return failUnsupportedModel(call)
  }
}

/// Measures by vectors of edges; places on single edges come from `surface`.
private func measureEdges<Method: EdgeMethod, S: Surface>(
  _ method: Method, _ surface: S, _ op: UInt32, _ geoms: Geoms, _ options: mrd_measure_options, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  switch op {
  case MRD_MEASURE_LENGTH, MRD_MEASURE_PERIMETER, MRD_MEASURE_AREA, MRD_MEASURE_AREA_SIGNED, MRD_MEASURE_PERIMETER_AREA:
    measurePaths(method, op, geoms, side: options.side, columns, call)
  case MRD_MEASURE_INTERPOLATE: measureInterpolate(surface, geoms, options, columns, call)
  default: fail(call, MRD_E_UNSUPPORTED, "not an operation of this kernel with these edges")
  }
}

/// Bounds depend on the edges alone.
private func bounds(
  _ geoms: Geoms, _ options: mrd_measure_options, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  switch geoms.model.edges {
  case MRD_EDGES_PLANAR, MRD_EDGES_PLATE_CARREE:
    let domain: CoordinateDomain = geoms.model.metric == MRD_METRIC_COORD ? .finite : .globe
    return measurePlanarBounds(geoms, columns, call, domain: domain)
  case MRD_EDGES_GREAT_CIRCLE: return measureGlobeBounds(Sphere.unit, geoms, options.side, columns, call)
  case MRD_EDGES_GEODESIC:
    guard let geodesics = Geodesics(radius: geoms.model.semi_major, flattening: geoms.model.flattening) else {
      return failUnsupportedModel(call)
    }
    return measureGlobeBounds(EllipsoidSurface(geodesics: geodesics), geoms, options.side, columns, call)
  default: return failUnsupportedModel(call)
  }
}

private func pair(
  _ op: UInt32, _ a: UnsafePointer<mrd_geoms>?, _ b: UnsafePointer<mrd_geoms>?,
  _ options: UnsafePointer<mrd_measure_options>?, _ out: UnsafePointer<mrd_columns>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let options = knownMeasureOptions(options, call), let a = Geoms(a, call), let b = Geoms(b, call),
    let pairs = PairedGeoms(a, b, broadcast: options.flags & MRD_MEASURE_BROADCAST_B != 0, call),
    let columns = Columns(out, rows: a.count, call)
  else { return call.failure }
  let isPointDistance = op == MRD_MEASURE_DISTANCE && a.type == MRD_POINT && b.type == MRD_POINT
  switch SurfaceOf(a.model) {
  case .plane(let plane): return pairClosestOr(plane, op, pairs, options, columns, call)
  case .sphere(let sphere):
    if isPointDistance { return pairPointDistances(sphere, pairs, columns, call) }
    if op == MRD_MEASURE_INVERSE { return pairPointInverses(sphere, pairs, columns, call) }
    return pairClosestOr(sphere, op, pairs, options, columns, call)
  case .ellipsoid(let geodesics):
    if isPointDistance { return pairPointDistances(geodesics, pairs, columns, call) }
    if op == MRD_MEASURE_INVERSE { return pairPointInverses(geodesics, pairs, columns, call) }
    return pairClosestOr(EllipsoidSurface(geodesics: geodesics), op, pairs, options, columns, call)
  case .plateCarree: return failShortestLines(call)
  case .unsupported: return failUnsupportedModel(call)
  }
}

private func pairClosestOr<S: ClosestSurface>(
  _ surface: S, _ op: UInt32, _ pairs: PairedGeoms, _ options: mrd_measure_options, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  switch op {
  case MRD_MEASURE_CLOSEST: pairClosest(surface, pairs, side: options.side, columns, call)
  case MRD_MEASURE_DISTANCE: pairDistances(surface, pairs, side: options.side, columns, call)
  default: pair(surface, op, pairs, columns, call)
  }
}

private func direct(
  _ points: UnsafePointer<mrd_geoms>?, _ azimuths: UnsafePointer<Double>?, _ distances: UnsafePointer<Double>?,
  _ options: UnsafePointer<mrd_measure_options>?, _ out: UnsafePointer<mrd_columns>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard knownMeasureOptions(options, call) != nil, let points = Geoms(points, call),
    let columns = Columns(out, rows: points.count, call)
  else { return call.failure }
  switch SurfaceOf(points.model) {
  case .plane(let plane): return measureDirect(plane, points, azimuths, distances, columns, call)
  case .sphere(let sphere): return measureDirect(sphere, points, azimuths, distances, columns, call)
  case .ellipsoid(let geodesics): return directOnEllipsoid(geodesics, points, azimuths, distances, columns, call)
  case .plateCarree: return failShortestLines(call)
  case .unsupported: return failUnsupportedModel(call)
  }
}

private func build(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out = knownResult(out, call), let options = knownMeasureOptions(options, call),
    let geoms = Geoms(input, call)
  else {
    return call.failure
  }
  guard op == MRD_MEASURE_DENSIFY else { return fail(call, MRD_E_UNSUPPORTED, "not an operation of this kernel") }
  switch SurfaceOf(geoms.model) {
  case .plane(let plane): return buildDensified(plane, geoms, largest: options.max_edge_coord, out, call)
  case .sphere(let sphere): return buildDensified(sphere, geoms, largest: options.max_edge_m, out, call)
  case .ellipsoid(let geodesics):
    return buildDensified(
      EllipsoidSurface(geodesics: geodesics), geoms, largest: options.max_edge_m, out, call)
  case .plateCarree(let model): return buildDensified(model, geoms, largest: options.max_edge_m, out, call)
  case .unsupported: return failUnsupportedModel(call)
  }
}

private func failUnsupportedModel(_ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
  fail(
    call, MRD_E_UNSUPPORTED,
    """
    native measures know planar edges in coordinate units, great circles on a sphere of positive radius, geodesics on an \
    ellipsoid with a flattening of at most 1/50, and plate_carree edges on either
    """)
}

private func failShortestLines(_ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
  fail(
    call, MRD_E_UNSUPPORTED, "plate_carree edges are no shortest lines: distances and directions need geodesic edges")
}
