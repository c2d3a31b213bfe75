// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Two rows that share a face.
private struct SharedFace: BitwiseCopyable {
  let row: Int32
  let other: Int32
  let face: Int32
}

/// Overlaps of rows and gaps between them, from the faces of the layer's graph.
///
/// Faces are visited along a tree, back and forth, so that the rows that cover each are at hand at the cost of one piece a
/// step.
struct LayerAreas {
  private struct Step: BitwiseCopyable {
    let face: Int32
    var next: Int32
    /// The half-edge that was crossed, from its left; -1 at the start.
    let entry: Int32
  }

  private var steps: ScratchList<Step>
  private var visited: ScratchList<Bool>
  /// The rows that cover the present face, and where each row is among them; -1 = not.
  private var covering: ScratchList<Int32>
  private var placeOf: ScratchList<Int32>
  private var shared: ScratchList<SharedFace>
  private var gaps: ScratchList<Int32>
  private var width: GapWidth
  /// More shared faces than are worked on.
  private(set) var isTruncated = false
  private static let mostShared = 1 << 24

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    steps = ScratchList(call)
    visited = ScratchList(call)
    covering = ScratchList(call)
    placeOf = ScratchList(call)
    shared = ScratchList(call)
    gaps = ScratchList(call)
    width = GapWidth(call)
  }

  mutating func judge(
    _ graph: LayerGraph, _ faces: LayerFaces, _ options: mrd_validate_options,
    into findings: inout ScratchList<LayerFinding>, _ poll: inout CancelPoll
  ) throws(Stop) {
    try visit(graph, faces, &poll)
    try reportOverlaps(graph, faces, &findings, &poll)
    for index in 0..<gaps.count { try reportGap(Int(gaps[index]), graph, faces, options, &findings, &poll) }
  }

  // MARK: Faces

  private mutating func visit(_ graph: LayerGraph, _ faces: LayerFaces, _ poll: inout CancelPoll) throws(Stop) {
    try visited.fill(faces.count, false)
    try placeOf.fill(graph.rows.statuses.count, -1)
    covering.truncate(0)
    shared.truncate(0)
    gaps.truncate(0)
    steps.truncate(0)
    visited[0] = true
    try steps.push(Step(face: 0, next: faces.halves.starts[0], entry: -1))
    while steps.count > 0 {
      let top = steps.count &- 1
      let step = steps[top]
      if Int(step.next) == faces.halves.range(Int(step.face)).upperBound {
        steps.truncate(top)
        if step.entry >= 0 { try cross(Int(step.entry), graph) }
        continue
      }
      steps[top].next &+= 1
      let half = Int(faces.halves.values[Int(step.next)])
      let other = Int(faces.left[half ^ 1])
      if visited[other] { continue }
      visited[other] = true
      if poll.tick() { throw .cancelled }
      try cross(half, graph)
      try arrive(other)
      try steps.push(
        Step(
          face: Int32(truncatingIfNeeded: other), next: faces.halves.starts[other],
          entry: Int32(truncatingIfNeeded: half)))
    }
  }

  /// Each row that a piece bounds is on one side of it.
  private mutating func cross(_ half: Int, _ graph: LayerGraph) throws(Stop) {
    for index in graph.borders.range(half >> 1) {
      let row = Int(graph.borders.values[index])
      let place = Int(placeOf[row])
      if place < 0 {
        placeOf[row] = Int32(truncatingIfNeeded: covering.count)
        try covering.push(Int32(truncatingIfNeeded: row))
      } else {
        let last = covering[covering.count &- 1]
        covering[place] = last
        placeOf[Int(last)] = Int32(truncatingIfNeeded: place)
        placeOf[row] = -1
        covering.truncate(covering.count &- 1)
      }
    }
  }

  private mutating func arrive(_ face: Int) throws(Stop) {
    if covering.count == 0 { return try gaps.push(Int32(truncatingIfNeeded: face)) }
    if covering.count == 1 { return }
    for index in 1..<covering.count {
      if shared.count > LayerAreas.mostShared {
        isTruncated = true
        return
      }
      for other in 0..<index {
        let (a, b) = (covering[index], covering[other])
        try shared.push(SharedFace(row: min(a, b), other: max(a, b), face: Int32(truncatingIfNeeded: face)))
      }
    }
  }

  // MARK: Problems

  /// One for each pair of rows, at the least place of what they share; the value is its area.
  private mutating func reportOverlaps(
    _ graph: LayerGraph, _ faces: LayerFaces, _ findings: inout ScratchList<LayerFinding>, _ poll: inout CancelPoll
  ) throws(Stop) {
    shared.sort { a, b in
      if a.row != b.row { return a.row < b.row }
      return a.other != b.other ? a.other < b.other : a.face < b.face
    }
    var begin = 0
    while begin < shared.count {
      let pair = shared[begin]
      var area = CompensatedSum()
      var least = Int(faces.faces[Int(pair.face)].least)
      var end = begin
      while end < shared.count && shared[end].row == pair.row && shared[end].other == pair.other {
        let face = faces.faces[Int(shared[end].face)]
        area.add(face.area)
        if graph.edges.place(Int(face.least), graph.rows) < graph.edges.place(least, graph.rows) {
          least = Int(face.least)
        }
        end &+= 1
      }
      try findings.push(
        try finding(MRD_PROBLEM_LAYER_OVERLAP, Int(pair.row), Int(pair.other), least, area.value, graph))
      if poll.tick(end &- begin) { throw .cancelled }
      begin = end
    }
  }

  /// The rows that are named are the first two that bound the gap.
  private mutating func reportGap(
    _ face: Int, _ graph: LayerGraph, _ faces: LayerFaces, _ options: mrd_validate_options,
    _ findings: inout ScratchList<LayerFinding>, _ poll: inout CancelPoll
  ) throws(Stop) {
    let gap = faces.faces[face]
    let (mostArea, mostWidth) = (options.gap_max_area_coord, options.gap_max_width_coord)
    if mostArea > 0 && gap.area > mostArea { return }
    if mostWidth > 0, try width.isWider(face, than: mostWidth, graph, faces, &poll) { return }
    var (first, second) = (Int.max, Int.max)
    for index in faces.halves.range(face) {
      for border in graph.borders.range(Int(faces.halves.values[index]) >> 1) {
        let row = Int(graph.borders.values[border])
        if row < first { (first, second) = (row, first) } else if row > first { second = min(second, row) }
      }
    }
    var finding = try finding(
      MRD_PROBLEM_LAYER_GAP, first, second == Int.max ? -1 : second, Int(gap.least), gap.area, graph)
    finding.threshold = mostArea > 0 ? mostArea : .nan
    try findings.push(finding)
  }

  private func finding(
    _ code: Int32, _ row: Int, _ other: Int, _ point: Int, _ area: Double, _ graph: LayerGraph
  ) throws(Stop) -> LayerFinding {
    let own = try graph.vertex(of: row, at: point)
    var finding = LayerFinding(
      code: code, row: row, name: own.name, runsBack: own.runsBack, place: graph.edges.place(point, graph.rows),
      value: area)
    if other >= 0 {
      finding.otherRow = other
      finding.otherName = try graph.vertex(of: other, at: point).name
    }
    return finding
  }
}
