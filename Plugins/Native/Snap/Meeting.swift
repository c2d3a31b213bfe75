// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The one place where two edges meet, the exact one rounded to nearest. nil when they do not meet, when they overlap, and
/// when an end of one is an end of the other: that is a vertex of both.
///
/// Zero-length edges meet nothing. Decisions are exact.
func meetingPlace(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> (place: Place, share: Double)? {
  guard overlap(a.x, b.x, c.x, d.x), overlap(a.y, b.y, c.y, d.y), a != c, a != d, b != c, b != d else { return nil }
  let (sideC, sideD) = (orientation(a, b, c), orientation(a, b, d))
  if sideC * sideD > 0 || (sideC == 0 && sideD == 0) { return nil }
  let (sideA, sideB) = (orientation(c, d, a), orientation(c, d, b))
  if sideA * sideB > 0 { return nil }
  if sideC == 0 || sideD == 0 {
    let place = sideC == 0 ? c : d
    return sideA == 0 || sideB == 0 ? nil : (place, share(of: place, on: a, b))
  }
  if sideA == 0 { return (a, 0) }
  if sideB == 0 { return (b, 1) }
  return crossingPlace(a, b, c, d)
}

@inline(__always)
private func overlap(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Bool {
  max(a, b) >= min(c, d) && max(c, d) >= min(a, b)
}

/// Where along a place of the edge lies, plainly, by the longer ordinate.
private func share(of place: Place, on a: Place, _ b: Place) -> Double {
  let (dx, dy) = (b.x - a.x, b.y - a.y)
  return dx.magnitude > dy.magnitude ? (place.x - a.x) / dx : (place.y - a.y) / dy
}
