// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Repairs the rows of one call.
struct RepairRun {
  private let geoms: Geoms
  private let call: UnsafeMutablePointer<mrd_call>
  private let reports: RepairReports
  private var rule: Int32 { reports.rule }
  private var writer: GeomsWriter
  private var poll: CancelPoll
  private var rings: RepairRings
  private var blocks: BoxedEdges
  private var noding: Noding
  private var graph: PlanarGraph
  private var faces: Faces
  private var labels: FaceRules
  private var parts: PartRules
  private var linework: LineworkRule
  private var loops: BorderLoops
  private var polygons: PolygonWriter
  private var collapsed: Collapsed
  private var isLeftOver: ScratchList<Bool>
  private var lone: LonePlaces

  init(
    _ geoms: Geoms, reports: RepairReports, _ call: UnsafeMutablePointer<mrd_call>
  ) throws(Stop) {
    self.geoms = geoms
    self.reports = reports
    self.call = call
    writer = GeomsWriter(call, type: geoms.multiType, dims: geoms.raw.dims)
    poll = CancelPoll(call)
    rings = RepairRings(call)
    blocks = try BoxedEdges(call)
    noding = Noding(call)
    graph = PlanarGraph(call)
    faces = Faces(call)
    labels = FaceRules(call)
    parts = PartRules(call)
    linework = try LineworkRule(call)
    loops = BorderLoops(call)
    polygons = PolygonWriter(call)
    collapsed = Collapsed(call)
    isLeftOver = ScratchList(call)
    lone = LonePlaces(call)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_geoms_out>) throws(Stop) -> mrd_status {
    for row in 0..<geoms.count {
      let status = geoms.inspect(row, .finite, &poll)
      if poll.tick() { throw .cancelled }
      switch status {
      case MRD_ITEM_OK: try repair(row)
      case MRD_ITEM_EMPTY: leave(row, MRD_REPAIR_UNCHANGED, MRD_ITEM_OK)
      case MRD_ITEM_NULL: leave(row, MRD_REPAIR_UNCHANGED, status)
      default: leave(row, MRD_REPAIR_WITHHELD, status)
      }
    }
    return writer.finish(out, call)
  }

  /// Gives a row as it was.
  private mutating func leave(_ row: Int, _ outcome: Int32, _ status: mrd_item_status) {
    writer.copyRow(geoms, row)
    call.setStatus(row, status)
    guard reports.isWanted else { return }
    let isNull = geoms.isNull(row)
    let area = isNull ? 0 : geoms.repairArea(row)
    let parts = isNull ? 0 : geoms.partCount(row)
    reports.writeLeft(row, outcome, area: area, parts: parts)
  }

  private mutating func repair(_ row: Int) throws(Stop) {
    if geoms.isPuntal { return leave(row, MRD_REPAIR_UNCHANGED, MRD_ITEM_OK) }
    if geoms.isLineal { return try repairLines(row) }
    do throws(Stop) {
      if try isValid(row) { return leave(row, MRD_REPAIR_UNCHANGED, MRD_ITEM_OK) }
      try write(row)
    } catch {
      guard error == .limit || error == .notApplied else { throw error }
      leave(row, MRD_REPAIR_WITHHELD, MRD_ITEM_NOT_APPLIED)
    }
  }

  // MARK: Polygons

  /// Judges a polygonal row; one that is not valid is left noded, with its graph and faces.
  private mutating func isValid(_ row: Int) throws(Stop) -> Bool {
    try rings.load(geoms, row)
    let isCurrent = try noding.run(&rings, &blocks, geoms, row, &poll)
    let isClear = !rings.hasRingError && !noding.findings.hasCrossing
    if isClear && rings.rings.count == 1 && !noding.findings.hasTouch { return true }
    try graph.build(&rings)
    try faces.build(graph, rings, &blocks, blocksAreCurrent: isCurrent, &poll)
    // One ring that crosses itself is judged, and its region is that of winding numbers alone.
    guard isClear || (rule == MRD_REPAIR_STRUCTURE && rings.rings.count > 1) else { return false }
    return try parts.survey(graph, faces, rings, &poll) && isClear
  }

  private mutating func write(_ row: Int) throws(Stop) {
    try label()
    let isInside = labels.isInside.start
    let left = faces.left.start
    try loops.trace(
      graph, rings, faceOf: { Int(left[$0]) },
      isBorder: { isInside[Int(left[$0])] && !isInside[Int(left[$0 ^ 1])] },
      isOpen: { isInside[Int(left[$0])] && isInside[Int(left[$0 ^ 1])] })
    let open = try countOpen()
    let written = try polygons.write(loops, graph, faces, labels.isInside, rings, geoms, row, &writer)
    call.setStatus(row, MRD_ITEM_OK)
    guard reports.isWanted else { return }
    reports.write(
      row,
      mrd_repair_report(
        outcome: written.parts == 0 ? MRD_REPAIR_COLLAPSED : MRD_REPAIR_REPAIRED, rule: rule,
        area_before: geoms.repairArea(row), area_after: written.area, vertices_added: Int64(written.added),
        vertices_dropped: Int64(written.dropped), parts_before: Int64(geoms.partCount(row)),
        parts_after: Int64(written.parts), collapsed: Int64(open)))
  }

  private mutating func label() throws(Stop) {
    switch rule {
    case MRD_REPAIR_EVEN_ODD: try labels.label(graph, faces, byParity: true)
    case MRD_REPAIR_NONZERO: try labels.label(graph, faces, byParity: false)
    case MRD_REPAIR_LINEWORK:
      if graph.hasCoincidentArcs {
        try linework.label(graph, faces, rings, &labels.isInside, &isLeftOver, &poll)
      } else {
        try labels.label(graph, faces, byParity: true)
      }
    default:
      // A hole alone, its shell collapsed, is nothing.
      if rings.rings.count == 1 && rings.rings[0].isShell {
        try labels.label(graph, faces, byParity: false)
      } else {
        if rings.rings.count < 2 { _ = try parts.survey(graph, faces, rings, &poll) }
        try parts.label(graph, faces, rings, &labels.isInside, &poll)
      }
    }
  }

  private mutating func countOpen() throws(Stop) -> Int {
    guard reports.isWanted else { return 0 }
    let points = rings.pointRings.count
    guard graph.hasCoincidentArcs else { return points }
    let graph = self.graph
    if rule == MRD_REPAIR_LINEWORK {
      let isLeftOver = self.isLeftOver.start
      return try points + collapsed.count(graph) { isLeftOver[$0] }
    }
    return try points + collapsed.count(graph) { graph.isRunBack($0) }
  }

  // MARK: Lines

  /// A line that is one point, however often, is dropped; all others are valid.
  private mutating func repairLines(_ row: Int) throws(Stop) {
    var bad = 0
    for path in 0..<geoms.pathCount(row) where isOnePoint(geoms.path(row, path)) { bad += 1 }
    guard bad > 0 else { return leave(row, MRD_REPAIR_UNCHANGED, MRD_ITEM_OK) }
    lone.reset()
    for index in 0..<geoms.pathCount(row) {
      let path = geoms.path(row, index)
      if isOnePoint(path) {
        try lone.addPoint(geoms.place(path.lowerBound))
      } else {
        for coordinate in path { try lone.addVertex(geoms.place(coordinate)) }
      }
    }
    var kept = 0
    for index in 0..<geoms.pathCount(row) {
      let path = geoms.path(row, index)
      if isOnePoint(path) { continue }
      for coordinate in path { writer.add(geoms, coordinate) }
      writer.endRing()
      if !path.isEmpty { kept += 1 }
    }
    writer.endRow()
    call.setStatus(row, MRD_ITEM_OK)
    guard reports.isWanted else { return }
    reports.write(
      row,
      mrd_repair_report(
        outcome: kept == 0 ? MRD_REPAIR_COLLAPSED : MRD_REPAIR_REPAIRED, rule: rule, area_before: 0, area_after: 0,
        vertices_added: 0, vertices_dropped: Int64(lone.count()), parts_before: Int64(geoms.partCount(row)),
        parts_after: Int64(geoms.partCount(row) - bad), collapsed: Int64(bad)))
  }

  private func isOnePoint(_ path: Range<Int>) -> Bool {
    guard let first = path.first else { return false }
    for coordinate in path where geoms.place(coordinate) != geoms.place(first) { return false }
    return true
  }
}

extension Geoms {
  /// |sum of the rings' signed areas| of a polygonal row; 0 for others.
  func repairArea(_ row: Int) -> Double {
    guard isPolygonal else { return 0 }
    var sum = 0.0
    for ring in 0..<pathCount(row) {
      var area = RingArea()
      for coordinate in path(row, ring) { area.add(place(coordinate)) }
      sum += area.value
    }
    return sum.magnitude
  }
}
