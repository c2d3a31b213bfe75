// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// How many contacts of a row were found, and whether those that are kept are all.
struct ContactTally: BitwiseCopyable {
  var faults = 0
  /// Contacts that are no faults; where rings touch matters to connectedness alone.
  var touches = 0
  var hasAllFaults = true
  var hasAllTouches = true
  /// Contacts of edges behind this one are not kept.
  var lastEdge = Int.max
  /// So many faults that it is time to drop those of the last edges.
  var nextCut = Int.max
}

/// The search for contacts: which pairs of edges to look at, and which contacts to keep.
extension PolygonCheck {
  enum SearchOutcome { case done, again, failed }

  @inline(__always)
  mutating func forgetContacts() {
    contacts.truncate(0)
    tally = ContactTally()
  }

  /// Finds all contacts, or enough of them.
  @inline(__always)
  mutating func search(_ edges: EdgeSet) -> SearchOutcome {
    if options.min_clearance_coord == 0, let ring = ShortRing(edges) {
      ring.forEachTurn { vertex in noteSpike(vertex, edges) }
      if !hasEnough { _ = ring.forEachPair { edge, other in note(edge, other, edges) } }
      return .done
    }
    return searchBlocks(edges)
  }

  private mutating func searchBlocks(_ edges: EdgeSet) -> SearchOutcome {
    var spikes = contacts
    let outcome = blocks.build(edges) { vertex in
      if let spike = edges.spike(at: vertex) { spikes.append(spike) }
    }
    contacts = spikes
    switch outcome {
    case .noMemory: return .failed
    case .notFinite, .repeats: return .again
    case .ready: break
    }
    for chain in 0..<edges.chainCount { noteSpike(Int(edges.chains[chain].first), edges) }
    noteSpikes()
    if hasEnough { return .done }
    let busy = BusyGroups.find(edges, blocks, rule, &marks, call)
    // So many pairs of blocks that another order is worth its cost.
    var looks = 16 &* blocks.count &+ 4096
    let blocks = blocks
    for block in 0..<blocks.count {
      if poll.tick(16) { return .failed }
      if let busy, busy.isQuiet(block) { continue }
      if looks < 0 { return searchIndex(edges, from: block &<< 4) }
      let goesOn = blocks.forEachPair(block: block, &looks) { edge, other in note(edge, other, edges) }
      if let end = end(goesOn) { return end }
    }
    return .done
  }

  /// Spikes are all found before the pairs of edges, and all kept.
  mutating func noteSpikes() {
    tally.faults = contacts.count
    tally.nextCut = 2 &* max(mostFaults, tally.faults)
    if tally.faults > 0 { isInvalid = true }
  }

  /// Goes on with the search from an edge on, in an order that suits data whose blocks lie within each other.
  @inline(never)
  private mutating func searchIndex(_ edges: EdgeSet, from first: Int) -> SearchOutcome {
    guard index.build(edges, blocks, &poll) else { return .failed }
    let (index, blocks) = (index, blocks)
    for edge in first..<edges.count {
      let goesOn = index.forEachPartner(of: edge, edges, blocks) { other in note(edge, other, edges) }
      if let end = end(goesOn) { return end }
      if poll.tick(8) { return .failed }
    }
    return .done
  }

  /// The end of a search after all pairs of some edges, or after `note` said that it is enough; nil = it goes on.
  @inline(__always)
  mutating func end(_ goesOn: Bool) -> SearchOutcome? {
    if !goesOn { return poll.isCancelled || contacts.failed ? .failed : .done }
    if tally.faults <= mostFaults && tally.hasAllFaults { return nil }
    cut()
    return .done
  }

  /// Keeps what two edges, the lower one first, have to do with each other. False = that is enough.
  @inline(__always)
  private mutating func note(_ edge: Int, _ other: Int, _ edges: EdgeSet) -> Bool {
    if poll.tick() { return false }
    return edges.contact(edge, other, rule).map { keep($0) } ?? true
  }

  private mutating func noteSpike(_ vertex: Int, _ edges: EdgeSet) {
    if let spike = edges.spike(at: vertex) { _ = keep(spike) }
  }

  /// False = that is enough.
  @inline(never)
  mutating func keep(_ contact: Contact) -> Bool {
    if Int(contact.edge) > tally.lastEdge { return true }
    guard isFault(contact.kind) else {
      tally.touches &+= 1
      if tally.touches <= PolygonCheck.mostTouches {
        contacts.append(contact)
      } else {
        (tally.hasAllTouches, isTruncated) = (false, true)
      }
      return !contacts.failed
    }
    contacts.append(contact)
    isInvalid = true
    tally.faults &+= 1
    if tally.faults >= tally.nextCut { cut() }
    return !hasEnough && !contacts.failed
  }

  func isFault(_ kind: Contact.Kind) -> Bool { !(kind == .touch || (kind == .selfTouch && allowsSelfTouch)) }

  /// Leaves the contacts of the first edges: as many faults as are asked for, and all of each edge that is kept.
  private mutating func cut() {
    contacts.sort { $0.edge != $1.edge ? $0.edge < $1.edge : $0.otherEdge < $1.otherEdge }
    var (count, faults) = (0, 0)
    while count < contacts.count {
      if faults >= mostFaults && contacts[count].edge != contacts[count &- 1].edge { break }
      if isFault(contacts[count].kind) { faults &+= 1 }
      count &+= 1
    }
    contacts.truncate(count)
    (tally.faults, tally.hasAllFaults, isTruncated) = (faults, false, true)
    (tally.lastEdge, tally.nextCut) = (Int(contacts[count &- 1].edge), 2 &* faults)
  }
}

extension EdgeSet {
  /// What becomes of two edges, the lower one first, by a rule; nil when they have nothing to do with each other.
  @inline(__always)
  func contact(_ edge: Int, _ other: Int, _ rule: ContactRule) -> Contact? {
    let meeting = EdgeContact(place(edge), place(edge &+ 1), place(other), place(other &+ 1))
    if case .apart = meeting { return nil }
    return rule == .area
      ? contact(edge, other, meeting) : lineContact(edge, other, meeting, rings: rule == .simpleRings)
  }
}
