// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

private let planarFlags = UInt32(MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT)

/// GEOS declares no error bounds of its own, and so this adapter declares none but for bounds, which are exact.
private nonisolated(unsafe) var sumInfo = declare(
  "GEOS 3.11 planar length and area in plain double sums", flags: planarFlags, metrics: Takes.bit(MRD_METRIC_COORD))

private nonisolated(unsafe) var boundsInfo = declare(
  "GEOS 3.11 envelope, of all rings", flags: planarFlags, metrics: Takes.bit(MRD_METRIC_COORD),
  errorUnit: MRD_UNIT_COORD)

private nonisolated(unsafe) var centroidInfo = declare(
  "GEOS 3.11 planar centroid of the highest dimension with measure", flags: planarFlags,
  metrics: Takes.bit(MRD_METRIC_COORD))

private nonisolated(unsafe) var distanceInfo = declare(
  "GEOS 3.11 planar distance", flags: planarFlags, metrics: Takes.bit(MRD_METRIC_COORD))

private func measureInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_MEASURE_LENGTH, MRD_MEASURE_PERIMETER, MRD_MEASURE_AREA, MRD_MEASURE_PERIMETER_AREA: address(&sumInfo)
  case MRD_MEASURE_BOUNDS: address(&boundsInfo)
  case MRD_MEASURE_CENTROID: address(&centroidInfo)
  case MRD_MEASURE_DISTANCE: address(&distanceInfo)
  default: nil
  }
}

nonisolated(unsafe) var measureFamily = mrd_family_measure(
  struct_size: UInt32(MemoryLayout<mrd_family_measure>.size), pad0: 0, info: measureInfo, measure: measureRows,
  pair: measurePairs, direct: nil, build: nil)

private func measureRows(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafePointer<mrd_columns>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ABI }
  guard let info = measureInfo(op)?.pointee, op != MRD_MEASURE_DISTANCE else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS 3.11 has no such measure")
  }
  guard knownMeasureOptions(options, call) != nil else { return call.failure }
  var status = MRD_OK
  guard let geoms = admit(input, info, call, &status) else { return status }
  guard let columns = Columns(out, rows: geoms.count, call) else { return call.failure }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  let builder = RowBuilder(session, geoms, skipsEmptyPoints: true, padsShortRings: true)
  let width = columnCount(op)
  let isPlace = op == MRD_MEASURE_BOUNDS || op == MRD_MEASURE_CENTROID
  let loop = RowLoop(geoms, columns, call, domain: .finite, width: width, emptyValue: isPlace ? .nan : 0)
  return loop.run { row, _ in
    columns.fill(row, columns: width, .nan)
    if let fault = findFault(geoms, row) { return fault.itemStatus }
    guard let geometry = builder.geometry(row) else { return session.failedItem(row) }
    return session.consume(geometry) { measure(op, $0, geoms, row, columns, session) }
  }
}

private func columnCount(_ op: UInt32) -> Int {
  switch op {
  case MRD_MEASURE_BOUNDS: 4
  case MRD_MEASURE_CENTROID, MRD_MEASURE_PERIMETER_AREA: 2
  default: 1
  }
}

/// Sets the columns of one row.
private func measure(
  _ op: UInt32, _ geometry: Geometry, _ geoms: Geoms, _ row: Int, _ columns: Columns, _ session: Session
) -> mrd_item_status {
  switch op {
  case MRD_MEASURE_BOUNDS:
    guard geoms.isPolygonal else { return bounds(geometry, row, columns, session) }
    // GEOS's envelope of a polygon is that of its shell; its boundary has the rings of holes as well, which may leave it.
    guard let rings = GEOSBoundary_r(session.context, geometry) else { return session.failedItem(row) }
    return session.consume(rings) { bounds($0, row, columns, session) }
  case MRD_MEASURE_CENTROID: return centroid(geometry, row, columns, session)
  default: break
  }
  var length = 0.0
  var area = 0.0
  guard GEOSLength_r(session.context, geometry, &length) == 1, GEOSArea_r(session.context, geometry, &area) == 1 else {
    return session.failedItem(row)
  }
  // For GEOS the length of a polygon is its perimeter.
  let perimeter = geoms.isPolygonal ? length : 0
  switch op {
  case MRD_MEASURE_LENGTH: columns.set(0, row, geoms.isLineal ? length : 0)
  case MRD_MEASURE_PERIMETER: columns.set(0, row, perimeter)
  case MRD_MEASURE_AREA: columns.set(0, row, area)
  default:
    columns.set(0, row, perimeter)
    columns.set(1, row, area)
  }
  return MRD_ITEM_OK
}

private func bounds(_ geometry: Geometry, _ row: Int, _ columns: Columns, _ session: Session) -> mrd_item_status {
  var (xmin, ymin, xmax, ymax) = (0.0, 0.0, 0.0, 0.0)
  let context = session.context
  guard GEOSGeom_getXMin_r(context, geometry, &xmin) == 1, GEOSGeom_getYMin_r(context, geometry, &ymin) == 1,
    GEOSGeom_getXMax_r(context, geometry, &xmax) == 1, GEOSGeom_getYMax_r(context, geometry, &ymax) == 1
  else { return session.failedItem(row) }
  for (column, value) in [xmin, ymin, xmax, ymax].enumerated() { columns.set(column, row, value) }
  return MRD_ITEM_OK
}

private func centroid(_ geometry: Geometry, _ row: Int, _ columns: Columns, _ session: Session) -> mrd_item_status {
  guard let point = GEOSGetCentroid_r(session.context, geometry) else { return session.failedItem(row) }
  return session.consume(point) { point in
    var (x, y) = (0.0, 0.0)
    guard GEOSGeomGetX_r(session.context, point, &x) == 1, GEOSGeomGetY_r(session.context, point, &y) == 1 else {
      return session.failedItem(row)
    }
    columns.set(0, row, x)
    columns.set(1, row, y)
    return MRD_ITEM_OK
  }
}

private func measurePairs(
  _ op: UInt32, _ first: UnsafePointer<mrd_geoms>?, _ second: UnsafePointer<mrd_geoms>?,
  _ options: UnsafePointer<mrd_measure_options>?, _ out: UnsafePointer<mrd_columns>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ABI }
  guard let info = measureInfo(op)?.pointee, op == MRD_MEASURE_DISTANCE else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS 3.11 measures distances of pairs and nothing else")
  }
  guard let known = knownMeasureOptions(options, call) else { return call.failure }
  var status = MRD_OK
  guard let a = admit(first, info, call, &status), let b = admit(second, info, call, &status) else { return status }
  let broadcasts = known.flags & UInt32(MRD_MEASURE_BROADCAST_B) != 0
  guard broadcasts ? b.count == 1 : a.count == b.count else {
    return fail(call, MRD_E_ARGUMENT, "the two arrays do not have the same number of rows")
  }
  guard let columns = Columns(out, rows: a.count, call) else { return call.failure }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  let ruler = PairRuler(
    session: session, a: RowBuilder(session, a, skipsEmptyPoints: true, padsShortRings: true),
    b: RowBuilder(session, b, skipsEmptyPoints: true, padsShortRings: true))
  return RowLoop(a, columns, call, domain: .finite, width: 1, emptyValue: .nan).run { row, _ in
    columns.set(0, row, .nan)
    return ruler.distance(row, broadcasts ? 0 : row) { columns.set(0, row, $0) }
  }
}

/// Measures a row of one array against a row of the other.
private struct PairRuler {
  let session: Session
  let a: RowBuilder
  let b: RowBuilder

  func distance(_ row: Int, _ other: Int, _ set: (Double) -> Void) -> mrd_item_status {
    if b.geoms.isNull(other) { return MRD_ITEM_NULL }
    if b.geoms.isEmpty(other) { return MRD_ITEM_EMPTY }
    if let fault = findFault(a.geoms, row) ?? findFault(b.geoms, other) { return fault.itemStatus }
    guard let first = a.geometry(row) else { return session.failedItem(row) }
    return session.consume(first) { first in
      guard let second = b.geometry(other) else { return session.failedItem(row) }
      return session.consume(second) { second in
        var distance = 0.0
        guard GEOSDistance_r(session.context, first, second, &distance) == 1 else { return session.failedItem(row) }
        set(distance)
        return MRD_ITEM_OK
      }
    }
  }
}
