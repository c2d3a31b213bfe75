// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Where things lie along an edge of the sphere.
extension SphereEdges {
  /// The order along an edge, from its start on, of two contacts of it that are no overlaps: -1, 0 when they are at one point, 1.
  func order(along edge: Int, _ a: Contact, _ b: Contact) -> Int {
    let (first, second) = (a.kind == .crossing, b.kind == .crossing)
    if first && second { return orderOfCrossings(along: edge, partner(edge, a), partner(edge, b)) }
    if first { return 0 &- orderOfVertex(along: edge, vertex(of: b), crossing: partner(edge, a)) }
    if second { return orderOfVertex(along: edge, vertex(of: a), crossing: partner(edge, b)) }
    if a.place == b.place { return 0 }
    let start = edges.place(edge)
    if a.place == start || b.place == start { return a.place == start ? -1 : 1 }
    return vectors[vertex(of: a)].isBetween(vectors[edge], vectors[vertex(of: b)]) ? -1 : 1
  }

  /// The order of two findings on one edge. An overlap that is placed elsewhere comes last.
  func positionOrder(_ a: Finding, _ b: Finding) -> Int {
    let start = edges.place(a.edge)
    if (a.place == start) != (b.place == start) { return a.place == start ? -1 : 1 }
    let (first, second) = (contact(of: a), contact(of: b))
    guard let first, let second else { return first == nil ? second == nil ? 0 : 1 : -1 }
    return order(along: a.edge, first, second)
  }

  private func contact(of finding: Finding) -> Contact? {
    guard finding.otherEdge >= 0, finding.code == MRD_PROBLEM_CROSSING || finding.code == MRD_PROBLEM_RING_SELF_TOUCH
    else { return nil }
    let isCrossing = meeting(finding.edge, finding.otherEdge).isCrossing
    return Contact(
      kind: isCrossing ? .crossing : .vertexCrossing, edge: Int32(truncatingIfNeeded: finding.edge),
      otherEdge: Int32(truncatingIfNeeded: finding.otherEdge), chain: 0, otherChain: 0, place: finding.place)
  }

  private func partner(_ edge: Int, _ contact: Contact) -> Int {
    Int(contact.edge) == edge ? Int(contact.otherEdge) : Int(contact.edge)
  }

  /// A vertex on the edge is before the crossing with another edge when it lies on that one's side where the edge begins.
  private func orderOfVertex(along edge: Int, _ vertex: Int, crossing other: Int) -> Int {
    let (c, d) = ends(other)
    let side = sphereSide(c, d, vectors[vertex])
    return side == 0 ? 0 : side == sphereSide(c, d, vectors[edge]) ? -1 : 1
  }

  /// The point where a b crosses c d has the direction b |(c d a)| + a |(c d b)|, with determinants in brackets; so of two such
  /// points the one with the lesser quotient comes first.
  private func orderOfCrossings(along edge: Int, _ one: Int, _ other: Int) -> Int {
    if one == other { return 0 }
    let (a, b) = ends(edge)
    let ((c, d), (e, f)) = (ends(one), ends(other))
    let (ca, cb) = (SphereDeterminant(c, d, a), SphereDeterminant(c, d, b))
    let (ea, eb) = (SphereDeterminant(e, f, a), SphereDeterminant(e, f, b))
    let (left, right) = (ca.value.magnitude * eb.value.magnitude, ea.value.magnitude * cb.value.magnitude)
    let error =
      ca.value.magnitude * eb.error + ca.error * (eb.value.magnitude + eb.error) + ea.value.magnitude * cb.error
      + ea.error * (cb.value.magnitude + cb.error)
    // Twice the bound, for the roundings of all this; 2^-1000 for products that vanish.
    if (left - right).magnitude > 2 * error + 1e-15 * (left + right) + 0x1p-1000 { return left < right ? -1 : 1 }
    return exactOrder(a, b, c, d, e, f)
  }

  @inline(never)
  private func exactOrder(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ e: Vector, _ f: Vector) -> Int {
    let (unit, otherUnit) = (SphereDeterminant.unit(a, b, c, d), SphereDeterminant.unit(a, b, e, f))
    func size(_ p: Vector, _ q: Vector, _ r: Vector, _ unit: Int) -> ExactInteger {
      let value = SphereDeterminant.exact(p, q, r, unit: unit)
      return value.sign < 0 ? ExactInteger() - value : value
    }
    let left = size(c, d, a, unit) * size(e, f, b, otherUnit)
    return (left - size(e, f, a, otherUnit) * size(c, d, b, unit)).sign
  }

  /// The place where two edges cross: the share of the first one before it within 1e-13 of itself, so metres of long edges are
  /// right to nanometres.
  func crossingPlace(_ edge: Int, _ other: Int) -> Place {
    let ((a, b), (c, d)) = (ends(edge), ends(other))
    let (ca, cb) = (SphereDeterminant(c, d, a), SphereDeterminant(c, d, b))
    var (shareA, shareB) = (cb.value.magnitude, ca.value.magnitude)
    if ca.error > 1e-13 * shareB || cb.error > 1e-13 * shareA {
      let unit = SphereDeterminant.unit(a, b, c, d)
      func size(_ p: Vector) -> ExactInteger {
        let value = SphereDeterminant.exact(c, d, p, unit: unit)
        return value.sign < 0 ? ExactInteger() - value : value
      }
      let (toA, toB) = (size(b), size(a))
      shareA = ExactInteger.quotient(toA, toA + toB, unit: 0)
      shareB = ExactInteger.quotient(toB, toA + toB, unit: 0)
    }
    let sum = shareA + shareB
    var direction = a * (shareA / sum)
    direction += b * (shareB / sum)
    return canonicalPlace(direction.place)
  }
}
