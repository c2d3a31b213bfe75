// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The third phase on the sphere. A ring has two sides and neither is smaller by nature: a polygon is what lies left of its shell,
/// a hole the side of its ring on which the shell does not lie.
extension PolygonCheck {
  /// Rings that touch are on each other's sides as their edges say that set out from there; others are where a vertex is.
  mutating func judgeNesting(_ sphere: SphereEdges) {
    let count = sphere.edges.chainCount
    guard let facts = ringRoom.room(for: count), let parts = partRoom.room(for: partCount),
      let sides = sphereRooms.sides.room(for: count), let lookout = lookout(sphere)
    else {
      failed = failed || !poll.isCancelled
      return
    }
    for ring in 0..<count {
      sides[ring] = isLeft(lookout, ofOwn: ring, sphere) ? SphereSide.lookoutIsLeft : 0
      if poll.tick(edgeCount(ring, sphere)) { return }
    }
    gatherTouches(sphere)
    judgeHoles(sphere, lookout, sides, facts, parts)
    if hasEnough || poll.isCancelled { return }
    sphereRooms.nested.truncate(0)
    sphereRooms.outermost.truncate(0)
    for ring in 0..<count {
      let isLeft = sides[ring] & SphereSide.lookoutIsLeft != 0
      if isLeft != (sides[ring] & SphereSide.shellIsLeft != 0) {
        sphereRooms.outermost.append(Int32(truncatingIfNeeded: ring))
      }
    }
    // Shells first: of two polygons whose shells say it already the holes say no more.
    judgeNested(holes: false, sphere, lookout, sides, facts, parts)
    sphereRooms.nested.sort { $0 < $1 }
    judgeNested(holes: true, sphere, lookout, sides, facts, parts)
  }

  private mutating func judgeNested(
    holes: Bool, _ sphere: SphereEdges, _ lookout: Vector, _ sides: UnsafeMutablePointer<UInt8>,
    _ facts: UnsafeMutablePointer<RingFacts>, _ parts: UnsafeMutablePointer<PartFacts>
  ) {
    for ring in 0..<sphere.edges.chainCount where (sphere.edges.chains[ring].ring > 0) == holes {
      if hasEnough || poll.tick(16) { return }
      judgeNested(ring, sphere, lookout, sides, facts, parts)
    }
  }

  private func edgeCount(_ ring: Int, _ sphere: SphereEdges) -> Int { sphere.edges.chains[ring].edges.count }

  // MARK: - Holes in their shells

  private mutating func judgeHoles(
    _ sphere: SphereEdges, _ lookout: Vector, _ sides: UnsafeMutablePointer<UInt8>,
    _ facts: UnsafeMutablePointer<RingFacts>, _ parts: UnsafeMutablePointer<PartFacts>
  ) {
    let chains = sphere.edges.chains
    var shell = -1
    for ring in 0..<sphere.edges.chainCount {
      let part = Int(chains[ring].part)
      if chains[ring].ring == 0 {
        shell = ring
        sides[ring] |= SphereSide.isPlaced
        noteHoles(of: ring, sphere, lookout, sides)
        continue
      }
      let hasShell = shell >= 0 && Int(chains[shell].part) == part
      var isOutside = parts[part].hasEmptyShell
      if hasShell {
        if !canJudge(ring, shell, facts) { continue }
        lookAround(ring, lookout, sphere)
        isOutside = !isLeft(ring, shell, sides)
        if !isOutside { sides[ring] |= SphereSide.isPlaced }
      }
      if isOutside {
        parts[part].isFaulty = true
        report(
          MRD_PROBLEM_HOLE_OUTSIDE_SHELL, MRD_JTS_HOLE_OUTSIDE_SHELL, ring: ring, at: Int(facts[ring].least),
          other: hasShell ? shell : nil, sphere.edges)
      }
      if poll.tick(16) || hasEnough { return }
    }
  }

  /// On which side of the holes of a polygon its shell is.
  private mutating func noteHoles(
    of shell: Int, _ sphere: SphereEdges, _ lookout: Vector, _ sides: UnsafeMutablePointer<UInt8>
  ) {
    let chains = sphere.edges.chains
    var hole = shell &+ 1
    guard hole < sphere.edges.chainCount, chains[hole].part == chains[shell].part else { return }
    lookAround(shell, lookout, sphere)
    while hole < sphere.edges.chainCount && chains[hole].part == chains[shell].part {
      if isLeft(shell, hole, sides) { sides[hole] |= SphereSide.shellIsLeft }
      hole &+= 1
    }
  }

  // MARK: - Rings in polygons

  /// A ring lies in what another one encloses: left of a shell, or in a hole.
  private func isEnclosed(_ ring: Int, by other: Int, _ sides: UnsafeMutablePointer<UInt8>) -> Bool {
    // No bit of shells says on which side they are of themselves.
    isLeft(ring, other, sides) != (sides[other] & SphereSide.shellIsLeft != 0)
  }

  /// Reports the holes that a hole lies in, and the polygons whose area holds a ring of another polygon.
  private mutating func judgeNested(
    _ ring: Int, _ sphere: SphereEdges, _ lookout: Vector, _ sides: UnsafeMutablePointer<UInt8>,
    _ facts: UnsafeMutablePointer<RingFacts>, _ parts: UnsafeMutablePointer<PartFacts>
  ) {
    let chains = sphere.edges.chains
    let own = chains[ring]
    if facts[ring].isFaulty || sides[ring] & SphereSide.isPlaced == 0 { return }
    lookAround(ring, lookout, sphere)
    gatherEnclosing(ring, sides)
    let enclosing = candidates
    var index = 0
    while index < enclosing.count {
      let part = chains[Int(enclosing[index])].part
      var end = index &+ 1
      while end < enclosing.count && chains[Int(enclosing[end])].part == part { end &+= 1 }
      if part != own.part {
        judgePolygon(ring, index..<end, sphere, sides, facts, parts)
      } else if own.ring > 0 {
        judgeOwnHoles(ring, index..<end, sphere, sides, facts, parts)
      }
      if hasEnough { return }
      index = end
    }
  }

  /// Lists in `candidates` what encloses a ring, for each polygon its shell and then its holes. That is what encloses the
  /// lookout, but for rings that lie between or touch.
  private mutating func gatherEnclosing(_ ring: Int, _ sides: UnsafeMutablePointer<UInt8>) {
    var found = candidates
    found.truncate(0)
    for index in 0..<sphereRooms.around.count { found.append(sphereRooms.around[index]) }
    for index in 0..<sphereRooms.outermost.count { found.append(sphereRooms.outermost[index]) }
    var touch = firstTouch(UInt64(ring) << 32)
    while touch < sphereRooms.touches.count && Int(sphereRooms.touches[touch].pair >> 32) == ring {
      found.append(Int32(truncatingIfNeeded: sphereRooms.touches[touch].pair & 0xffff_ffff))
      touch &+= 1
    }
    found.sort { $0 < $1 }
    var kept = 0
    for index in 0..<found.count {
      let other = found[index]
      if kept > 0 && found[kept &- 1] == other { continue }
      if Int(other) == ring || !isEnclosed(ring, by: Int(other), sides) { continue }
      found[kept] = other
      kept &+= 1
    }
    found.truncate(kept)
    candidates = found
  }

  private mutating func judgeOwnHoles(
    _ ring: Int, _ enclosing: Range<Int>, _ sphere: SphereEdges, _ sides: UnsafeMutablePointer<UInt8>,
    _ facts: UnsafeMutablePointer<RingFacts>, _ parts: UnsafeMutablePointer<PartFacts>
  ) {
    for index in enclosing {
      let other = Int(candidates[index])
      guard sphere.edges.chains[other].ring > 0, sides[other] & SphereSide.isPlaced != 0, canJudge(ring, other, facts)
      else {
        continue
      }
      parts[Int(sphere.edges.chains[ring].part)].isFaulty = true
      report(
        MRD_PROBLEM_NESTED_HOLES, MRD_JTS_NESTED_HOLES, ring: ring, at: Int(facts[ring].least), other: other,
        sphere.edges)
    }
  }

  /// A ring in the area of another polygon is a fault when all rings of that can be judged, and none of its holes has it.
  private mutating func judgePolygon(
    _ ring: Int, _ enclosing: Range<Int>, _ sphere: SphereEdges, _ sides: UnsafeMutablePointer<UInt8>,
    _ facts: UnsafeMutablePointer<RingFacts>, _ parts: UnsafeMutablePointer<PartFacts>
  ) {
    let chains = sphere.edges.chains
    let shell = Int(candidates[enclosing.lowerBound])
    guard enclosing.count == 1, chains[shell].ring == 0, !parts[Int(chains[shell].part)].lostRing else { return }
    var other = shell
    while other < sphere.edges.chainCount && chains[other].part == chains[shell].part {
      if sides[other] & SphereSide.isPlaced == 0 || !canJudge(ring, other, facts) { return }
      other &+= 1
    }
    let (one, two) = (UInt64(chains[ring].part), UInt64(chains[shell].part))
    if chains[ring].ring > 0 && (isNested(one << 32 | two) || isNested(two << 32 | one)) { return }
    if chains[ring].ring == 0 { sphereRooms.nested.append(one << 32 | two) }
    report(
      MRD_PROBLEM_NESTED_SHELLS, MRD_JTS_NESTED_SHELLS, ring: ring, at: Int(facts[ring].least), other: shell,
      sphere.edges)
  }

  /// Polygons of which it was reported already that the shell of one lies in the other, by pairs.
  private func isNested(_ pair: UInt64) -> Bool {
    var (low, high) = (0, sphereRooms.nested.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if sphereRooms.nested[middle] < pair { low = middle &+ 1 } else { high = middle }
    }
    return low < sphereRooms.nested.count && sphereRooms.nested[low] == pair
  }
}
