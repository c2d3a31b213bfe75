// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

func validateRepair(
  _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_repair_options>?,
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ reports: UnsafeMutablePointer<mrd_repair_report>?,
  _ reportSize: UInt32, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out = knownResult(out, call) else { return call.failure }
  guard let known = knownOptions(options, zero: mrd_repair_options(), call) else { return call.failure }
  guard known.flags == 0, known.dialect == MRD_DIALECT_OGC,
    known.rule == MRD_REPAIR_STRUCTURE || known.rule == MRD_REPAIR_LINEWORK
  else { return fail(call, MRD_E_UNSUPPORTED, "GEOS repairs by structure or by linework, to the rules of OGC") }
  guard let info = validateInfo(MRD_VALIDATE_REPAIR)?.pointee else { return MRD_E_INTERNAL }
  var status = MRD_OK
  guard let geoms = admit(input, info, call, &status) else { return status }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  let sink = RepairReports(reports, size: reportSize, rule: known.rule)
  guard var repairer = Repairer(session: session, geoms: geoms, rule: known.rule, reports: sink) else {
    return session.failure()
  }
  defer { repairer.close() }
  return repairer.run(out)
}

/// Repairs the rows of one call.
private struct Repairer {
  let session: Session
  let geoms: Geoms
  let reports: RepairReports
  let builder: RowBuilder
  let keepingParams: OpaquePointer
  let params: OpaquePointer
  var writer: GeomsWriter

  init?(session: Session, geoms: Geoms, rule: Int32, reports: RepairReports) {
    guard let params = makeParams(session, rule, keepCollapsed: 0) else { return nil }
    guard let keepingParams = makeParams(session, rule, keepCollapsed: 1) else {
      GEOSMakeValidParams_destroy_r(session.context, params)
      return nil
    }
    self.session = session
    self.geoms = geoms
    self.reports = reports
    self.params = params
    self.keepingParams = keepingParams
    builder = RowBuilder(session, geoms, third: .z)
    writer = GeomsWriter(session.call, type: geoms.multiType, dims: geoms.raw.dims)
  }

  func close() {
    GEOSMakeValidParams_destroy_r(session.context, params)
    GEOSMakeValidParams_destroy_r(session.context, keepingParams)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    session.forEachRow(geoms.count, { repair($0) }, finish: { writer.finish(out, session.call) })
  }

  private mutating func repair(_ row: Int) {
    // An empty row is valid, and one whose holes are not empty is for GEOS to judge.
    switch builder.start(row, takesEmpty: true) {
    case .left(let status, let isFault):
      session.call.setStatus(row, status)
      leave(row, isFault ? MRD_REPAIR_WITHHELD : MRD_REPAIR_UNCHANGED)
    case .ready(let geometry): session.consume(geometry) { repair($0, row) }
    }
  }

  private mutating func repair(_ geometry: Geometry, _ row: Int) {
    switch GEOSisValid_r(session.context, geometry) {
    case 1: return leave(row, MRD_REPAIR_UNCHANGED)
    case 0: break
    default: return leaveFailed(row)
    }
    guard let repaired = GEOSMakeValidWithParams_r(session.context, geometry, params) else { return leaveFailed(row) }
    session.consume(repaired) { result in
      guard GEOSisValid_r(session.context, result) == 1 else {
        session.call.setStatus(row, MRD_ITEM_NOT_APPLIED)
        return leave(row, MRD_REPAIR_WITHHELD)
      }
      guard let outline = Outline(session, result, dimension: dimension(of: geoms.type)) else {
        return leaveFailed(row)
      }
      write(outline, row, collapsed: countCollapsed(geometry, outline))
    }
  }

  /// Pieces of lower dimension. The structure rule gives them only when asked to keep what collapses, and then nodes the
  /// areas with them: so they are counted in a run of their own.
  private func countCollapsed(_ geometry: Geometry, _ outline: Outline) -> Int {
    guard reports.rule == MRD_REPAIR_STRUCTURE, reports.isWanted else { return outline.lowerPieces }
    guard let kept = GEOSMakeValidWithParams_r(session.context, geometry, keepingParams) else { return 0 }
    return session.consume(kept) { Outline(session, $0, dimension: dimension(of: geoms.type))?.lowerPieces ?? 0 }
  }

  private mutating func write(_ outline: Outline, _ row: Int, collapsed: Int) {
    writer.write(outline)
    let before = VertexSet(geoms, row)
    let after = outline.vertexSet
    reports.write(
      row,
      mrd_repair_report(
        outcome: outline.parts == 0 ? MRD_REPAIR_COLLAPSED : MRD_REPAIR_REPAIRED, rule: reports.rule,
        area_before: rowArea(geoms, row), area_after: outline.area,
        vertices_added: Int64(after.countMissing(in: before)), vertices_dropped: Int64(before.countMissing(in: after)),
        parts_before: Int64(geoms.partCount(row)), parts_after: Int64(outline.parts), collapsed: Int64(collapsed)))
  }

  private mutating func leaveFailed(_ row: Int) {
    session.markFailed(row)
    leave(row, MRD_REPAIR_WITHHELD)
  }

  /// Gives the row as it was.
  private mutating func leave(_ row: Int, _ outcome: Int32) {
    writer.copyRow(geoms, row)
    let isNull = geoms.isNull(row)
    let area = isNull ? 0 : rowArea(geoms, row)
    reports.writeLeft(row, outcome, area: area, parts: isNull ? 0 : geoms.partCount(row))
  }
}

private func makeParams(_ session: Session, _ rule: Int32, keepCollapsed: Int32) -> OpaquePointer? {
  guard let params = GEOSMakeValidParams_create_r(session.context) else { return nil }
  let method = rule == MRD_REPAIR_LINEWORK ? GEOS_MAKE_VALID_LINEWORK : GEOS_MAKE_VALID_STRUCTURE
  _ = GEOSMakeValidParams_setMethod_r(session.context, params, method)
  _ = GEOSMakeValidParams_setKeepCollapsed_r(session.context, params, keepCollapsed)
  return params
}
