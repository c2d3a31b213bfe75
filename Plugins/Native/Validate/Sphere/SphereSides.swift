// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The determinant of three directions: positive when they run counter-clockwise seen from outside. `error` bounds how far it
/// may be off.
struct SphereDeterminant {
  let value: Double
  let error: Double

  /// - Parameters: directions of length about 1.
  @inline(__always)
  init(_ a: Vector, _ b: Vector, _ c: Vector) {
    // Of directions that lie close together the differences are exact and small, and the bound is small with them.
    let (u, v) = (a - c, b - c)
    let (x1, x2) = (u.y * v.z * c.x, u.z * v.y * c.x)
    let (y1, y2) = (u.z * v.x * c.y, u.x * v.z * c.y)
    let (z1, z2) = (u.x * v.y * c.z, u.y * v.x * c.z)
    value = ((x1 - x2) + (y1 - y2)) + (z1 - z2)
    // A term has two differences and two products, and goes through three sums: 7 roundings of 2^-53, and some more.
    let size =
      ((x1.magnitude + x2.magnitude) + (y1.magnitude + y2.magnitude)) + (z1.magnitude + z2.magnitude)
    error = 1.2e-15 * size + 0x1p-1000
  }

  /// The same without error, in units of 2^(3 `unit`).
  static func exact(_ a: Vector, _ b: Vector, _ c: Vector, unit: Int) -> ExactInteger {
    func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
    let (bx, by, bz) = (whole(b.x), whole(b.y), whole(b.z))
    let (cx, cy, cz) = (whole(c.x), whole(c.y), whole(c.z))
    let x = whole(a.x) * (by * cz - bz * cy)
    let y = whole(a.y) * (bz * cx - bx * cz)
    return x + y + whole(a.z) * (bx * cy - by * cx)
  }

  static func unit(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Int {
    ExactInteger.unitExponent(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z)
  }
}

/// On which side of the great circle from `a` to `b` the direction `c` lies: 1 left, -1 right, 0 on it. The sign is that of
/// exact arithmetic on the vectors.
@inline(__always)
func sphereSide(_ a: Vector, _ b: Vector, _ c: Vector) -> Int {
  let determinant = SphereDeterminant(a, b, c)
  if determinant.value > determinant.error { return 1 }
  if determinant.value < -determinant.error { return -1 }
  return exactSphereSide(a, b, c)
}

@inline(never)
private func exactSphereSide(_ a: Vector, _ b: Vector, _ c: Vector) -> Int {
  SphereDeterminant.exact(a, b, c, unit: SphereDeterminant.unit(a, b, c, c)).sign
}

/// The normal of the plane of two directions, of which the signs of the ordinates are known, exactly.
private struct NormalSigns {
  let x: Int
  let y: Int
  let z: Int

  init(_ a: Vector, _ b: Vector) {
    x = signOfDifference(a.y, b.z, a.z, b.y)
    y = signOfDifference(a.z, b.x, a.x, b.z)
    z = signOfDifference(a.x, b.y, a.y, b.x)
  }

  var isNothing: Bool { x == 0 && y == 0 && z == 0 }

  /// For normals of one plane: they point the same way. False when one is nothing.
  func isSame(as other: NormalSigns) -> Bool { !isNothing && x == other.x && y == other.y && z == other.z }
}

/// The sign of p q - r s.
private func signOfDifference(_ p: Double, _ q: Double, _ r: Double, _ s: Double) -> Int {
  let (left, right) = (p * q, r * s)
  let (estimate, error) = (left - right, 4.5e-16 * (left.magnitude + right.magnitude) + 0x1p-1000)
  if estimate.magnitude > error { return estimate > 0 ? 1 : -1 }
  guard hasPlainProducts(Place(x: p, y: q)) && hasPlainProducts(Place(x: r, y: s)) else {
    let unit = ExactInteger.unitExponent(p, q, r, s)
    func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
    return (whole(p) * whole(q) - whole(r) * whole(s)).sign
  }
  let (one, other) = (twoProduct(p, q), twoProduct(r, s))
  if one.head != other.head { return one.head > other.head ? 1 : -1 }
  return one.tail == other.tail ? 0 : one.tail > other.tail ? 1 : -1
}

extension Vector {
  /// The two have one direction, or opposite ones: no great circle through both is the only one.
  func hasNoCircle(with other: Vector) -> Bool { NormalSigns(self, other).isNothing }

  /// This direction, which lies on the great circle of `a` and `b`, lies strictly between them on the shorter way.
  func isBetween(_ a: Vector, _ b: Vector) -> Bool {
    let whole = NormalSigns(a, b)
    return whole.isSame(as: NormalSigns(a, self)) && whole.isSame(as: NormalSigns(self, b))
  }
}

/// True when the ways from `p` to `u` and to `v`, which are neither `p` nor opposite to it, set out in the same direction.
func haveSameDirection(_ p: Vector, _ u: Vector, _ v: Vector) -> Bool {
  sphereSide(p, u, v) == 0 && NormalSigns(p, u).isSame(as: NormalSigns(p, v))
}

/// True when the way from `p` to `v` sets out strictly into the sector that a turn counter-clockwise from the way to `u` to that
/// to `w` sweeps. No two of the three set out in the same direction.
func isInSector(_ p: Vector, from u: Vector, to w: Vector, _ v: Vector) -> Bool {
  let whole = sphereSide(p, u, w)
  if whole == 0 { return sphereSide(p, u, v) > 0 }
  let (first, second) = (sphereSide(p, u, v), sphereSide(p, v, w))
  return whole > 0 ? first > 0 && second > 0 : !(sphereSide(p, w, v) > 0 && sphereSide(p, v, u) > 0)
}
