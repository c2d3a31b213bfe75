// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

func snapGrid(
  _ geoms: Geoms, _ options: mrd_snap_options, _ out: UnsafeMutablePointer<mrd_geoms_out>,
  _ outcomes: UnsafeMutablePointer<Int32>?, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let keeps = options.flags == MRD_SNAP_KEEP_COLLAPSED
  guard options.flags == 0 || keeps, options.tolerance_coord == 0, options.tolerance_m == 0 else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS's grid takes a scale and nothing else")
  }
  guard !keeps || dimension(of: geoms.type) != 2 else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS drops polygons that collapse on a grid")
  }
  guard options.grid_scale > 0, options.grid_scale.isFinite, (1 / options.grid_scale).isFinite else {
    return fail(call, MRD_E_ARGUMENT, "the scale of the grid is not a positive number")
  }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  var snapper = GridSnapper(
    session: session, geoms: geoms, scale: options.grid_scale, keepsCollapsed: keeps, outcomes: outcomes)
  return snapper.run(out)
}

/// Moves the rows of one call to coordinates k / scale.
private struct GridSnapper {
  let session: Session
  let geoms: Geoms
  let scale: Double
  let rules: Int32
  let outcomes: UnsafeMutablePointer<Int32>?
  let builder: RowBuilder
  var writer: GeomsWriter

  init(
    session: Session, geoms: Geoms, scale: Double, keepsCollapsed: Bool, outcomes: UnsafeMutablePointer<Int32>?
  ) {
    self.session = session
    self.geoms = geoms
    self.scale = scale
    self.outcomes = outcomes
    rules = Int32((keepsCollapsed ? GEOS_PREC_KEEP_COLLAPSED : GEOS_PREC_VALID_OUTPUT).rawValue)
    builder = RowBuilder(session, geoms, third: .z, skipsEmptyPoints: true)
    writer = GeomsWriter(session.call, type: geoms.multiType, dims: geoms.raw.dims)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    session.forEachRow(geoms.count, { snap($0) }, finish: { writer.finish(out, session.call) })
  }

  private mutating func snap(_ row: Int) {
    switch builder.start(row) {
    case .left(let status, let isFault): leave(row, isFault ? MRD_SNAP_WITHHELD : MRD_SNAP_UNCHANGED, status)
    case .ready(let geometry): snap(geometry, row)
    }
  }

  private mutating func snap(_ geometry: Geometry, _ row: Int) {
    session.consume(geometry) { geometry in
      switch GEOSisValid_r(session.context, geometry) {
      case 1: break
      case 0: return leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_INVALID)
      default: return leaveFailed(row)
      }
      // On the grid already and valid: given back as it is, starts and directions included.
      if isOnGrid(row) { return leave(row, MRD_SNAP_UNCHANGED, MRD_ITEM_OK) }
      guard hasHalves(row) else { return round(geometry, row) }
      guard let nudged = transformed(geometry, nudgedOffHalf) else { return leaveFailed(row) }
      session.consume(nudged) { round($0, row) }
    }
  }

  private mutating func round(_ geometry: Geometry, _ row: Int) {
    guard let result = GEOSGeom_setPrecision_r(session.context, geometry, 1 / scale, rules) else {
      return leaveFailed(row)
    }
    session.consume(result) { accept($0, row) }
  }

  private mutating func accept(_ rounded: Geometry, _ row: Int) {
    guard let result = corrected(rounded) else { return leaveFailed(row) }
    session.consume(result) { result in
      // Lines that are kept though they collapse are not valid by design.
      let mustBeValid = rules == Int32(GEOS_PREC_VALID_OUTPUT.rawValue)
      guard !mustBeValid || GEOSisValid_r(session.context, result) == 1 else {
        return leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_NOT_APPLIED)
      }
      guard let outline = Outline(session, result, dimension: dimension(of: geoms.type)) else {
        return leaveFailed(row)
      }
      writer.write(outline)
      outcomes?[row] = outline.parts == 0 ? MRD_SNAP_COLLAPSED : MRD_SNAP_MOVED
    }
  }

  /// GEOS rounds by the reciprocal of the cell where the contract says k / scale: up to an ulp apart.
  private func corrected(_ geometry: Geometry) -> Geometry? { transformed(geometry, nearestOnGrid) }

  /// A copy with `change` applied to each x and y.
  private func transformed(_ geometry: Geometry, _ change: @escaping OrdinateChange) -> Geometry? {
    var job = OrdinateJob(scale: scale, change: change)
    return withUnsafeMutablePointer(to: &job) { job in
      GEOSGeom_transformXY_r(
        session.context, geometry,
        { x, y, userdata in
          guard let x, let y, let job = userdata?.assumingMemoryBound(to: OrdinateJob.self).pointee else { return 0 }
          x.pointee = job.change(x.pointee, job.scale)
          y.pointee = job.change(y.pointee, job.scale)
          return 1
        }, job)
    }
  }

  private func hasHalves(_ row: Int) -> Bool {
    geoms.coordinates(row).contains { isNearHalf(geoms.x($0), scale) || isNearHalf(geoms.y($0), scale) }
  }

  private func isOnGrid(_ row: Int) -> Bool {
    geoms.coordinates(row).allSatisfy { index in
      let (x, y) = (geoms.x(index), geoms.y(index))
      return geoms.isEmptyPoint(index) || nearestOnGrid(x, scale) == x && nearestOnGrid(y, scale) == y
    }
  }

  private mutating func leaveFailed(_ row: Int) {
    session.markFailed(row)
    leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_FAILED)
  }

  private mutating func leave(_ row: Int, _ outcome: Int32, _ status: mrd_item_status) {
    writer.copyRow(geoms, row)
    session.call.setStatus(row, status)
    outcomes?[row] = outcome
  }
}

/// From an ordinate and a scale to another ordinate.
private typealias OrdinateChange = (Double, Double) -> Double

/// What GEOS's callback is given.
private struct OrdinateJob {
  let scale: Double
  let change: OrdinateChange
}

/// The nearest double to k / scale, k rounded half to even from the exact product; an ordinate too large for a grid of
/// this scale stays.
private func nearestOnGrid(_ ordinate: Double, _ scale: Double) -> Double {
  let scaled = ordinate * scale
  guard abs(scaled) < 0x1p53 else { return ordinate }
  var multiple = scaled.rounded(.toNearestOrEven)
  let rest = scaled - multiple
  if abs(rest) == 0.5 {
    // The rounded product is a half; what rounding took from it says on which side the exact one lies.
    let error = (-scaled).addingProduct(ordinate, scale)
    if rest > 0, error > 0 { multiple += 1 }
    if rest < 0, error < 0 { multiple -= 1 }
  }
  return multiple / scale
}

/// True for an ordinate so near to the middle of two multiples that GEOS may take the other one: it rounds halves up, and
/// from a rounded product.
private func isNearHalf(_ ordinate: Double, _ scale: Double) -> Bool {
  let scaled = ordinate * scale
  guard abs(scaled) < 0x1p53 else { return false }
  return abs(scaled - scaled.rounded(.down) - 0.5) <= 8 * scaled.ulp
}

/// An ordinate near a half moved by 16 of its ulps towards the multiple that the contract asks for, so that GEOS takes
/// that one. Equal ordinates stay equal, so shared borders stay shared.
private func nudgedOffHalf(_ ordinate: Double, _ scale: Double) -> Double {
  guard isNearHalf(ordinate, scale) else { return ordinate }
  let wanted = nearestOnGrid(ordinate, scale)
  let step = 16 * ordinate.ulp
  guard abs(wanted - ordinate) > step else { return wanted }
  return ordinate + (wanted > ordinate ? step : -step)
}
