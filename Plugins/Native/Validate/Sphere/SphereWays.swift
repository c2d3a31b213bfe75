// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A ring that touches another one: the pair, and whether it lies to its left.
struct SphereTouch: BitwiseCopyable {
  var pair: UInt64
  var isLeft: Bool
}

/// Bits of what is known of a ring.
enum SphereSide {
  /// The lookout lies left of the ring.
  static let lookoutIsLeft: UInt8 = 1
  /// The ring's shell lies left of it: its inside is on the right.
  static let shellIsLeft: UInt8 = 2
  /// A hole in its shell, or a shell: what it encloses is known.
  static let isPlaced: UInt8 = 4
}

/// Sides are told by the edges that the way from a vertex to a lookout crosses. The lookout lies on no edge's great circle, so
/// ways never run along edges, nor end on one; vertices on the way count as left of it.
extension PolygonCheck {
  /// A direction on no edge's great circle. Each edge rules out few of the candidates, so one is soon found.
  mutating func lookout(_ sphere: SphereEdges) -> Vector? {
    for number in 0...sphere.edges.count {
      let step = Double(number)
      let candidate = Vector(
        x: 0.5386421798103174 + 0.0009765431 * step, y: -0.6180339887498949, z: 0.5727294562351906 - 0.000488912 * step)
      var isFree = true
      for chain in 0..<sphere.edges.chainCount {
        for edge in sphere.edges.chains[chain].edges where isFree {
          let (a, b) = sphere.ends(edge)
          isFree = sphereSide(a, b, candidate) != 0
          if poll.tick() { return nil }
        }
      }
      if isFree { return candidate }
    }
    return nil
  }

  // MARK: - Ways

  /// True when the way from one direction to another crosses an edge of which neither is an end.
  private func crosses(_ from: Vector, _ to: Vector, _ edge: Int, _ sphere: SphereEdges) -> Bool {
    let (a, b) = sphere.ends(edge)
    let (sideA, sideB) = (sphereSide(from, to, a) >= 0, sphereSide(from, to, b) >= 0)
    if sideA == sideB { return false }
    let (sideFrom, sideTo) = (sphereSide(a, b, from), sphereSide(a, b, to))
    // Opposite sides, and the edge and the way meet rather than the one the other's opposite point.
    return sideFrom &* sideTo < 0 && (sideFrom > 0) == sideB
  }

  /// The lookout is left of a ring, told by the way from its own first vertex.
  func isLeft(_ lookout: Vector, ofOwn ring: Int, _ sphere: SphereEdges) -> Bool {
    let range = sphere.edges.chains[ring].edges
    let (first, last) = (range.lowerBound, range.upperBound &- 1)
    let from = sphere.vectors[first]
    var isLeft = isInSector(from, from: sphere.vectors[first &+ 1], to: sphere.vectors[last], lookout)
    for edge in (first &+ 1)..<max(first &+ 1, last) where crosses(from, lookout, edge, sphere) { isLeft.toggle() }
    return isLeft
  }

  /// Lists the rings on whose other side than the lookout the first vertex of a ring is, in ascending order in `around`. Of rings
  /// that it touches it says nothing.
  mutating func lookAround(_ ring: Int, _ lookout: Vector, _ sphere: SphereEdges) {
    let first = Int(sphere.edges.chains[ring].first)
    let from = sphere.vectors[first]
    var found = sphereRooms.around
    found.truncate(0)
    var poll = poll
    _ = sphereRooms.tree.forEachEdge(near: cross(from, lookout)) { edge in
      if crosses(from, lookout, edge, sphere) {
        found.append(Int32(truncatingIfNeeded: sphere.edges.chain(of: edge)))
      }
      return !poll.tick(2)
    }
    self.poll = poll
    found.sort { $0 < $1 }
    var kept = 0
    var index = 0
    while index < found.count {
      var end = index &+ 1
      while end < found.count && found[end] == found[index] { end &+= 1 }
      if (end &- index) & 1 == 1 {
        found[kept] = found[index]
        kept &+= 1
      }
      index = end
    }
    found.truncate(kept)
    sphereRooms.around = found
  }

  private func cross(_ a: Vector, _ b: Vector) -> Vector {
    Vector(x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x)
  }

  // MARK: - Sides

  /// For each two rings that touch, both ways round: on which side of the other each goes on from there.
  mutating func gatherTouches(_ sphere: SphereEdges) {
    sphereRooms.touches.truncate(0)
    for index in firstIndex(ofRank: 2)..<contacts.count {
      let contact = contacts[index]
      let p = sphere.vectors[sphere.vertex(of: contact)]
      let own = sphere.ways(contact.place, contact.edge, contact.chain)
      let others = sphere.ways(contact.place, contact.otherEdge, contact.otherChain)
      sphereRooms.touches.append(
        SphereTouch(pair: contact.pair, isLeft: isInSector(p, from: others.after, to: others.before, own.after)))
      sphereRooms.touches.append(
        SphereTouch(
          pair: contact.pair << 32 | contact.pair >> 32,
          isLeft: isInSector(p, from: own.after, to: own.before, others.after)))
      if poll.tick() { return }
    }
    sphereRooms.touches.sort { $0.pair < $1.pair }
  }

  /// The first touch of a pair or of one behind it.
  func firstTouch(_ pair: UInt64) -> Int {
    var (low, high) = (0, sphereRooms.touches.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if sphereRooms.touches[middle].pair < pair { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Ring `a`, around which was looked, lies left of ring `b`. The two neither cross nor overlap.
  func isLeft(_ a: Int, _ b: Int, _ sides: UnsafeMutablePointer<UInt8>) -> Bool {
    let pair = UInt64(a) << 32 | UInt64(b)
    let touch = firstTouch(pair)
    if touch < sphereRooms.touches.count && sphereRooms.touches[touch].pair == pair {
      return sphereRooms.touches[touch].isLeft
    }
    var (low, high) = (0, sphereRooms.around.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if Int(sphereRooms.around[middle]) < b { low = middle &+ 1 } else { high = middle }
    }
    let isElsewhere = low < sphereRooms.around.count && Int(sphereRooms.around[low]) == b
    return (sides[b] & SphereSide.lookoutIsLeft != 0) != isElsewhere
  }
}
