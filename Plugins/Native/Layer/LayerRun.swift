// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Judges the rows of a layer against each other. Rows that are the same point set count once: one problem for each further
/// one, and what else there is to say names the first.
struct LayerRun {
  private let geoms: Geoms
  private let options: mrd_validate_options
  private let call: UnsafeMutablePointer<mrd_call>
  private var poll: CancelPoll
  private var same: SameRows
  private var findings: ScratchList<LayerFinding>
  private var isTruncated = false

  init(_ geoms: Geoms, _ options: mrd_validate_options, _ call: UnsafeMutablePointer<mrd_call>) {
    self.geoms = geoms
    self.options = options
    self.call = call
    poll = CancelPoll(call)
    same = SameRows(call)
    findings = ScratchList(call)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_problems_out>) -> mrd_status {
    do throws(Stop) {
      let rows = try LayerRows(geoms, call, &poll)
      if geoms.isPuntal { try judgePoints(rows) } else { try judgePaths(rows) }
      try reportCopies(rows)
      if poll.tick(findings.count) { throw .cancelled }
      return try write(rows, out)
    } catch {
      switch error {
      case .cancelled: return fail(call, MRD_E_CANCELLED, "cancelled")
      case .limit, .notApplied:
        return fail(call, MRD_E_UNSUPPORTED, "the layer has more vertices, or edges that meet, than are worked on")
      case .memory: return fail(call, MRD_E_MEMORY, "no memory for the edges of the layer")
      }
    }
  }

  // MARK: Rules

  private mutating func judgePoints(_ rows: LayerRows) throws(Stop) {
    var points = NumberLists(call)
    try points.fill(geoms.count) { (add: (Int, Int) -> Void) throws(Stop) in
      for vertex in 0..<rows.entries.count { add(rows.row(of: vertex), Int(rows.entries[vertex])) }
    }
    var sets = NumberLists(call)
    try sets.begin()
    for row in 0..<geoms.count {
      let range = points.range(row)
      points.values.sort(range) { $0 < $1 }
      for index in range where index == range.lowerBound || points.values[index] != points.values[index &- 1] {
        try sets.values.push(points.values[index])
      }
      try sets.end()
    }
    try same.find(geoms.count, sets)
  }

  private mutating func judgePaths(_ rows: LayerRows) throws(Stop) {
    var edges = try LayerEdges(call)
    try edges.build(rows, crossings: geoms.isPolygonal, &poll)
    var pieces = LayerPieces(call)
    try pieces.build(edges, &poll)
    let rule = geoms.isPolygonal ? PieceRule.borders : .members
    var ofEdges = NumberLists(call)
    try edges.rows(rule, rows, into: &ofEdges, &poll)
    var members = NumberLists(call)
    try pieces.rows(rule, ofEdges, into: &members, &poll)
    var byRow = NumberLists(call)
    try byRow.invert(members, rows: geoms.count)
    try same.find(geoms.count, byRow)
    if geoms.isLineal {
      var lines = LayerLines(call)
      return try lines.judge(rows, edges, pieces, same, into: &findings, &poll)
    }
    var borders = NumberLists(call)
    let same = self.same
    try borders.copy(members) { same.isCopy($0) }
    let graph = try LayerGraph(rows, edges, pieces, borders, call, &poll)
    var faces = LayerFaces(call)
    try faces.build(graph, &poll)
    var areas = LayerAreas(call)
    try areas.judge(graph, faces, options, into: &findings, &poll)
    var meetings = LayerBorders(call)
    try meetings.judge(graph, same, into: &findings, &poll)
    isTruncated = areas.isTruncated || meetings.isTruncated
  }

  // MARK: Copies

  private mutating func reportCopies(_ rows: LayerRows) throws(Stop) {
    var least = ScratchList<Int32>(call)
    try least.fill(geoms.count, -1)
    for vertex in 0..<rows.entries.count {
      if poll.tick() { throw .cancelled }
      let row = rows.row(of: vertex)
      let known = Int(least[row])
      if known < 0 || rows.place(Int(rows.entries[vertex])) < rows.place(Int(rows.entries[known])) {
        least[row] = Int32(truncatingIfNeeded: vertex)
      }
    }
    for row in 0..<geoms.count where same.isCopy(row) {
      let first = Int(same.first[row])
      let (own, other) = (Int(least[first]), Int(least[row]))
      try findings.push(
        LayerFinding(
          code: MRD_PROBLEM_LAYER_DUPLICATE, row: first, name: rows.name(own), otherRow: row,
          otherName: rows.name(other), place: rows.place(Int(rows.entries[own]))))
    }
  }

  // MARK: Results

  private mutating func write(
    _ rows: LayerRows, _ out: UnsafeMutablePointer<mrd_problems_out>
  ) throws(Stop) -> mrd_status {
    let verdicts = out.pointee.verdicts
    for row in 0..<geoms.count {
      let status = rows.statuses[row]
      let isJudged = status == MRD_ITEM_OK || status == MRD_ITEM_EMPTY
      call.setStatus(row, isJudged ? MRD_ITEM_OK : status)
      if isJudged && isTruncated { call.addWarning(row, MRD_ITEM_WARN_TRUNCATED) }
      // What was not looked at may be wrong with any row.
      verdicts?[row] = UInt8(isJudged && !isTruncated ? MRD_VERDICT_VALID : MRD_VERDICT_UNKNOWN)
    }
    findings.sort { LayerFinding.isBefore($0, $1) }
    var records = ResultBuffer<mrd_problem>(call, MRD_BUF_RECORDS)
    let most = options.mode == MRD_MODE_FIRST ? 1 : options.limit == 0 ? Int.max : Int(options.limit)
    var (row, count) = (-1, 0)
    for index in 0..<findings.count {
      let finding = findings[index]
      verdicts?[finding.row] = UInt8(MRD_VERDICT_INVALID)
      if finding.otherRow >= 0 { verdicts?[finding.otherRow] = UInt8(MRD_VERDICT_INVALID) }
      if finding.row != row { (row, count) = (finding.row, 0) }
      count &+= 1
      if options.mode == MRD_MODE_VERDICT { continue }
      if count <= most {
        records.append(finding.record)
      } else if options.mode == MRD_MODE_ALL {
        call.addWarning(row, MRD_ITEM_WARN_TRUNCATED)
      }
    }
    guard records.finish() else { throw .memory }
    out.pointee.record_size = UInt32(MemoryLayout<mrd_problem>.stride)
    out.pointee.count = Int64(records.count)
    return MRD_OK
  }
}
