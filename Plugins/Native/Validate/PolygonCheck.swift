// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What is known of a ring that takes part in the phases behind the first.
struct RingFacts: BitwiseCopyable {
  var box = Box.empty
  /// Its least vertex by (x, y).
  var least: Int32 = 0
  /// It crosses, touches or overlaps itself.
  var isFaulty = false
}

/// What is known of a polygon of a row.
struct PartFacts: BitwiseCopyable {
  /// A ring of it left after the first phase.
  var lostRing = false
  var hasEmptyShell = false
  var hasFaultyHole = false
  /// It has an error of the phases before connectedness.
  var isFaulty = false
}

/// Judges polygonal rows by the rules of OGC Simple Features, in phases: each ring alone; contacts of all pairs of edges of
/// all rings; nesting; connectedness. Memory is kept from row to row.
struct PolygonCheck {
  enum Depth {
    /// Nothing but the verdict is wanted: the first error ends it.
    case verdict
    case problems
  }

  let geoms: Geoms
  let call: UnsafeMutablePointer<mrd_call>
  let depth: Depth
  let rule: ContactRule
  let options: mrd_validate_options
  /// Contacts after which the search ends, with the findings so far: enough for the limit of problems that was asked for.
  let mostContacts: Int
  /// Without a limit: more contacts than this are more than anybody reads, and would fill the memory.
  static let mostOfAll = 1 << 22
  var poll: CancelPoll

  // The row's edges.
  var xRoom: ScratchRoom<Double>
  var yRoom: ScratchRoom<Double>
  var numberRoom: ScratchRoom<Int32>
  var chainRoom: ScratchRoom<EdgeChain>
  var blocks: EdgeBlocks
  var index: EdgeIndex
  var partRoom: ScratchRoom<PartFacts>
  var partCount = 0

  // What was found in the row.
  var findings: ScratchList<Finding>
  var contacts: ScratchList<Contact>
  var isInvalid = false
  /// False: the row's status says why there is no verdict.
  var hasVerdict = true
  var isTruncated = false
  var failed = false

  // Of the later phases.
  var ringRoom: ScratchRoom<RingFacts>
  var badPairs: ScratchList<UInt64>
  var ends: ScratchList<OverlapEnd>
  var parents: ScratchRoom<Int32>
  var marks: ScratchRoom<UInt8>
  var candidates: ScratchList<Int32>
  var incidences: ScratchList<Incidence>
  var stops: ScratchList<LoopStop>
  var loops: ScratchList<RingLoop>
  var rings: FrameTree
  var keyRoom: ScratchRoom<UInt64>

  init(_ geoms: Geoms, _ call: UnsafeMutablePointer<mrd_call>, _ options: mrd_validate_options, rule: ContactRule) {
    self.geoms = geoms
    self.call = call
    self.options = options
    depth = options.mode == MRD_MODE_VERDICT ? .verdict : .problems
    let limit = options.mode == MRD_MODE_FIRST ? 1 : Int(options.limit)
    self.rule = rule
    mostContacts = limit == 0 || limit > 1 << 18 ? PolygonCheck.mostOfAll : 4 &* limit &+ 4096
    poll = CancelPoll(call)
    xRoom = ScratchRoom(call)
    yRoom = ScratchRoom(call)
    numberRoom = ScratchRoom(call)
    chainRoom = ScratchRoom(call)
    blocks = EdgeBlocks(call)
    index = EdgeIndex(call)
    partRoom = ScratchRoom(call)
    findings = ScratchList(call)
    contacts = ScratchList(call)
    ringRoom = ScratchRoom(call)
    badPairs = ScratchList(call)
    ends = ScratchList(call)
    parents = ScratchRoom(call)
    marks = ScratchRoom(call)
    candidates = ScratchList(call)
    incidences = ScratchList(call)
    stops = ScratchList(call)
    loops = ScratchList(call)
    rings = FrameTree(call)
    keyRoom = ScratchRoom(call)
  }

  /// Judges a row that is not null. Its problems are in `findings`, in no order; the answer is what they refer to. nil = no
  /// memory, or cancelled.
  @inline(__always)
  mutating func check(_ row: Int) -> EdgeSet? {
    begin()
    guard let edges = checkArea(row) else { return nil }
    if hasExtras && !hasEnough { addExtras(row, edges) }
    return hasFailed ? nil : edges
  }

  @inline(__always)
  mutating func begin() {
    findings.truncate(0)
    contacts.truncate(0)
    (isInvalid, isTruncated, hasVerdict) = (false, false, true)
  }

  /// Memory ran out, or the call was cancelled.
  var hasFailed: Bool {
    failed || findings.failed || contacts.failed || badPairs.failed || ends.failed || candidates.failed
      || incidences.failed || stops.failed || loops.failed || poll.isCancelled
  }

  @inline(__always)
  private mutating func checkArea(_ row: Int) -> EdgeSet? {
    guard var edges = loadPlain(row) ?? loadWithCare(row) else { return nil }
    if hasEnough { return edges }
    var outcome = search(edges)
    if outcome == .again {
      contacts.truncate(0)
      guard let careful = loadWithCare(row) else { return nil }
      edges = careful
      if hasEnough { return edges }
      outcome = search(edges)
    }
    if outcome != .done { return nil }
    if hasEnough { return edges }
    if contacts.count > 0 || edges.chainCount > 1 || edges.numbers != nil { judge(edges) }
    return edges
  }

  /// True when nothing more can change the answer.
  var hasEnough: Bool { isInvalid && depth == .verdict }

  enum SearchOutcome { case done, again, failed }

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
    if contacts.count > 0 { isInvalid = true }
    if hasEnough { return .done }
    // So many pairs of blocks that another order is worth its cost.
    var looks = 16 &* blocks.count &+ 4096
    let blocks = blocks
    for block in 0..<blocks.count {
      if poll.tick(16) { return .failed }
      if looks < 0 { return searchIndex(edges, from: block &<< 4) }
      let (depth, rule, allowsSelfTouch) = (depth, rule, allowsSelfTouch)
      var (found, isBad) = (contacts, isInvalid)
      let goesOn = blocks.forEachPair(block: block, &looks) { edge, other in
        guard let contact = PolygonCheck.meet(edge, other, edges, rule) else { return true }
        found.append(contact)
        isBad = isBad || !(contact.kind == .touch || (allowsSelfTouch && contact.kind == .selfTouch))
        return !(isBad && depth == .verdict)
      }
      (contacts, isInvalid) = (found, isBad)
      if !goesOn { return .done }
      if contacts.count > mostContacts {
        truncate()
        return .done
      }
    }
    return .done
  }

  /// Goes on with the search from an edge on, in an order that suits data whose blocks lie within each other.
  @inline(never)
  private mutating func searchIndex(_ edges: EdgeSet, from first: Int) -> SearchOutcome {
    guard index.build(edges, blocks, &poll) else { return .failed }
    let (index, blocks) = (index, blocks)
    for edge in first..<edges.count {
      let (depth, rule, allowsSelfTouch) = (depth, rule, allowsSelfTouch)
      var (found, isBad) = (contacts, isInvalid)
      let goesOn = index.forEachPartner(of: edge, edges, blocks) { other in
        guard let contact = PolygonCheck.meet(edge, other, edges, rule) else { return true }
        found.append(contact)
        isBad = isBad || !(contact.kind == .touch || (allowsSelfTouch && contact.kind == .selfTouch))
        return !(isBad && depth == .verdict)
      }
      (contacts, isInvalid) = (found, isBad)
      if !goesOn { return .done }
      if poll.tick(8) || contacts.failed { return .failed }
      if contacts.count > mostContacts {
        truncate()
        return .done
      }
    }
    return .done
  }

  /// Keeps what pairs of edges have to do with each other, as `search` finds the pairs. False = that is enough.
  @inline(__always)
  private mutating func collect(
    _ edges: EdgeSet, _ search: (_ note: (_ edge: Int, _ other: Int) -> Bool) -> Bool
  ) -> Bool {
    let (depth, rule) = (depth, rule)
    var (found, isBad) = (contacts, isInvalid)
    let goesOn = search { edge, other in
      guard let contact = PolygonCheck.meet(edge, other, edges, rule) else { return true }
      found.append(contact)
      isBad = isBad || contact.kind != .touch
      return !(isBad && depth == .verdict)
    }
    (contacts, isInvalid) = (found, isBad)
    return goesOn
  }

  /// Keeps the contacts of the first edges, as many as are asked for: all of each edge that is kept.
  private mutating func truncate() {
    isTruncated = true
    contacts.sort { $0.edge != $1.edge ? $0.edge < $1.edge : $0.otherEdge < $1.otherEdge }
    var count = mostContacts
    while count < contacts.count && contacts[count].edge == contacts[count &- 1].edge { count &+= 1 }
    contacts.truncate(count)
  }

  private mutating func noteSpike(_ vertex: Int, _ edges: EdgeSet) {
    guard let spike = edges.spike(at: vertex) else { return }
    contacts.append(spike)
    isInvalid = true
  }

  /// False = that is enough.
  @inline(__always)
  private mutating func note(_ edge: Int, _ other: Int, _ edges: EdgeSet) -> Bool {
    guard let contact = PolygonCheck.meet(edge, other, edges, rule) else { return true }
    contacts.append(contact)
    if !(contact.kind == .touch || (allowsSelfTouch && contact.kind == .selfTouch)) { isInvalid = true }
    return !hasEnough
  }

  /// What two edges, the lower one first, have to do with each other; nil when it is nothing to be kept.
  @inline(__always)
  private static func meet(_ edge: Int, _ other: Int, _ edges: EdgeSet, _ rule: ContactRule) -> Contact? {
    let meeting = EdgeContact(edges.place(edge), edges.place(edge &+ 1), edges.place(other), edges.place(other &+ 1))
    if case .apart = meeting { return nil }
    return rule == .area
      ? edges.contact(edge, other, meeting)
      : edges.lineContact(edge, other, meeting, rings: rule == .simpleRings)
  }

  /// From contacts to problems, and on to the later phases.
  @inline(never)
  private mutating func judge(_ edges: EdgeSet) {
    guard gatherFacts(edges) else {
      failed = true
      return
    }
    if contacts.count > 0 { judgeContacts(edges) }
    if isTruncated { return }
    if edges.chainCount > 1 || edges.numbers != nil { judgeNesting(edges) }
    if hasEnough { return }
    stops.truncate(0)
    if allowsSelfTouch { cutRings(edges) }
    if contacts.count > 0 { judgeConnectedness(edges) }
  }

  /// Judges a row by all its contacts, where nesting has no error and rings alone have none. False = no memory, or cancelled.
  mutating func judge(_ edges: EdgeSet, knowing known: HandleList<Contact>) -> Bool {
    begin()
    if known.count == 0 { return true }
    partCount = Int(edges.chains[edges.chainCount &- 1].part) &+ 1
    guard clearParts(), let rings = ringRoom.room(for: edges.chainCount) else { return false }
    rings.update(repeating: RingFacts(), count: edges.chainCount)
    for index in 0..<known.count { contacts.append(known[index]) }
    judgeContacts(edges)
    if edges.chainCount > 1 { judgeConnectedness(edges) }
    return !hasFailed
  }

  // MARK: - Making findings

  mutating func report(
    _ code: Int32, _ jtsCode: Int32, _ contact: Contact, _ place: Place, _ edges: EdgeSet, vertex: Int? = nil
  ) {
    let (chain, other) = (Int(contact.chain), Int(contact.otherChain))
    let edge = vertex ?? Int(contact.edge)
    isInvalid = true
    let isArea = rule == .area
    findings.append(
      Finding(
        code: isArea ? code : MRD_PROBLEM_NOT_SIMPLE_CROSSING, jtsCode: isArea ? jtsCode : MRD_JTS_NONE,
        part: Int(edges.chains[chain].part), ring: Int(edges.chains[chain].ring),
        vertex: edges.number(edge, in: chain), edge: edge, otherEdge: Int(contact.otherEdge),
        otherPart: Int(edges.chains[other].part), otherRing: Int(edges.chains[other].ring),
        otherVertex: edges.number(Int(contact.otherEdge), in: other), place: place))
  }

  /// A problem of a whole ring, placed at a vertex of it or on the edge that begins there.
  mutating func report(
    _ code: Int32, _ jtsCode: Int32, ring: Int, at vertex: Int, other: Int?, place: Place? = nil, _ edges: EdgeSet
  ) {
    isInvalid = true
    let chain = edges.chains[ring]
    findings.append(
      Finding(
        code: code, jtsCode: jtsCode, part: Int(chain.part), ring: Int(chain.ring),
        vertex: edges.number(vertex, in: ring), edge: vertex,
        otherPart: other.map { Int(edges.chains[$0].part) } ?? -1,
        otherRing: other.map { Int(edges.chains[$0].ring) } ?? -1, place: place ?? edges.place(vertex)))
  }
}
