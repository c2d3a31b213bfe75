// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

func snapPair(
  _ geoms: Geoms, _ targets: Geoms, _ options: mrd_snap_options, _ out: UnsafeMutablePointer<mrd_geoms_out>,
  _ outcomes: UnsafeMutablePointer<Int32>?, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard options.flags == 0, options.tolerance_m == 0 else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS snaps vertices and edges to vertices, in coordinate units")
  }
  guard options.tolerance_coord > 0, options.tolerance_coord.isFinite, geoms.count == targets.count else {
    return fail(call, MRD_E_ARGUMENT, "a positive tolerance_coord and one target for each row are needed")
  }
  guard !geoms.hasZ || targets.hasZ else {
    return fail(call, MRD_E_UNSUPPORTED, "moved vertices take the target's Z, and these targets have none")
  }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  var snapper = PairSnapper(
    session: session, geoms: geoms, targets: targets, tolerance: options.tolerance_coord, outcomes: outcomes)
  return snapper.run(out)
}

/// Snaps row i to row i of the targets.
private struct PairSnapper {
  let session: Session
  let geoms: Geoms
  let targets: Geoms
  let tolerance: Double
  let outcomes: UnsafeMutablePointer<Int32>?
  let builder: RowBuilder
  let targetBuilder: RowBuilder
  var writer: GeomsWriter

  init(
    session: Session, geoms: Geoms, targets: Geoms, tolerance: Double, outcomes: UnsafeMutablePointer<Int32>?
  ) {
    self.session = session
    self.geoms = geoms
    self.targets = targets
    self.tolerance = tolerance
    self.outcomes = outcomes
    builder = RowBuilder(session, geoms, third: .z, skipsEmptyPoints: true)
    targetBuilder = RowBuilder(session, targets, third: .z, skipsEmptyPoints: true)
    writer = GeomsWriter(session.call, type: geoms.type, dims: geoms.raw.dims)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    session.forEachRow(geoms.count, { snap($0) }, finish: { writer.finish(out, session.call) })
  }

  private mutating func snap(_ row: Int) {
    switch builder.start(row) {
    case .left(let status, let isFault): leave(row, isFault ? MRD_SNAP_WITHHELD : MRD_SNAP_UNCHANGED, status)
    case .ready(let geometry): session.consume(geometry) { snap($0, row) }
    }
  }

  private mutating func snap(_ geometry: Geometry, _ row: Int) {
    switch targetBuilder.start(row) {
    case .left(_, isFault: false): leave(row, MRD_SNAP_UNCHANGED, MRD_ITEM_OK)
    case .left(MRD_ITEM_FAILED, _): leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_FAILED)
    case .left: leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_NOT_APPLIED)
    case .ready(let target):
      guard let result = session.consume(target, { GEOSSnap_r(session.context, geometry, $0, tolerance) }) else {
        return leaveFailed(row)
      }
      session.consume(result) { accept($0, of: geometry, row) }
    }
  }

  /// Takes the result when it keeps the promises of the family; GEOS makes none of them.
  private mutating func accept(_ result: Geometry, of geometry: Geometry, _ row: Int) {
    guard let outline = Outline(session, result, dimension: dimension(of: geoms.type)) else { return leaveFailed(row) }
    if isSame(outline, geoms, row) { return leave(row, MRD_SNAP_UNCHANGED, MRD_ITEM_OK) }
    let sameShape = outline.pathEnds.count == pathCount(geoms, row) && outline.parts == nonEmptyParts(geoms, row)
    let becameInvalid = GEOSisValid_r(session.context, result) != 1 && GEOSisValid_r(session.context, geometry) == 1
    guard sameShape, !becameInvalid, Movement(geoms, row, outline).isWithin(tolerance, session.call) else {
      return leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_NOT_APPLIED)
    }
    if geoms.isPuntal { writer.writePoints(outline, of: geoms, row) } else { writer.write(outline) }
    outcomes?[row] = MRD_SNAP_MOVED
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
