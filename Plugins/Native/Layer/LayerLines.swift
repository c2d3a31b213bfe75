// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Ends of lines: those that lie on no other line, and those where exactly two lines of two rows go on into each other.
///
/// A line here is a path: parts of a row are lines of their own. A closed line has no ends.
struct LayerLines {
  /// The paths that hold each point, each once, and pieces at it.
  private var paths: NumberLists
  private var degrees: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    paths = NumberLists(call)
    degrees = ScratchList(call)
  }

  mutating func judge(
    _ rows: LayerRows, _ edges: LayerEdges, _ pieces: LayerPieces, _ same: SameRows,
    into findings: inout ScratchList<LayerFinding>, _ poll: inout CancelPoll
  ) throws(Stop) {
    try gather(rows, edges, pieces)
    for number in 0..<rows.paths.count {
      if poll.tick() { throw .cancelled }
      let path = rows.paths[number]
      let (first, last) = (rows.entries[Int(path.first)], rows.entries[Int(path.last)])
      if first == last || same.isCopy(Int(path.row)) { continue }
      try judge(Int(path.first), number, rows, same, &findings)
      try judge(Int(path.last), number, rows, same, &findings)
    }
  }

  private mutating func gather(_ rows: LayerRows, _ edges: LayerEdges, _ pieces: LayerPieces) throws(Stop) {
    try degrees.fill(edges.pointCount, 0)
    for piece in 0..<pieces.count {
      let ends = pieces.ends(piece)
      degrees[ends.a] &+= 1
      degrees[ends.b] &+= 1
    }
    try paths.fill(edges.pointCount) { (add: (Int, Int) -> Void) throws(Stop) in
      for vertex in 0..<rows.entries.count { add(Int(rows.entries[vertex]), Int(rows.pathOf[vertex])) }
      for index in 0..<edges.cuts.count {
        for use in edges.pairs.range(Int(edges.cuts[index].edge)) {
          add(Int(edges.cuts[index].point), Int(rows.pathOf[Int(edges.pairs.items[use].tag)]))
        }
      }
    }
  }

  /// The end of a line at a vertex.
  private func judge(
    _ vertex: Int, _ path: Int, _ rows: LayerRows, _ same: SameRows, _ findings: inout ScratchList<LayerFinding>
  ) throws(Stop) {
    let point = Int(rows.entries[vertex])
    var other = -1
    var others = 0
    for index in paths.range(point) {
      let found = Int(paths.values[index])
      if found == path || found == other || same.isCopy(Int(rows.paths[found].row)) { continue }
      others &+= 1
      other = found
      if others > 1 { return }
    }
    let place = rows.place(point)
    let row = rows.row(of: vertex)
    if others == 0 {
      if degrees[point] == 1 {
        try findings.push(
          LayerFinding(code: MRD_PROBLEM_LAYER_DANGLE, row: row, name: rows.name(vertex), place: place))
      }
      return
    }
    let line = rows.paths[other]
    guard Int(line.row) > row, let end = end(of: line, at: point, rows), isPassedOnce(point, path, rows),
      isPassedOnce(point, other, rows)
    else { return }
    try findings.push(
      LayerFinding(
        code: MRD_PROBLEM_LAYER_PSEUDO_NODE, row: row, name: rows.name(vertex), otherRow: Int(line.row),
        otherName: rows.name(end), place: place))
  }

  /// The vertex with which an open line ends at a point.
  private func end(of line: LayerPath, at point: Int, _ rows: LayerRows) -> Int? {
    let (first, last) = (Int(line.first), Int(line.last))
    if rows.entries[first] == rows.entries[last] { return nil }
    return Int(rows.entries[first]) == point ? first : Int(rows.entries[last]) == point ? last : nil
  }

  /// Whether a line comes to a point once, and does not also pass it elsewhere.
  private func isPassedOnce(_ point: Int, _ path: Int, _ rows: LayerRows) -> Bool {
    var visits = 0
    for index in paths.range(point) where Int(paths.values[index]) == path { visits &+= 1 }
    return visits == 1
  }
}
