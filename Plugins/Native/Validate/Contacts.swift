// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension PolygonCheck {
  /// The second phase: one problem for each pair of rings and exact point, or run of overlap.
  mutating func judgeContacts(_ edges: EdgeSet) {
    for index in 0..<contacts.count where contacts[index].kind == .crossing {
      let (edge, other) = (Int(contacts[index].edge), Int(contacts[index].otherEdge))
      contacts[index].place =
        crossingPlace(edges.place(edge), edges.place(edge &+ 1), edges.place(other), edges.place(other &+ 1)).place
      if poll.tick() { return }
    }
    // Pairs first, then places; overlaps behind the meetings at points, and mere touches last.
    contacts.sort { a, b in
      let (first, second) = (PolygonCheck.rank(a.kind), PolygonCheck.rank(b.kind))
      if first != second { return first < second }
      if a.pair != b.pair { return a.pair < b.pair }
      if first == 0 && a.place != b.place { return a.place < b.place }
      return a.edge != b.edge ? a.edge < b.edge : a.otherEdge < b.otherEdge
    }
    markFaultyRings(edges)
    let points = 0..<firstIndex(ofRank: 1)
    let overlaps = points.upperBound..<firstIndex(ofRank: 2)
    forEachGroup(points, { $0.pair == $1.pair && $0.place == $1.place }) { check, group in
      check.judgePoint(group, overlaps, edges)
    }
    forEachGroup(overlaps, { $0.pair == $1.pair }) { check, group in check.judgeOverlaps(group, edges) }
  }

  private static func rank(_ kind: Contact.Kind) -> Int {
    switch kind {
    case .crossing, .vertexCrossing, .selfTouch: 0
    case .overlap: 1
    case .touch: 2
    }
  }

  /// Where contacts of a rank begin in the sorted list.
  func firstIndex(ofRank rank: Int) -> Int {
    var (low, high) = (0, contacts.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if PolygonCheck.rank(contacts[middle].kind) < rank { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Calls `body` with each run of neighbours in the list that are equal.
  private mutating func forEachGroup(
    _ range: Range<Int>, _ areEqual: (Contact, Contact) -> Bool, _ body: (inout PolygonCheck, Range<Int>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start &+ 1
      while end < range.upperBound && areEqual(contacts[start], contacts[end]) { end &+= 1 }
      body(&self, start..<end)
      if poll.tick(end &- start) { return }
      start = end
    }
  }

  /// Which rings meet themselves, and which pairs of rings cross or overlap each other, both ways round.
  private mutating func markFaultyRings(_ edges: EdgeSet) {
    badPairs.truncate(0)
    guard let facts = ringRoom.room(for: edges.chainCount), let parts = partRoom.room(for: partCount) else { return }
    var last: UInt64?
    for index in 0..<contacts.count {
      let contact = contacts[index]
      if contact.kind == .touch { break }
      if contact.kind == .selfTouch && allowsSelfTouch { continue }
      if contact.isOfOneChain {
        facts[Int(contact.chain)].isFaulty = true
        let chain = edges.chains[Int(contact.chain)]
        parts[Int(chain.part)].isFaulty = true
        if chain.ring > 0 { parts[Int(chain.part)].hasFaultyHole = true }
      } else if last != contact.pair {
        last = contact.pair
        badPairs.append(contact.pair)
        badPairs.append(contact.pair << 32 | contact.pair >> 32)
        let part = edges.chains[Int(contact.chain)].part
        if part == edges.chains[Int(contact.otherChain)].part { parts[Int(part)].isFaulty = true }
      }
    }
    badPairs.sort { $0 < $1 }
  }

  /// Contacts of one pair of rings whose rounded places are equal.
  private mutating func judgePoint(_ group: Range<Int>, _ overlaps: Range<Int>, _ edges: EdgeSet) {
    var crossing: Int?
    var touch: Int?
    var vertex: Place?
    for index in group {
      switch contacts[index].kind {
      case .vertexCrossing: if crossing == nil { crossing = index }
      case .selfTouch: if touch == nil { touch = index }
      default: continue
      }
      vertex = contacts[index].place
    }
    if let vertex, isOnOverlap(vertex, contacts[group.lowerBound].pair, overlaps) { (crossing, touch) = (nil, nil) }
    // Crossings inside edges that are at a vertex exactly are the crossing there. Where there is no vertex, those that are at
    // the rounded place exactly are one crossing; the rest are told apart one by one.
    var exact = crossing
    candidates.truncate(0)
    for index in group where contacts[index].kind == .crossing {
      if passes(contacts[index], contacts[index].place, edges) {
        exact = exact.map { min($0, index) } ?? index
      } else if !candidatesHold(contacts[index], edges) {
        candidates.append(Int32(truncatingIfNeeded: index))
      }
    }
    for index in 0..<candidates.count { reportPoint(Int(candidates[index]), MRD_PROBLEM_CROSSING, edges) }
    if let exact { reportPoint(exact, MRD_PROBLEM_CROSSING, edges) }
    if let touch, crossing == nil, !allowsSelfTouch { reportPoint(touch, MRD_PROBLEM_RING_SELF_TOUCH, edges) }
  }

  private mutating func reportPoint(_ index: Int, _ code: Int32, _ edges: EdgeSet) {
    let contact = contacts[index]
    let isRing = contact.isOfOneChain && contact.kind != .crossing
    report(code, isRing ? MRD_JTS_RING_SELF_INTERSECTION : MRD_JTS_SELF_INTERSECTION, contact, contact.place, edges)
  }

  /// True when both edges of a crossing go through a place exactly.
  private func passes(_ contact: Contact, _ vertex: Place, _ edges: EdgeSet) -> Bool {
    let (edge, other) = (Int(contact.edge), Int(contact.otherEdge))
    return orientation(edges.place(edge), edges.place(edge &+ 1), vertex) == 0
      && orientation(edges.place(other), edges.place(other &+ 1), vertex) == 0
  }

  /// True when one of the crossings that were kept is the same exact point.
  private func candidatesHold(_ contact: Contact, _ edges: EdgeSet) -> Bool {
    let (edge, other) = (Int(contact.edge), Int(contact.otherEdge))
    for index in 0..<candidates.count {
      let kept = contacts[Int(candidates[index])]
      let (a, b) = (edges.place(Int(kept.edge)), edges.place(Int(kept.edge) &+ 1))
      let (c, d) = (edges.place(Int(kept.otherEdge)), edges.place(Int(kept.otherEdge) &+ 1))
      if crossingLies(a, b, c, d, onLine: edges.place(edge), edges.place(edge &+ 1))
        && crossingLies(a, b, c, d, onLine: edges.place(other), edges.place(other &+ 1))
      {
        return true
      }
    }
    return false
  }

  /// True when a vertex lies on a stretch along which a pair of rings overlaps.
  private func isOnOverlap(_ vertex: Place, _ pair: UInt64, _ overlaps: Range<Int>) -> Bool {
    var (low, high) = (overlaps.lowerBound, overlaps.upperBound)
    while low < high {
      let middle = (low &+ high) >> 1
      if contacts[middle].pair < pair { low = middle &+ 1 } else { high = middle }
    }
    while low < overlaps.upperBound && contacts[low].pair == pair {
      let (from, to) = (contacts[low].place, contacts[low].end)
      if from <= vertex && vertex <= to && orientation(from, to, vertex) == 0 { return true }
      low &+= 1
    }
    return false
  }
}
