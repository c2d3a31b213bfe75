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
  /// Faults after which the search ends, with the findings so far: enough for the limit of problems that was asked for.
  let mostFaults: Int
  /// Without a limit: more faults than this are more than anybody reads, and would fill the memory.
  private static let mostFaultsOfAll = 1 << 20
  /// Touches that are kept, 72 bytes each.
  static let mostTouches = 1 << 22
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
  var tally = ContactTally()
  var isInvalid = false
  /// False: a row that is not invalid has no verdict; its status says why.
  var hasVerdict = true
  var isTruncated = false
  var failed = false

  // Of the later phases.
  var ringRoom: ScratchRoom<RingFacts>
  var badPairs: ScratchList<UInt64>
  var crossings: ScratchList<PlacedCrossing>
  var stretches: ScratchList<OverlapStretch>
  var ends: ScratchList<OverlapEnd>
  var parents: ScratchRoom<Int32>
  var marks: ScratchRoom<UInt8>
  var candidates: ScratchList<Int32>
  var incidences: ScratchList<Incidence>
  var stops: ScratchList<LoopStop>
  var loops: ScratchList<RingLoop>
  var rings: FrameTree
  var keyRoom: ScratchRoom<UInt64>
  var sphereRooms: SphereRooms
  /// The row's edges on the sphere, in the dialect of the sphere.
  var sphere: SphereEdges?

  init(_ geoms: Geoms, _ call: UnsafeMutablePointer<mrd_call>, _ options: mrd_validate_options, rule: ContactRule) {
    self.geoms = geoms
    self.call = call
    self.options = options
    depth = options.mode == MRD_MODE_VERDICT ? .verdict : .problems
    let limit = options.mode == MRD_MODE_FIRST ? 1 : Int(options.limit)
    self.rule = rule
    mostFaults = limit == 0 || limit > 1 << 18 ? PolygonCheck.mostFaultsOfAll : 4 &* limit &+ 4096
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
    crossings = ScratchList(call)
    stretches = ScratchList(call)
    ends = ScratchList(call)
    parents = ScratchRoom(call)
    marks = ScratchRoom(call)
    candidates = ScratchList(call)
    incidences = ScratchList(call)
    stops = ScratchList(call)
    loops = ScratchList(call)
    rings = FrameTree(call)
    keyRoom = ScratchRoom(call)
    sphereRooms = SphereRooms(call)
  }

  /// Judges a row that is not null. Its problems are in `findings`, in no order; the answer is what they refer to. nil = no
  /// memory, or cancelled.
  @inline(__always)
  mutating func check(_ row: Int) -> EdgeSet? {
    begin()
    guard let edges = isSpherical ? checkSphere(row) : checkArea(row) else { return nil }
    if hasExtras && !hasEnough { addExtras(row, edges) }
    return hasFailed ? nil : edges
  }

  @inline(__always)
  mutating func begin() {
    findings.truncate(0)
    forgetContacts()
    (isInvalid, isTruncated, hasVerdict) = (false, false, true)
  }

  /// Memory ran out, or the call was cancelled.
  var hasFailed: Bool {
    failed || findings.failed || contacts.failed || badPairs.failed || crossings.failed || stretches.failed
      || ends.failed || candidates.failed || incidences.failed || stops.failed || loops.failed || sphereRooms.failed
      || poll.isCancelled
  }

  @inline(__always)
  private mutating func checkArea(_ row: Int) -> EdgeSet? {
    guard var edges = loadPlain(row) ?? loadWithCare(row) else { return nil }
    if hasEnough { return edges }
    var outcome = search(edges)
    if outcome == .again {
      forgetContacts()
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

  /// From contacts to problems, and on to the later phases.
  @inline(never)
  private mutating func judge(_ edges: EdgeSet) {
    guard gatherFacts(edges) else {
      failed = true
      return
    }
    if contacts.count > 0 { judgeContacts(edges) }
    if !tally.hasAllFaults { return }
    if edges.chainCount > 1 || edges.numbers != nil { judgeNesting(edges) }
    if hasEnough { return }
    guard tally.hasAllTouches else {
      // Whether the interior hangs together cannot be told.
      hasVerdict = false
      return
    }
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
