// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A contact on one of its two edges, by its number in its group.
struct SphereStop: BitwiseCopyable {
  var edge: Int32
  var contact: Int32
}

/// What the sphere needs beside the edges of a row; memory is kept from row to row.
struct SphereRooms {
  var vectors: ScratchRoom<Vector>
  var tree: SphereTree
  var stops: ScratchList<SphereStop>
  /// Of the search for rings in rings.
  var sides: ScratchRoom<UInt8>
  var touches: ScratchList<SphereTouch>
  var around: ScratchList<Int32>
  /// What encloses the lookout.
  var outermost: ScratchList<Int32>
  var nested: ScratchList<UInt64>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    vectors = ScratchRoom(call)
    tree = SphereTree(call)
    stops = ScratchList(call)
    sides = ScratchRoom(call)
    touches = ScratchList(call)
    around = ScratchList(call)
    outermost = ScratchList(call)
    nested = ScratchList(call)
  }

  var failed: Bool { stops.failed || touches.failed || around.failed || outermost.failed || nested.failed }
}

extension PolygonCheck {
  /// The second phase on the sphere: one problem for each pair of rings and exact point, or run of overlap.
  mutating func judgeContacts(_ sphere: SphereEdges) {
    sortContacts(byPlaces: false)
    markFaultyRings(sphere.edges)
    let points = 0..<firstIndex(ofRank: 1)
    let overlaps = points.upperBound..<firstIndex(ofRank: 2)
    forEachGroup(points, { $0.pair == $1.pair }) { check, group in check.judgePoints(group, overlaps, sphere) }
    forEachGroup(overlaps, { $0.pair == $1.pair }) { check, group in check.judgeOverlaps(group, sphere.edges) }
  }

  /// Contacts of one pair of rings. Those at one exact point share an edge, two by two: along each edge they are neighbours.
  private mutating func judgePoints(_ group: Range<Int>, _ overlaps: Range<Int>, _ sphere: SphereEdges) {
    guard let memory = parents.room(for: group.count), let marks = marks.room(for: group.count) else {
      failed = true
      return
    }
    let points = DisjointSets(memory, count: group.count)
    joinNeighbours(group, points, sphere)
    if poll.isCancelled { return }
    // The first contact of each kind at a point decides what it is, and where it is said to be.
    let crossing: UInt8 = 1
    let atVertex: UInt8 = 2
    let touch: UInt8 = 4
    marks.update(repeating: 0, count: group.count)
    for index in 0..<group.count {
      let contact = contacts[group.lowerBound &+ index]
      let root = points.root(of: index)
      if contact.kind == .crossing {
        marks[root] |= crossing
      } else if !isOnOverlap(contact, overlaps, sphere) {
        marks[root] |= contact.kind == .vertexCrossing ? atVertex : touch
      }
      if poll.tick() { return }
    }
    for index in 0..<group.count {
      let contact = contacts[group.lowerBound &+ index]
      let root = points.root(of: index)
      let mark = marks[root]
      if mark == 0 { continue }
      let isCrossing = mark & (crossing | atVertex) != 0
      // Reported by the first contact that makes it what it is.
      let isFirst =
        isCrossing
        ? (contact.kind == .crossing && mark & crossing != 0)
          || (contact.kind == .vertexCrossing && mark & atVertex != 0)
        : contact.kind == .selfTouch
      if !isFirst { continue }
      marks[root] = 0
      reportPoint(contact, isCrossing ? MRD_PROBLEM_CROSSING : MRD_PROBLEM_RING_SELF_TOUCH, sphere)
      if poll.tick() || hasEnough { return }
    }
  }

  /// Joins the contacts of a group that are at one point.
  private mutating func joinNeighbours(_ group: Range<Int>, _ points: DisjointSets, _ sphere: SphereEdges) {
    sphereRooms.stops.truncate(0)
    for index in 0..<group.count {
      let contact = contacts[group.lowerBound &+ index]
      sphereRooms.stops.append(SphereStop(edge: contact.edge, contact: Int32(truncatingIfNeeded: index)))
      sphereRooms.stops.append(SphereStop(edge: contact.otherEdge, contact: Int32(truncatingIfNeeded: index)))
    }
    let (list, first) = (contacts, group.lowerBound)
    func order(_ a: SphereStop, _ b: SphereStop) -> Int {
      sphere.order(along: Int(a.edge), list[first &+ Int(a.contact)], list[first &+ Int(b.contact)])
    }
    var poll = poll
    sphereRooms.stops.sort { a, b in
      if a.edge != b.edge { return a.edge < b.edge }
      // What order comes of a sort that was cancelled does not matter.
      let order = poll.tick(8) ? 0 : order(a, b)
      return order != 0 ? order < 0 : a.contact < b.contact
    }
    self.poll = poll
    for index in 1..<max(1, sphereRooms.stops.count) {
      let (last, stop) = (sphereRooms.stops[index &- 1], sphereRooms.stops[index])
      if poll.tick(8) { return }
      if last.edge == stop.edge && order(last, stop) == 0 { _ = points.join(Int(last.contact), Int(stop.contact)) }
    }
    joinVertices(group, points)
  }

  /// At a vertex where rings also overlap some of the contacts are missing, so that those left share no edge.
  private mutating func joinVertices(_ group: Range<Int>, _ points: DisjointSets) {
    ends.truncate(0)
    for index in 0..<group.count where contacts[group.lowerBound &+ index].kind != .crossing {
      ends.append(
        OverlapEnd(
          place: contacts[group.lowerBound &+ index].place, overlap: Int32(truncatingIfNeeded: index)))
    }
    ends.sort { $0.place != $1.place ? $0.place < $1.place : $0.overlap < $1.overlap }
    for index in 1..<max(1, ends.count) where ends[index].place == ends[index &- 1].place {
      _ = points.join(Int(ends[index].overlap), Int(ends[index &- 1].overlap))
    }
  }

  private mutating func reportPoint(_ contact: Contact, _ code: Int32, _ sphere: SphereEdges) {
    let isInside = contact.kind == .crossing
    let place =
      isInside ? sphere.crossingPlace(Int(contact.edge), Int(contact.otherEdge)) : contact.place
    let isRing = contact.isOfOneChain && !isInside
    report(
      code, isRing ? MRD_JTS_RING_SELF_INTERSECTION : MRD_JTS_SELF_INTERSECTION, contact, place, sphere.edges)
  }

  /// True when the vertex of a contact lies on a stretch along which the same rings overlap.
  private mutating func isOnOverlap(_ contact: Contact, _ overlaps: Range<Int>, _ sphere: SphereEdges) -> Bool {
    var (low, high) = (overlaps.lowerBound, overlaps.upperBound)
    while low < high {
      let middle = (low &+ high) >> 1
      if contacts[middle].pair < contact.pair { low = middle &+ 1 } else { high = middle }
    }
    let vertex = sphere.vertex(of: contact)
    while low < overlaps.upperBound && contacts[low].pair == contact.pair {
      let overlap = contacts[low]
      if sphere.isOn(vertex, Int(overlap.edge)) && sphere.isOn(vertex, Int(overlap.otherEdge)) { return true }
      if poll.tick() { return false }
      low &+= 1
    }
    return false
  }
}
