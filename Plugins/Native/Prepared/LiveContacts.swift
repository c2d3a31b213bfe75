// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// All contacts of a polygonal row, kept up to date while it is edited.
///
/// A contact of two edges depends on them and on the edges before them. So an edit at a vertex renews those of three edges:
/// that to the vertex, that from it, and the next one.
struct LiveContacts {
  private(set) var chains = HandleList<EdgeChain>()
  private(set) var contacts = HandleList<Contact>()
  private var blocks = EditBlocks()
  /// Holds for the row as it is: rings are closed, of three vertices at least, finite, without repeats.
  private(set) var isReady = false
  /// With contacts only where the rules allow it, the row was found valid, and nothing since can have changed how rings lie
  /// in each other.
  var isNestingKnown = false
  /// A block of edges is full; all are made anew.
  private var isFull = false
  /// Rows with more contacts are judged anew each time.
  private static let most = 4096

  mutating func drop() { (isReady, isNestingKnown) = (false, false) }

  // MARK: Building

  /// Takes a row over and finds its contacts. Not ready afterwards: the row needs a closer look, has more contacts than are
  /// kept, there was no memory, or the call was cancelled.
  mutating func build(_ row: EditedRow, _ poll: inout CancelPoll) {
    drop()
    guard isPlain(row), chains.reserve(row.pathCount), contacts.reserve(LiveContacts.most &+ 64), blocks.build(row)
    else { return }
    isFull = false
    chains.resize(0)
    for path in 0..<row.pathCount {
      let (span, name) = (row.span(path), row.name(path))
      chains.append(
        EdgeChain(
          first: Int32(truncatingIfNeeded: span.lowerBound), last: Int32(truncatingIfNeeded: span.upperBound &- 1),
          part: Int32(truncatingIfNeeded: name.part), ring: Int32(truncatingIfNeeded: name.ring), isClosed: true))
    }
    contacts.resize(0)
    for path in 0..<chains.count {
      for edge in chains[path].edges {
        find(edge, row) { $0 > edge }
        findSpike(edge, row)
        // An edge may have as many others in its box as the row has.
        if contacts.count > LiveContacts.most || poll.tick(64) { return }
      }
    }
    isReady = true
  }

  /// Every part has rings, and no ring needs a closer look.
  private func isPlain(_ row: EditedRow) -> Bool {
    guard row.isPolygonal, row.pathCount > 0, row.x.count < Int(Int32.max) - 64 else { return false }
    for part in 0..<(row.parts.count &- 1) where row.parts[part] == row.parts[part &+ 1] { return false }
    for path in 0..<row.pathCount {
      let span = row.span(path)
      guard row.areClosed[path], span.count >= 4 else { return false }
      for vertex in span {
        let place = row.place(vertex)
        guard place.x.isFinite, place.y.isFinite, vertex == span.lowerBound || place != row.place(vertex &- 1) else {
          return false
        }
      }
    }
    return true
  }

  func edges(_ row: EditedRow) -> EdgeSet {
    EdgeSet(
      x: row.x.start, y: row.y.start, count: row.x.count, chains: chains.start, chainCount: chains.count, numbers: nil)
  }

  // MARK: Edits

  /// What an edit does at a vertex, by the number of edges from the one before the vertex on.
  enum Step {
    case move, insert, remove
    /// Edges whose contacts are forgotten before, and that are looked at after.
    var forgotten: Int { self == .insert ? 2 : 3 }
    var fresh: Int { self == .remove ? 2 : 3 }
  }

  /// The stored vertex round the ring by some steps.
  private func vertex(_ vertex: Int, _ path: Int, by steps: Int) -> Int {
    let chain = chains[path]
    let (first, size) = (Int(chain.first), Int(chain.last &- chain.first))
    var at = vertex &+ steps
    while at < first { at &+= size }
    while at >= first &+ size { at &-= size }
    return at
  }

  /// Before the row is edited at a vertex: forgets what the edges there have to do with others.
  mutating func forget(_ step: Step, _ at: Int, _ path: Int, _ row: EditedRow) {
    guard isReady else { return }
    noteRing(path)
    sweep(at, path, row)
    let (one, two, three) = (
      Int32(truncatingIfNeeded: vertex(at, path, by: -1)), Int32(truncatingIfNeeded: vertex(at, path, by: 0)),
      Int32(truncatingIfNeeded: step.forgotten == 3 ? vertex(at, path, by: 1) : -1)
    )
    func isForgotten(_ edge: Int32) -> Bool { edge == one || edge == two || edge == three }
    var kept = 0
    for index in 0..<contacts.count {
      let contact = contacts[index]
      if isForgotten(contact.edge) || isForgotten(contact.otherEdge) { continue }
      contacts[kept] = contact
      kept &+= 1
    }
    contacts.resize(kept)
  }

  /// A vertex was put in at `vertex`, or taken out there.
  mutating func note(_ step: Step, _ vertex: Int, _ path: Int) {
    guard isReady else { return }
    switch step {
    case .move: return
    case .insert:
      shift(from: vertex, path, by: 1)
      if !blocks.insert(at: vertex) { isFull = true }
    case .remove:
      blocks.remove(at: vertex)
      shift(from: vertex &+ 1, path, by: -1)
      if chains[path].last &- chains[path].first < 3 { drop() }
    }
  }

  private func shift(from vertex: Int, _ path: Int, by step: Int32) {
    chains.start[path].last &+= step
    for chain in (path &+ 1)..<max(path &+ 1, chains.count) {
      chains.start[chain].first &+= step
      chains.start[chain].last &+= step
    }
    for index in 0..<contacts.count {
      var contact = contacts[index]
      if Int(contact.edge) >= vertex { contact.edge &+= step }
      if Int(contact.otherEdge) >= vertex { contact.otherEdge &+= step }
      if Int(contact.tip) >= vertex { contact.tip &+= step }
      contacts[index] = contact
    }
  }

  /// After the row was edited: finds what the edges at a vertex have to do with others now.
  mutating func renew(_ step: Step, _ at: Int, _ path: Int, _ row: EditedRow) {
    guard isReady else { return }
    let (before, here, after) = (
      vertex(at, path, by: -1), vertex(at, path, by: 0), vertex(at, path, by: 1)
    )
    let place = row.place(here)
    guard place.x.isFinite, place.y.isFinite, place != row.place(before), place != row.place(after) else {
      return drop()
    }
    if isFull {
      isFull = false
      if !blocks.build(row) { return drop() }
    } else {
      blocks.refresh(before, row)
      blocks.refresh(here, row)
      // The closing vertex goes with the first one.
      blocks.refresh(Int(chains[path].last) &- 1, row)
    }
    sweep(here, path, row)
    find(before, row) { $0 != before }
    find(here, row) { $0 != before && $0 != here }
    if step.fresh == 3 { find(after, row) { $0 != before && $0 != here && $0 != after } }
    // Where the last of them turns back is a matter of the vertex behind it.
    for number in 0...step.fresh {
      let tip = vertex(here, path, by: number &- 1)
      if number == 0 || tip != before { findSpike(tip, row) }
    }
    noteRing(path)
    if contacts.count > LiveContacts.most { drop() }
  }

  private mutating func findSpike(_ vertex: Int, _ row: EditedRow) {
    if let spike = edges(row).spike(at: vertex) { contacts.append(spike) }
  }

  /// Keeps the contacts of an edge with those others that `isWanted` says.
  @inline(__always)
  private mutating func find(_ edge: Int, _ row: EditedRow, _ isWanted: (_ other: Int) -> Bool) {
    let edges = edges(row)
    var found = contacts
    let chains = chains
    blocks.forEachEdge(in: edges.box(edge), row) { other in
      guard isWanted(other), found.count <= LiveContacts.most, other != Int(chains[edges.chain(of: other)].last) else {
        return
      }
      let (low, high) = (min(edge, other), max(edge, other))
      let meeting = EdgeContact(edges.place(low), edges.place(low &+ 1), edges.place(high), edges.place(high &+ 1))
      if case .apart = meeting { return }
      if let contact = edges.contact(low, high, meeting) { found.append(contact) }
    }
    contacts = found
  }

  // MARK: Nesting

  /// A ring that meets others may change sides where it touches them.
  private mutating func noteRing(_ path: Int) {
    guard isNestingKnown, chains.count > 1 else { return }
    for index in 0..<contacts.count where Int(contacts[index].chain) == path || Int(contacts[index].otherChain) == path
    {
      isNestingKnown = false
      return
    }
  }

  /// Other rings that lie in the triangle of a vertex and those beside it may be on the other side of the ring afterwards.
  private mutating func sweep(_ at: Int, _ path: Int, _ row: EditedRow) {
    guard isNestingKnown, chains.count > 1 else { return }
    var box = Box.empty
    for step in -1...1 {
      let place = row.place(vertex(at, path, by: step))
      box.grow(Box(xmin: place.x, ymin: place.y, xmax: place.x, ymax: place.y))
    }
    let (edges, chains) = (edges(row), chains)
    var isAlone = true
    blocks.forEachEdge(in: box, row) { edge in
      let chain = edges.chain(of: edge)
      if chain != path && edge != Int(chains[chain].last) { isAlone = false }
    }
    if !isAlone { isNestingKnown = false }
  }
}
