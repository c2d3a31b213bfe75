// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Borders that meet without the same vertices: a vertex of one row lies inside an edge of another.
struct LayerBorders {
  private struct Meeting: BitwiseCopyable {
    /// The vertex at which the edge begins.
    let edge: Int32
    let other: Int32
    /// The vertex of the other row that lies on the edge.
    let vertex: Int32
  }

  private var vertices: NumberLists
  private var meetings: ScratchList<Meeting>
  /// More meetings than are worked on.
  private(set) var isTruncated = false
  private static let mostMeetings = 1 << 22

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    vertices = NumberLists(call)
    meetings = ScratchList(call)
  }

  /// One problem for each edge and other row, at the least vertex of it.
  mutating func judge(
    _ graph: LayerGraph, _ same: SameRows, into findings: inout ScratchList<LayerFinding>, _ poll: inout CancelPoll
  ) throws(Stop) {
    let (rows, edges) = (graph.rows, graph.edges)
    guard edges.cuts.count > 0 else { return }
    try vertices.fill(rows.points.count) { (add: (Int, Int) -> Void) throws(Stop) in
      for vertex in 0..<rows.entries.count where rows.isEdge(vertex) { add(Int(rows.entries[vertex]), vertex) }
    }
    for index in 0..<edges.cuts.count where edges.isVertex(Int(edges.cuts[index].point)) {
      try meet(edges.cuts[index], rows, edges, same)
      if isTruncated { break }
      if poll.tick() { throw .cancelled }
    }
    meetings.sort { a, b in
      if a.edge != b.edge { return a.edge < b.edge }
      if a.other != b.other { return a.other < b.other }
      let (p, q) = (rows.place(Int(rows.entries[Int(a.vertex)])), rows.place(Int(rows.entries[Int(b.vertex)])))
      return p == q ? a.vertex < b.vertex : p < q
    }
    for index in 0..<meetings.count {
      let meeting = meetings[index]
      if index > 0 && meetings[index &- 1].edge == meeting.edge && meetings[index &- 1].other == meeting.other {
        continue
      }
      let (edge, vertex) = (Int(meeting.edge), Int(meeting.vertex))
      try findings.push(
        LayerFinding(
          code: MRD_PROBLEM_LAYER_UNMATCHED_EDGE, row: rows.row(of: edge), name: rows.name(edge),
          runsBack: graph.runsBack(edge), otherRow: Int(meeting.other), otherName: rows.name(vertex),
          place: rows.place(Int(rows.entries[vertex]))))
    }
  }

  private mutating func meet(
    _ cut: LayerCut, _ rows: LayerRows, _ edges: LayerEdges, _ same: SameRows
  ) throws(Stop) {
    for use in edges.pairs.range(Int(cut.edge)) {
      let edge = Int(edges.pairs.items[use].tag)
      let row = rows.row(of: edge)
      if same.isCopy(row) { continue }
      for index in vertices.range(Int(cut.point)) {
        let vertex = Int(vertices.values[index])
        let other = rows.row(of: vertex)
        if other == row || same.isCopy(other) { continue }
        if meetings.count >= LayerBorders.mostMeetings {
          isTruncated = true
          return
        }
        try meetings.push(
          Meeting(
            edge: Int32(truncatingIfNeeded: edge), other: Int32(truncatingIfNeeded: other),
            vertex: Int32(truncatingIfNeeded: vertex)))
      }
    }
  }
}
