// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The edges of one geometry on the sphere: each the shorter arc of a great circle between the directions of its ends. Places
/// of the `EdgeSet` are canonical: two vertices have one direction exactly when they have one place. Decisions are exact on the
/// vectors.
struct SphereEdges: BitwiseCopyable {
  let edges: EdgeSet
  let vectors: UnsafePointer<Vector>

  @inline(__always)
  func ends(_ edge: Int) -> (Vector, Vector) { (vectors[edge], vectors[edge &+ 1]) }

  /// A vertex lies on an edge, its ends included.
  func isOn(_ vertex: Int, _ edge: Int) -> Bool {
    let (a, b) = ends(edge)
    return sphereSide(a, b, vectors[vertex]) == 0 && isOnCircle(vertex, edge)
  }

  /// The same for a vertex on the edge's great circle.
  private func isOnCircle(_ vertex: Int, _ edge: Int) -> Bool {
    let place = edges.place(vertex)
    if place == edges.place(edge) || place == edges.place(edge &+ 1) { return true }
    return vectors[vertex].isBetween(vectors[edge], vectors[edge &+ 1])
  }

  /// How two edges meet.
  func meeting(_ edge: Int, _ other: Int) -> EdgeContact {
    let ((a, b), (c, d)) = (ends(edge), ends(other))
    let (sideC, sideD) = (sphereSide(a, b, c), sphereSide(a, b, d))
    if sideC &* sideD > 0 { return .apart }
    if sideC == 0 && sideD == 0 { return meetingOnOneCircle(edge, other) }
    let (sideA, sideB) = (sphereSide(c, d, a), sphereSide(c, d, b))
    if sideA &* sideB > 0 { return .apart }
    if sideC &* sideD != 0 && sideA &* sideB != 0 {
      // Two great circles meet in two opposite points: each edge goes through one of them.
      return sideC == sideB ? .crossing : .apart
    }
    if sideA == 0 && isOnCircle(edge, other) { return .touch(edges.place(edge)) }
    if sideB == 0 && isOnCircle(edge &+ 1, other) { return .touch(edges.place(edge &+ 1)) }
    if sideC == 0 && isOnCircle(other, edge) { return .touch(edges.place(other)) }
    if sideD == 0 && isOnCircle(other &+ 1, edge) { return .touch(edges.place(other &+ 1)) }
    return .apart
  }

  /// Arcs of less than half a circle have one arc in common at most, and its ends are among theirs.
  private func meetingOnOneCircle(_ edge: Int, _ other: Int) -> EdgeContact {
    var (least, greatest): (Place?, Place?) = (nil, nil)
    func note(_ vertex: Int, _ edge: Int) {
      guard isOnCircle(vertex, edge) else { return }
      let place = edges.place(vertex)
      if least.map({ place < $0 }) ?? true { least = place }
      if greatest.map({ $0 < place }) ?? true { greatest = place }
    }
    note(edge, other)
    note(edge &+ 1, other)
    note(other, edge)
    note(other &+ 1, edge)
    guard let least, let greatest else { return .apart }
    return least == greatest ? .touch(least) : .overlap(from: least, to: greatest)
  }

  // MARK: - Contacts

  /// What becomes of two edges that meet, `edge` < `other`, by the rules of `EdgeSet.contact`.
  func contact(_ edge: Int, _ other: Int, _ meeting: EdgeContact) -> Contact? {
    edges.contact(edge, other, meeting) { kindOfTouch($0) }
  }

  /// The vertex at which a contact is, as one of its edges has it.
  func vertex(of contact: Contact) -> Int {
    let edge = Int(contact.edge)
    return contact.place == edges.place(edge) ? edge : Int(contact.otherEdge)
  }

  /// The directions from which and to which a chain runs through the place of a contact.
  func ways(_ place: Place, _ edge: Int32, _ chain: Int32) -> (before: Vector, after: Vector) {
    let edge = Int(edge)
    let before = place == edges.place(edge) ? edges.vertexBefore(edge, in: Int(chain)) ?? edge : edge
    return (vectors[before], vectors[edge &+ 1])
  }

  /// nil where the chains run along each other: that is an overlap's end.
  private func kindOfTouch(_ contact: Contact) -> Contact.Kind? {
    let p = vectors[vertex(of: contact)]
    let own = ways(contact.place, contact.edge, contact.chain)
    let others = ways(contact.place, contact.otherEdge, contact.otherChain)
    if haveSameDirection(p, own.before, others.before) || haveSameDirection(p, own.before, others.after)
      || haveSameDirection(p, own.after, others.before) || haveSameDirection(p, own.after, others.after)
      || haveSameDirection(p, own.before, own.after) || haveSameDirection(p, others.before, others.after)
    {
      return nil
    }
    let (comes, goes) = (
      isInSector(p, from: own.before, to: own.after, others.before),
      isInSector(p, from: own.before, to: own.after, others.after)
    )
    return comes != goes ? .vertexCrossing : contact.isOfOneChain ? .selfTouch : .touch
  }

  /// The overlap of the two edges at a vertex where the later one runs back over the earlier.
  func spike(at vertex: Int) -> Contact? {
    let chain = edges.chain(of: vertex)
    guard let before = edges.vertexBefore(vertex, in: chain),
      haveSameDirection(vectors[vertex], vectors[before], vectors[vertex &+ 1])
    else { return nil }
    // The nearer one lies between the vertex and the other, unless they are one.
    let isBeforeNearer = vectors[before].isBetween(vectors[vertex], vectors[vertex &+ 1])
    let (p, nearer) = (edges.place(vertex), edges.place(isBeforeNearer ? before : vertex &+ 1))
    return Contact(
      kind: .overlap, edge: Int32(truncatingIfNeeded: min(before, vertex)),
      otherEdge: Int32(truncatingIfNeeded: max(before, vertex)), chain: Int32(truncatingIfNeeded: chain),
      otherChain: Int32(truncatingIfNeeded: chain), tip: Int32(truncatingIfNeeded: vertex),
      place: p < nearer ? p : nearer, end: p < nearer ? nearer : p)
  }
}
