// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension PolygonCheck {
  /// Boxes and least vertices of the rings. False = no memory.
  mutating func gatherFacts(_ edges: EdgeSet) -> Bool {
    guard let rings = ringRoom.room(for: edges.chainCount) else { return false }
    badPairs.truncate(0)
    for chain in 0..<edges.chainCount {
      var facts = RingFacts()
      let range = edges.chains[chain].edges
      var least = range.lowerBound
      for vertex in range {
        let place = edges.place(vertex)
        facts.box.grow(Box(xmin: place.x, ymin: place.y, xmax: place.x, ymax: place.y))
        if place < edges.place(least) { least = vertex }
      }
      facts.least = Int32(truncatingIfNeeded: least)
      rings[chain] = facts
    }
    return true
  }

  /// The third phase: holes in their shell, no hole in a hole, no shell in another polygon's area. Pairs of rings that cross
  /// or overlap, and rings that meet themselves, are not judged.
  mutating func judgeNesting(_ edges: EdgeSet) {
    judgeHoles(edges)
    if hasEnough || edges.chainCount < 2 { return }
    guard let order = sortRings(edges) else {
      failed = failed || !poll.isCancelled
      return
    }
    for ring in 0..<edges.chainCount {
      if poll.tick(16) || hasEnough { return }
      judgeNested(ring, order, edges)
    }
  }

  private mutating func judgeHoles(_ edges: EdgeSet) {
    guard let rings = ringRoom.room(for: edges.chainCount), let parts = partRoom.room(for: partCount) else { return }
    var shell = -1
    for ring in 0..<edges.chainCount {
      let chain = edges.chains[ring]
      if chain.ring == 0 {
        shell = ring
        continue
      }
      let part = Int(chain.part)
      let hasShell = shell >= 0 && edges.chains[shell].part == chain.part
      if hasShell ? canJudge(ring, shell, rings) && !isInside(ring, shell, rings, edges) : parts[part].hasEmptyShell {
        parts[part].isFaulty = true
        report(
          MRD_PROBLEM_HOLE_OUTSIDE_SHELL, MRD_JTS_HOLE_OUTSIDE_SHELL, ring: ring, at: Int(rings[ring].least),
          other: hasShell ? shell : nil, edges)
      }
      if poll.tick(16) || hasEnough { return }
    }
  }

  func canJudge(_ a: Int, _ b: Int, _ rings: UnsafeMutablePointer<RingFacts>) -> Bool {
    !rings[a].isFaulty && !rings[b].isFaulty && !areBad(a, b)
  }

  /// True when two rings cross or overlap each other.
  func areBad(_ a: Int, _ b: Int) -> Bool {
    let key = UInt64(a) << 32 | UInt64(b)
    let index = firstBadPair(key)
    return index < badPairs.count && badPairs[index] == key
  }

  func firstBadPair(_ key: UInt64) -> Int {
    var (low, high) = (0, badPairs.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if badPairs[middle] < key { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// True when ring `a` lies inside ring `b`; the two may touch, but neither cross nor overlap.
  private func isInside(_ a: Int, _ b: Int, _ rings: UnsafeMutablePointer<RingFacts>, _ edges: EdgeSet) -> Bool {
    let (inner, outer) = (rings[a].box, rings[b].box)
    if inner.xmin < outer.xmin || inner.xmax > outer.xmax || inner.ymin < outer.ymin || inner.ymax > outer.ymax {
      return false
    }
    let vertex = Int(rings[a].least)
    switch blocks.locate(edges.place(vertex), edges.chains[b].edges) {
    case .inside: return true
    case .outside: return false
    case .on(let edge): return leavesInward(vertex, edge, b, Int(rings[b].least), edges)
    }
  }

  /// For a vertex that lies on edge `edge` of ring `b`: does the edge that begins there lead into the ring?
  private func leavesInward(_ vertex: Int, _ edge: Int, _ b: Int, _ least: Int, _ edges: EdgeSet) -> Bool {
    let chain = edges.chains[b]
    let (p, next) = (edges.place(vertex), edges.place(vertex &+ 1))
    var (before, after) = (edges.place(edge), edges.place(edge &+ 1))
    if p == before {
      before = edges.vertexBefore(edge, in: b).map(edges.place) ?? before
    } else if p == after {
      after = edges.place((edge &+ 1 == Int(chain.last) ? Int(chain.first) : edge &+ 1) &+ 1)
    }
    // At the least vertex a ring that does not meet itself turns to its inner side.
    let corner = edges.vertexBefore(least, in: b).map(edges.place) ?? p
    let isCounterClockwise = orientation(corner, edges.place(least), edges.place(least &+ 1)) > 0
    return isCounterClockwise
      ? isInSector(p, from: after, to: before, next) : isInSector(p, from: before, to: after, next)
  }

  // MARK: - Rings in rings

  /// A tree over the boxes of the rings along a Hilbert curve, few ones as they come; the answer is the order, as keys whose
  /// lower halves are the rings. nil = no memory, or cancelled.
  private mutating func sortRings(_ edges: EdgeSet) -> UnsafeMutablePointer<UInt64>? {
    let count = edges.chainCount
    guard let facts = ringRoom.room(for: count), let keys = keyRoom.room(for: count), rings.begin(count) else {
      return nil
    }
    if count <= PolygonCheck.fewRings {
      for ring in 0..<count { keys[ring] = UInt64(ring) }
    } else {
      var bounds = Box.empty
      for ring in 0..<count { bounds.grow(facts[ring].box) }
      CurveOrder.fill(keys, count, CellFrame(bounds), &poll, number: { $0 }) { facts[$0].box }
      var sorted = UnsafeMutableBufferPointer(start: keys, count: count)
      sorted.sort()
      if poll.isCancelled { return nil }
    }
    for place in 0..<count { rings.set(place, blocks.framed(facts[CurveOrder.number(keys[place])].box)) }
    rings.finish()
    return keys
  }

  private static let fewRings = 64

  /// Holes that hold a hole, and polygons whose area holds a shell.
  private mutating func judgeNested(_ ring: Int, _ order: UnsafeMutablePointer<UInt64>, _ edges: EdgeSet) {
    guard let facts = ringRoom.room(for: edges.chainCount), let parts = partRoom.room(for: partCount),
      !facts[ring].isFaulty
    else { return }
    let (own, isHole) = (edges.chains[ring], edges.chains[ring].ring > 0)
    let (x, y) = blocks.framed(edges.place(Int(facts[ring].least)))
    var found = candidates
    found.truncate(0)
    _ = rings.forEach(meeting: FrameBox(xmin: x, ymin: y, xmax: x, ymax: y), after: -1) { place in
      let other = CurveOrder.number(order[place])
      if other != ring && (edges.chains[other].part == own.part) == isHole {
        found.append(Int32(truncatingIfNeeded: other))
      }
      return true
    }
    // The holes of a polygon stand behind its shell.
    if !isHole { found.sort { $0 < $1 } }
    candidates = found
    for index in 0..<found.count {
      let other = Int(found[index])
      if (edges.chains[other].ring > 0) != isHole || !canJudge(ring, other, facts) { continue }
      guard isInside(ring, other, facts, edges) else { continue }
      if isHole {
        parts[Int(own.part)].isFaulty = true
        report(
          MRD_PROBLEM_NESTED_HOLES, MRD_JTS_NESTED_HOLES, ring: ring, at: Int(facts[ring].least), other: other, edges)
      } else if !isSpared(ring, by: index, facts, parts, edges) {
        report(
          MRD_PROBLEM_NESTED_SHELLS, MRD_JTS_NESTED_SHELLS, ring: ring, at: Int(facts[ring].least), other: other, edges)
      }
      if poll.tick(16) || hasEnough { return }
    }
  }

  /// For a shell inside the shell of another polygon, a candidate: it lies in one of its holes, or that cannot be judged.
  private mutating func isSpared(
    _ shell: Int, by candidate: Int, _ facts: UnsafeMutablePointer<RingFacts>,
    _ parts: UnsafeMutablePointer<PartFacts>, _ edges: EdgeSet
  ) -> Bool {
    let part = Int(edges.chains[Int(candidates[candidate])].part)
    if parts[part].hasFaultyHole { return true }
    // Of the shell's bad pairs, those with holes of the part: its chains are neighbours.
    var pair = firstBadPair(UInt64(shell) << 32 | UInt64(UInt32(bitPattern: candidates[candidate])))
    while pair < badPairs.count && Int(badPairs[pair] >> 32) == shell {
      let other = edges.chains[Int(badPairs[pair] & 0xffff_ffff)]
      if Int(other.part) != part { break }
      if other.ring > 0 { return true }
      pair &+= 1
    }
    var index = candidate &+ 1
    while index < candidates.count && Int(edges.chains[Int(candidates[index])].part) == part {
      if poll.tick(16) || isInside(shell, Int(candidates[index]), facts, edges) { return true }
      index &+= 1
    }
    return false
  }
}
