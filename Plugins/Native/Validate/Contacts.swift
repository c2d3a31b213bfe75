// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A contact that is a crossing inside two edges, by its number in the list, with its exact point as far as two doubles know
/// it.
struct PlacedCrossing: BitwiseCopyable {
  let number: Int32
  private let offset: CrossingOffset

  init(_ contact: Contact, number: Int, _ edges: EdgeSet) {
    let (edge, other) = (Int(contact.edge), Int(contact.otherEdge))
    self.number = Int32(truncatingIfNeeded: number)
    offset = CrossingOffset(
      edges.place(edge), edges.place(edge &+ 1), edges.place(other), edges.place(other &+ 1), from: contact.place)
  }

  /// The order of the exact points of two crossings that round to one place: -1, 0, 1.
  func compare(_ other: PlacedCrossing, _ contacts: ScratchList<Contact>, _ edges: EdgeSet) -> Int {
    let order = offset.compare(other.offset)
    return order != 0 ? order : exact(contacts, edges).compare(other.exact(contacts, edges))
  }

  private func exact(_ contacts: ScratchList<Contact>, _ edges: EdgeSet) -> ExactCrossing {
    let contact = contacts[Int(number)]
    let (edge, other) = (Int(contact.edge), Int(contact.otherEdge))
    return ExactCrossing(edges.place(edge), edges.place(edge &+ 1), edges.place(other), edges.place(other &+ 1))
  }
}

extension PolygonCheck {
  /// The second phase: one problem for each pair of rings and exact point, or run of overlap.
  mutating func judgeContacts(_ edges: EdgeSet) {
    for index in 0..<contacts.count where contacts[index].kind == .crossing {
      let (edge, other) = (Int(contacts[index].edge), Int(contacts[index].otherEdge))
      contacts[index].place =
        crossingPlace(edges.place(edge), edges.place(edge &+ 1), edges.place(other), edges.place(other &+ 1)).place
      if poll.tick() { return }
    }
    sortContacts(byPlaces: true)
    markFaultyRings(edges)
    let points = 0..<firstIndex(ofRank: 1)
    let overlaps = points.upperBound..<firstIndex(ofRank: 2)
    gatherStretches(overlaps)
    forEachGroup(points, { $0.pair == $1.pair && $0.place == $1.place }) { check, group in
      check.judgePoint(group, edges)
    }
    forEachGroup(overlaps, { $0.pair == $1.pair }) { check, group in check.judgeOverlaps(group, edges) }
  }

  /// Meetings at points first, overlaps behind them, and mere touches last; of these by pairs of rings.
  mutating func sortContacts(byPlaces: Bool) {
    contacts.sort { a, b in
      let (first, second) = (PolygonCheck.rank(a.kind), PolygonCheck.rank(b.kind))
      if first != second { return first < second }
      if a.pair != b.pair { return a.pair < b.pair }
      if byPlaces && first == 0 && a.place != b.place { return a.place < b.place }
      return a.edge != b.edge ? a.edge < b.edge : a.otherEdge < b.otherEdge
    }
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
  mutating func forEachGroup(
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
  mutating func markFaultyRings(_ edges: EdgeSet) {
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
  private mutating func judgePoint(_ group: Range<Int>, _ edges: EdgeSet) {
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
    if let vertex, isOnOverlap(vertex, contacts[group.lowerBound].pair) { (crossing, touch) = (nil, nil) }
    // Crossings inside edges that are at a vertex exactly are the crossing there. Where there is no vertex, those that are at
    // the rounded place exactly are one crossing; the rest are told apart by their exact points.
    var exact = crossing
    crossings.truncate(0)
    for index in group where contacts[index].kind == .crossing {
      if poll.tick() { return }
      if passes(contacts[index], contacts[index].place, edges) {
        exact = exact.map { min($0, index) } ?? index
      } else {
        crossings.append(PlacedCrossing(contacts[index], number: index, edges))
      }
    }
    reportDistinctCrossings(edges)
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

  /// One problem for each exact point among `crossings`, by the first contact there.
  private mutating func reportDistinctCrossings(_ edges: EdgeSet) {
    if crossings.count > 1 {
      var poll = poll
      let list = contacts
      crossings.sort { a, b in
        // What order comes of a sort that was cancelled does not matter.
        let order = poll.tick(8) ? 0 : a.compare(b, list, edges)
        return order != 0 ? order < 0 : a.number < b.number
      }
      self.poll = poll
    }
    var first = 0
    for index in 0..<crossings.count {
      if poll.tick(8) { return }
      if index > 0 && crossings[index].compare(crossings[first], contacts, edges) == 0 { continue }
      first = index
      reportPoint(Int(crossings[index].number), MRD_PROBLEM_CROSSING, edges)
    }
  }
}
