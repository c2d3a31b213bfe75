// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Judges the rows of one call and writes their records.
struct ValidateRun {
  private let op: UInt32
  private let geoms: Geoms
  private let options: mrd_validate_options
  private let call: UnsafeMutablePointer<mrd_call>
  private var polygons: PolygonCheck
  private var records: ResultBuffer<mrd_problem>
  /// The verdict on the last row.
  var isValid: Bool { polygons.hasVerdict && !polygons.isInvalid }

  init(_ op: UInt32, _ geoms: Geoms, _ options: mrd_validate_options, _ call: UnsafeMutablePointer<mrd_call>) {
    self.geoms = geoms
    self.options = options
    self.call = call
    self.op = op
    let rule: ContactRule = op == MRD_VALIDATE_VALID ? .area : geoms.isPolygonal ? .simpleRings : .simpleLines
    polygons = PolygonCheck(geoms, call, options, rule: rule)
    records = ResultBuffer(call, MRD_BUF_RECORDS)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_problems_out>) -> mrd_status {
    guard reserve() else { return fail(call, MRD_E_MEMORY, "no memory for the edges") }
    for row in 0..<geoms.count {
      if polygons.poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
      if geoms.isNull(row) {
        call.setStatus(row, MRD_ITEM_NULL)
        out.pointee.verdicts?[row] = UInt8(MRD_VERDICT_UNKNOWN)
        continue
      }
      guard let edges = judge(row) else {
        return polygons.poll.isCancelled
          ? fail(call, MRD_E_CANCELLED, "cancelled", item: row)
          : fail(call, MRD_E_MEMORY, "no memory to judge a row", item: row)
      }
      note(row, edges, out)
    }
    return finish(out)
  }

  /// The same for one row whose contacts are known and decide it.
  mutating func run(
    _ out: UnsafeMutablePointer<mrd_problems_out>, _ edges: EdgeSet, _ contacts: HandleList<Contact>
  ) -> mrd_status {
    guard polygons.judge(edges, knowing: contacts) else {
      return polygons.poll.isCancelled
        ? fail(call, MRD_E_CANCELLED, "cancelled") : fail(call, MRD_E_MEMORY, "no memory to judge a row")
    }
    note(0, edges, out)
    return finish(out)
  }

  private mutating func note(_ row: Int, _ edges: EdgeSet, _ out: UnsafeMutablePointer<mrd_problems_out>) {
    if polygons.findings.count > 0 { write(row, edges) }
    if polygons.isTruncated { call.addWarning(row, MRD_ITEM_WARN_TRUNCATED) }
    let verdict =
      polygons.isInvalid ? MRD_VERDICT_INVALID : polygons.hasVerdict ? MRD_VERDICT_VALID : MRD_VERDICT_UNKNOWN
    out.pointee.verdicts?[row] = UInt8(verdict)
  }

  private mutating func finish(_ out: UnsafeMutablePointer<mrd_problems_out>) -> mrd_status {
    guard records.finish() else { return fail(call, MRD_E_MEMORY, "no memory for the problems") }
    out.pointee.record_size = UInt32(MemoryLayout<mrd_problem>.stride)
    out.pointee.count = Int64(records.count)
    return MRD_OK
  }

  /// The memory for the edges of the largest row.
  private mutating func reserve() -> Bool {
    if geoms.isPuntal || (op == MRD_VALIDATE_VALID && geoms.isLineal) { return true }
    var most = 0
    for row in 0..<geoms.count { most = max(most, geoms.coordinates(row).count) }
    return polygons.blocks.reserve(most)
  }

  @inline(__always)
  private mutating func judge(_ row: Int) -> EdgeSet? {
    if op != MRD_VALIDATE_VALID { return polygons.checkSimple(row) }
    return geoms.isPolygonal ? polygons.check(row) : polygons.checkPaths(row)
  }

  private mutating func write(_ row: Int, _ edges: EdgeSet) {
    switch options.mode {
    case MRD_MODE_VERDICT: return
    case MRD_MODE_FIRST: records.append(polygons.firstFinding(edges).record(row: row))
    default:
      polygons.sortFindings(edges)
      var (errors, others) = (Int.max, Int.max)
      if options.limit > 0 && Int64(polygons.findings.count) > options.limit {
        (errors, others) = shares(of: Int(options.limit))
        polygons.isTruncated = true
      }
      for index in 0..<polygons.findings.count {
        let finding = polygons.findings[index]
        if finding.severity == MRD_SEVERITY_ERROR {
          errors &-= 1
          if errors >= 0 { records.append(finding.record(row: row)) }
        } else {
          others &-= 1
          if others >= 0 { records.append(finding.record(row: row)) }
        }
      }
    }
  }

  /// How many errors and how many other findings of a row a limit leaves: errors first, so that no warning hides one.
  private func shares(of limit: Int) -> (errors: Int, others: Int) {
    var errors = 0
    for index in 0..<polygons.findings.count where polygons.findings[index].severity == MRD_SEVERITY_ERROR {
      errors &+= 1
    }
    return (min(errors, limit), max(0, limit &- errors))
  }
}

extension PolygonCheck {
  /// In the canonical order.
  mutating func sortFindings(_ edges: EdgeSet) {
    let sphere = sphere
    findings.sort { PolygonCheck.isBefore($0, $1, edges, sphere) }
  }

  private static func isBefore(_ a: Finding, _ b: Finding, _ edges: EdgeSet, _ sphere: SphereEdges?) -> Bool {
    guard let sphere else { return edges.isBefore(a, b) }
    return edges.isBefore(a, b, sphere.positionOrder)
  }

  /// The first problem, in the canonical order, of the earliest phase that has any. There is one.
  func firstFinding(_ edges: EdgeSet) -> Finding {
    var first = findings[0]
    for index in 1..<max(1, findings.count) {
      let next = findings[index]
      if next.phase < first.phase || (next.phase == first.phase && PolygonCheck.isBefore(next, first, edges, sphere)) {
        first = next
      }
    }
    return first
  }
}
