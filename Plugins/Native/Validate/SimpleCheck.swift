// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What an operation takes for a fault where edges meet.
enum ContactRule {
  /// Rings of areas.
  case area
  /// Lines may meet, themselves and each other, at their ends alone; the end of a closed line is no such end for others.
  case simpleLines
  /// The same for each ring by itself.
  case simpleRings
}

extension PolygonCheck {
  /// Judges whether a row passes through itself. A row that is not finite, or has a line of one vertex or an open ring, gets
  /// a status and no verdict; `hasVerdict` says so. nil = no memory, or cancelled.
  mutating func checkSimple(_ row: Int) -> EdgeSet? {
    begin()
    let status = simpleFault(row)
    if poll.isCancelled { return nil }
    if status != MRD_ITEM_OK {
      call.setStatus(row, status)
      hasVerdict = false
      return loadNothing()
    }
    if geoms.isPuntal {
      checkRepeats(row)
      return hasFailed ? nil : loadNothing()
    }
    guard let edges = loadLines(row), search(edges) == .done else { return nil }
    if contacts.count > 0 && depth == .problems {
      guard gatherFacts(edges) else { return nil }
      judgeContacts(edges)
    }
    return hasFailed ? nil : edges
  }

  private mutating func simpleFault(_ row: Int) -> mrd_item_status {
    for index in geoms.coordinates(row) where !geoms.isEmptyPoint(index) {
      if poll.tick() { return MRD_ITEM_OK }
      if !geoms.x(index).isFinite || !geoms.y(index).isFinite { return MRD_ITEM_NONFINITE }
    }
    for path in 0..<geoms.pathCount(row) {
      let span = geoms.path(row, path)
      if span.count == 1 { return MRD_ITEM_INVALID }
      if geoms.isPolygonal, !span.isEmpty, geoms.place(span.lowerBound) != geoms.place(span.upperBound &- 1) {
        return MRD_ITEM_INVALID
      }
    }
    return MRD_ITEM_OK
  }

  /// An edge set without edges, for findings that refer to none.
  mutating func loadNothing() -> EdgeSet? {
    guard let chains = chainRoom.room(for: 1), let x = xRoom.room(for: 1), let y = yRoom.room(for: 1) else {
      return nil
    }
    return EdgeSet(x: x, y: y, count: 0, chains: chains, chainCount: 0, numbers: nil)
  }

  /// Lines, or rings as closed lines, without consecutive equal vertices; those of a single place are left out.
  mutating func loadLines(_ row: Int) -> EdgeSet? {
    guard var loader = chainLoader(row) else { return nil }
    var part = 0
    if geoms.isPolygonal {
      geoms.forEachPolygon(row) { rings in
        for number in rings {
          loader.add(geoms, geoms.path(row, number), part: part, ring: number &- rings.lowerBound)
        }
        part &+= 1
      }
    } else {
      for path in 0..<geoms.pathCount(row) {
        part = path
        loader.add(geoms, geoms.path(row, path), part: part, ring: -1)
      }
    }
    partCount = max(1, part &+ 1)
    return clearParts() ? loader.edges : nil
  }

  /// Points of a multipoint that are there already: one problem for each place.
  private mutating func checkRepeats(_ row: Int) {
    let span = geoms.span(row)
    ends.truncate(0)
    for (part, coordinate) in span.enumerated() where !geoms.isEmptyPoint(coordinate) {
      ends.append(OverlapEnd(place: geoms.place(coordinate), overlap: Int32(truncatingIfNeeded: part)))
    }
    ends.sort { $0.place != $1.place ? $0.place < $1.place : $0.overlap < $1.overlap }
    for index in 1..<max(1, ends.count) where ends[index].place == ends[index &- 1].place {
      if poll.tick() { return }
      if index > 1 && ends[index &- 2].place == ends[index].place { continue }
      isInvalid = true
      findings.append(
        Finding(
          code: MRD_PROBLEM_NOT_SIMPLE_REPEATED, part: Int(ends[index].overlap), ring: -1, vertex: 0,
          otherPart: Int(ends[index &- 1].overlap), otherVertex: 0, place: ends[index].place))
    }
  }
}

extension EdgeSet {
  /// What becomes of two edges that meet, by a rule for lines; nil when they may meet so, or when another pair of edges
  /// stands for it.
  func lineContact(_ edge: Int, _ other: Int, _ meeting: EdgeContact, rings: Bool) -> Contact? {
    let (chain, otherChain) = (chain(of: edge), chain(of: other))
    if chain == otherChain ? areNeighbours(edge, other, in: chain) : rings { return nil }
    return Contact(edge, other, chain, otherChain, meeting) { touch in
      guard let isEnd = visit(touch.place, edge, chain), let isOtherEnd = visit(touch.place, other, otherChain) else {
        return nil
      }
      let areFree = chain == otherChain || !(chains[chain].isClosed || chains[otherChain].isClosed)
      return isEnd && isOtherEnd && areFree ? nil : .vertexCrossing
    }
  }

  /// Whether a line ends at `p`, a place of its edge; nil where the next edge stands for that visit.
  private func visit(_ p: Place, _ edge: Int, _ chain: Int) -> Bool? {
    let line = chains[chain]
    if p == place(edge) { return edge == Int(line.first) }
    guard p == place(edge &+ 1) else { return false }
    return !line.isClosed && edge &+ 1 == Int(line.last) ? true : nil
  }
}
