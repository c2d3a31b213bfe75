// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

func simplifyRun(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_simplify_options>?,
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ outcomes: UnsafeMutablePointer<Int32>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out = knownResult(out, call) else { return call.failure }
  guard let info = simplifyInfo(op)?.pointee else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS 3.11 has no such method")
  }
  guard let known = knownOptions(options, zero: mrd_simplify_options(), call) else { return call.failure }
  if let reason = refusal(known) { return fail(call, MRD_E_UNSUPPORTED, reason) }
  guard let tolerance = known.tolerances?.pointee, known.n_tolerances == 1, tolerance >= 0,
    known.collapse >= MRD_COLLAPSE_KEEP, known.collapse <= MRD_COLLAPSE_DROP
  else { return fail(call, MRD_E_ARGUMENT, "one tolerance that is not negative and not NaN is needed") }
  var status = MRD_OK
  guard let geoms = admit(input, info, call, &status) else { return status }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  var simplifier = Simplifier(
    session: session, geoms: geoms, op: op, tolerance: tolerance, options: known, outcomes: outcomes)
  return simplifier.run(out)
}

/// What GEOS cannot do, or nil.
private func refusal(_ options: mrd_simplify_options) -> StaticString? {
  if options.unit != MRD_TOLERANCE_COORD { return "GEOS takes tolerances in coordinate units only" }
  if options.flags & ~UInt32(MRD_SIMPLIFY_WANT_KEPT) != 0 { return "GEOS has no such variant" }
  if options.n_tolerances > 1 { return "GEOS cannot promise nested levels: give one tolerance" }
  if options.target_count != 0 || options.target_share != 0 { return "GEOS simplifies by tolerance only" }
  if options.max_distance != 0 { return "GEOS has no second bound" }
  return options.protected_vertices != nil ? "GEOS cannot protect vertices" : nil
}

/// Simplifies the rows of one call.
///
/// GEOS carries neither M nor numbers of vertices. It is given the number of each vertex as Z, so the vertices of its
/// result are written from the input, bit-equal, with their own Z and M.
private struct Simplifier {
  let session: Session
  let geoms: Geoms
  let op: UInt32
  let tolerance: Double
  let collapse: Int32
  let wantsKept: Bool
  let outcomes: UnsafeMutablePointer<Int32>?
  let builder: RowBuilder
  var writer: GeomsWriter
  var kept: ResultBuffer<Int64>
  var points: ResultBuffer<Double>

  init(
    session: Session, geoms: Geoms, op: UInt32, tolerance: Double, options: mrd_simplify_options,
    outcomes: UnsafeMutablePointer<Int32>?
  ) {
    self.session = session
    self.geoms = geoms
    self.op = op
    self.tolerance = tolerance
    self.outcomes = outcomes
    collapse = options.collapse
    wantsKept = options.flags & UInt32(MRD_SIMPLIFY_WANT_KEPT) != 0
    builder = RowBuilder(session, geoms, third: .number)
    writer = GeomsWriter(session.call, type: geoms.type, dims: geoms.raw.dims)
    kept = ResultBuffer(session.call, MRD_BUF_IDS)
    points = ResultBuffer(session.call, MRD_BUF_VALUES)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    session.forEachRow(geoms.count) { row in
      simplify(row)
      if collapse == MRD_COLLAPSE_POINT, points.count == 2 * row { appendPoint(.nan, .nan) }
    } finish: {
      finish(out)
    }
  }

  private mutating func finish(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    let fine = (!wantsKept || kept.finish()) && (collapse != MRD_COLLAPSE_POINT || points.finish())
    guard fine else { return fail(session.call, MRD_E_MEMORY, "no memory for the result") }
    return writer.finish(out, session.call)
  }

  private mutating func simplify(_ row: Int) {
    if geoms.isPuntal, !geoms.isNull(row) {
      return leave(row, MRD_SIMPLIFY_UNCHANGED, geoms.isEmpty(row) ? MRD_ITEM_EMPTY : MRD_ITEM_OK)
    }
    switch builder.start(row) {
    case .left(let status, let isFault): leave(row, isFault ? MRD_SIMPLIFY_WITHHELD : MRD_SIMPLIFY_UNCHANGED, status)
    case .ready(let geometry): session.consume(geometry) { simplify($0, row) }
    }
  }

  private mutating func simplify(_ geometry: Geometry, _ row: Int) {
    let preserving = op == MRD_SIMPLIFY_TOPOLOGY_PRESERVING
    guard !preserving || Reach.holds(geoms, row),
      Recursion.isShallow(geoms, row, tolerance: preserving ? -1 : tolerance, session.call)
    else {
      return leave(row, MRD_SIMPLIFY_WITHHELD, MRD_ITEM_UNSUPPORTED)
    }
    if preserving, GEOSisValid_r(session.context, geometry) != 1 {
      return leave(row, MRD_SIMPLIFY_WITHHELD, MRD_ITEM_INVALID)
    }
    let result =
      preserving
      ? GEOSTopologyPreserveSimplify_r(session.context, geometry, tolerance)
      : GEOSSimplify_r(session.context, geometry, tolerance)
    guard let result else { return leaveFailed(row) }
    session.consume(result) { result in
      if preserving, GEOSisValid_r(session.context, result) != 1 {
        return leave(row, MRD_SIMPLIFY_WITHHELD, MRD_ITEM_NOT_APPLIED)
      }
      guard let outline = Outline(session, result, dimension: dimension(of: geoms.type)) else {
        return leaveFailed(row)
      }
      write(outline, row)
    }
  }

  private mutating func write(_ whole: Outline, _ row: Int) {
    var outline = whole
    if dimension(of: geoms.type) == 1 { outline.removeParts(isPointLike) }
    if outline.parts == 0 { return vanish(row) }
    let lost = outline.pathEnds.count < pathCount(geoms, row)
    let single = geoms.type == MRD_LINESTRING || geoms.type == MRD_POLYGON
    guard !(lost && collapse == MRD_COLLAPSE_KEEP), !(single && outline.parts > 1),
      let numbers = inputNumbers(outline, row)
    else { return leave(row, MRD_SIMPLIFY_WITHHELD, MRD_ITEM_NOT_APPLIED) }
    if isSame(outline, geoms, row) { return leave(row, MRD_SIMPLIFY_UNCHANGED, MRD_ITEM_OK) }
    let geoms = geoms
    writer.write(outline) { $0.add(geoms, numbers[$1]) }
    if wantsKept { for number in numbers { kept.append(Int64(number)) } }
    outcomes?[row] = MRD_SIMPLIFY_REDUCED
  }

  /// A closed line that shrank to its two equal ends.
  private func isPointLike(_ outline: Outline, _ part: Int) -> Bool {
    for path in outline.paths(ofPart: part) {
      let span = outline.path(path)
      for index in span.dropFirst() {
        if outline.xs[index] != outline.xs[span.lowerBound] || outline.ys[index] != outline.ys[span.lowerBound] {
          return false
        }
      }
    }
    return true
  }

  /// Which input vertex each vertex of the result is; nil when GEOS made a new one, as it does when it rebuilds a
  /// polygon whose simplified rings cross. The rebuilding loses the numbers, so places are looked up then.
  private func inputNumbers(_ outline: Outline, _ row: Int) -> [Int]? {
    let span = geoms.coordinates(row)
    var places: VertexSet?
    var numbers: [Int] = []
    numbers.reserveCapacity(outline.vertices)
    for index in 0..<outline.vertices {
      let (x, y) = (outline.xs[index], outline.ys[index])
      if let hint = Int(exactly: outline.zs[index]), span.contains(hint), geoms.x(hint) == x, geoms.y(hint) == y {
        numbers.append(hint)
        continue
      }
      let known = places ?? VertexSet(geoms, row)
      places = known
      guard let vertex = known.find(x, y) else { return nil }
      numbers.append(vertex.number)
    }
    return numbers
  }

  /// Nothing of the row's dimension was left.
  private mutating func vanish(_ row: Int) {
    switch collapse {
    case MRD_COLLAPSE_KEEP: return leave(row, MRD_SIMPLIFY_WITHHELD, MRD_ITEM_NOT_APPLIED)
    case MRD_COLLAPSE_POINT:
      let first = geoms.coordinates(row).lowerBound
      appendPoint(geoms.x(first), geoms.y(first))
      outcomes?[row] = MRD_SIMPLIFY_TO_POINT
    default: outcomes?[row] = MRD_SIMPLIFY_DROPPED
    }
    writer.endRow()
  }

  private mutating func appendPoint(_ x: Double, _ y: Double) {
    points.append(x)
    points.append(y)
  }

  private mutating func leaveFailed(_ row: Int) {
    session.markFailed(row)
    leave(row, MRD_SIMPLIFY_WITHHELD, MRD_ITEM_FAILED)
  }

  /// Gives the row as it was.
  private mutating func leave(_ row: Int, _ outcome: Int32, _ status: mrd_item_status) {
    let before = writer.coordinates
    writer.copyRow(geoms, row)
    session.call.setStatus(row, status)
    outcomes?[row] = outcome
    guard wantsKept else { return }
    let first = geoms.isNull(row) ? -1 : geoms.coordinates(row).lowerBound
    for offset in 0..<(writer.coordinates - before) { kept.append(Int64(first < 0 ? -1 : first + offset)) }
  }
}
