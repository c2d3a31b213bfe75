// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Ends of lines: those that lie on no other line, and those where exactly two lines of two rows go on into each other.
///
/// A line here is a path: parts of a row are lines of their own. A closed line has no ends.
struct LayerLines {
  /// The paths that hold each point, once a visit, of many visits some, and how many pieces end at it.
  private var paths: NumberLists
  private var degrees: ScratchList<Int32>
  private let call: UnsafeMutablePointer<mrd_call>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    paths = NumberLists(call)
    degrees = ScratchList(call)
    self.call = call
  }

  mutating func judge(
    _ rows: LayerRows, _ edges: LayerEdges, _ pieces: LayerPieces, _ same: SameRows,
    into findings: inout ScratchList<LayerFinding>, _ poll: inout CancelPoll
  ) throws(Stop) {
    try gather(rows, edges, pieces, &poll)
    for number in 0..<rows.paths.count {
      if poll.tick() { throw .cancelled }
      let path = rows.paths[number]
      let (first, last) = (rows.entries[Int(path.first)], rows.entries[Int(path.last)])
      if first == last || same.isCopy(Int(path.row)) { continue }
      try judge(Int(path.first), number, rows, same, &findings)
      try judge(Int(path.last), number, rows, same, &findings)
    }
  }

  private mutating func gather(
    _ rows: LayerRows, _ edges: LayerEdges, _ pieces: LayerPieces, _ poll: inout CancelPoll
  ) throws(Stop) {
    try degrees.fill(edges.pointCount, 0)
    for piece in 0..<pieces.count {
      if poll.tick() { throw .cancelled }
      let ends = pieces.ends(piece)
      degrees[ends.a] &+= 1
      degrees[ends.b] &+= 1
    }
    var users = ScratchList<Int32>(call)
    try paths.fill(edges.pointCount) { (add: (Int, Int) -> Void) throws(Stop) in
      for vertex in 0..<rows.entries.count { add(Int(rows.entries[vertex]), Int(rows.pathOf[vertex])) }
      var members = 0
      for edge in 0..<edges.count where !edges.cuts(of: edge).isEmpty {
        try LayerLines.list(usersOf: edge, rows, edges, into: &users)
        let cuts = edges.cuts(of: edge)
        // Asked here already: twenty thousand lines of twenty thousand cuts are too many to count one by one.
        members &+= cuts.count &* users.count
        if members > NumberLists.most { throw .limit }
        for cut in cuts {
          for index in 0..<users.count { add(Int(edges.cuts[cut].point), Int(users[index])) }
          if poll.tick(users.count) { throw .cancelled }
        }
      }
    }
  }

  /// The paths of an edge, those that have it several times twice. Uses of an edge are in the order of vertices, so those of a
  /// path follow each other.
  private static func list(
    usersOf edge: Int, _ rows: LayerRows, _ edges: LayerEdges, into users: inout ScratchList<Int32>
  ) throws(Stop) {
    users.truncate(0)
    for use in edges.pairs.range(edge) {
      let path = rows.pathOf[Int(edges.pairs.items[use].tag)]
      let count = users.count
      if count > 1 && users[count &- 1] == path && users[count &- 2] == path { continue }
      try users.push(path)
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
