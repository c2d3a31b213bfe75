// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Where two edges of a row meet that should not, or rings touch. Edge i is the lower one.
struct Contact: BitwiseCopyable {
  enum Kind: UInt8 {
    /// Inside both edges.
    case crossing
    /// At a vertex, where one curve goes from one side of the other to its other side.
    case vertexCrossing
    /// At a vertex, where a ring meets itself without crossing.
    case selfTouch
    /// At a vertex, where two rings meet without crossing.
    case touch
    /// Along a stretch.
    case overlap
  }

  var kind: Kind
  var edge: Int32
  var otherEdge: Int32
  var chain: Int32
  var otherChain: Int32
  /// The vertex where an edge turns back over its neighbour; -1 for other contacts.
  var tip: Int32 = -1
  /// The exact place rounded to nearest, of a crossing only once it is asked for; of an overlap its lesser end.
  var place: Place
  /// The greater end of an overlap.
  var end = Place(x: 0, y: 0)

  var pair: UInt64 { UInt64(UInt32(bitPattern: chain)) << 32 | UInt64(UInt32(bitPattern: otherChain)) }
  var isOfOneChain: Bool { chain == otherChain }
}

extension Contact {
  /// Of two edges by how they meet; nil where that is nothing to be kept. `kindOfTouch` says what a meeting at one place is,
  /// which the contact has already.
  @inline(__always)
  init?(
    _ edge: Int, _ other: Int, _ chain: Int, _ otherChain: Int, _ meeting: EdgeContact,
    kindOfTouch: (_ touch: Contact) -> Kind?
  ) {
    self.init(
      kind: .crossing, edge: Int32(truncatingIfNeeded: edge), otherEdge: Int32(truncatingIfNeeded: other),
      chain: Int32(truncatingIfNeeded: chain), otherChain: Int32(truncatingIfNeeded: otherChain),
      place: Place(x: 0, y: 0))
    switch meeting {
    case .apart: return nil
    case .crossing: break
    case .overlap(let from, let to): (kind, place, end) = (.overlap, from, to)
    case .touch(let place):
      self.place = place
      guard let kind = kindOfTouch(self) else { return nil }
      self.kind = kind
    }
  }
}

extension EdgeSet {
  /// What becomes of two edges that meet, `edge` < `other`; nil when it is nothing to be kept: neighbours at their vertex,
  /// and all but one of the pairs of edges in which a meeting at a vertex shows. Each visit of a chain to a point stands
  /// for the edge that begins there or goes through.
  func contact(_ edge: Int, _ other: Int, _ meeting: EdgeContact) -> Contact? {
    contact(edge, other, meeting) { touch in
      kindOfTouch(touch.place, edge, Int(touch.chain), other, Int(touch.otherChain))
    }
  }

  /// The same by another rule for what a visit to one vertex is; nil = nothing to be kept.
  @inline(__always)
  func contact(
    _ edge: Int, _ other: Int, _ meeting: EdgeContact, kindOfTouch: (_ touch: Contact) -> Contact.Kind?
  ) -> Contact? {
    let (chain, otherChain) = (chain(of: edge), chain(of: other))
    if chain == otherChain && areNeighbours(edge, other, in: chain) { return nil }
    return Contact(edge, other, chain, otherChain, meeting) { touch in
      if touch.place == place(edge &+ 1) || touch.place == place(other &+ 1) { return nil }
      return kindOfTouch(touch)
    }
  }

  /// nil where the chains run along each other from `p` on: that is an overlap's end.
  private func kindOfTouch(_ p: Place, _ edge: Int, _ chain: Int, _ other: Int, _ otherChain: Int) -> Contact.Kind? {
    guard let before = way(before: p, edge, chain), let otherBefore = way(before: p, other, otherChain) else {
      return nil
    }
    let (after, otherAfter) = (place(edge &+ 1), place(other &+ 1))
    if haveSameDirection(p, before, otherBefore) || haveSameDirection(p, before, otherAfter)
      || haveSameDirection(p, after, otherBefore) || haveSameDirection(p, after, otherAfter)
      || haveSameDirection(p, before, after) || haveSameDirection(p, otherBefore, otherAfter)
    {
      return nil
    }
    if isInSector(p, from: before, to: after, otherBefore) != isInSector(p, from: before, to: after, otherAfter) {
      return .vertexCrossing
    }
    return chain == otherChain ? .selfTouch : .touch
  }

  /// The vertex from which a ring comes to `p`, which is the start of an edge or lies inside it.
  private func way(before p: Place, _ edge: Int, _ chain: Int) -> Place? {
    let start = place(edge)
    return p == start ? vertexBefore(edge, in: chain).map(place) : start
  }

  /// The overlap of the two edges at a vertex that is no end of an open line, where the later one runs back over the
  /// earlier.
  func spike(at vertex: Int) -> Contact? {
    let chain = chain(of: vertex)
    guard let before = vertexBefore(vertex, in: chain) else { return nil }
    let (p, u, v) = (place(vertex), place(before), place(vertex &+ 1))
    guard haveSameDirection(p, u, v) else { return nil }
    let nearer = (p < u) == (u < v) ? u : v
    let (from, to) = p < nearer ? (p, nearer) : (nearer, p)
    let (low, high) = (min(before, vertex), max(before, vertex))
    return Contact(
      kind: .overlap, edge: Int32(truncatingIfNeeded: low), otherEdge: Int32(truncatingIfNeeded: high),
      chain: Int32(truncatingIfNeeded: chain), otherChain: Int32(truncatingIfNeeded: chain),
      tip: Int32(truncatingIfNeeded: vertex), place: from, end: to)
  }
}
