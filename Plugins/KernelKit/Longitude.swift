// SPDX-License-Identifier: Apache-2.0

/// The way from longitude `a` to longitude `b` in degrees, right to about one ulp of itself. It lies in [-180, 180]: an
/// exact half turn is 180, eastward; -180 means slightly less than half a turn westward that rounds to it.
public func longitudeDifference(_ a: Double, _ b: Double) -> Double {
  // Without reduction the difference is as good as it can be, and the common case pays no remainder.
  let plain = b - a
  if plain.magnitude < 180 { return plain }
  let (head, tail) = reducedDifference(a, b)
  if head == 180 && tail > 0 { return -180 + tail }
  if head == -180 && tail <= 0 { return 180 + tail }
  return head + tail
}

/// True when the longitudes lie exactly half a turn apart, so that neither way round is the shorter one.
@inline(__always)
public func isHalfTurn(_ a: Double, _ b: Double) -> Bool {
  guard (b - a).magnitude >= 180 else { return false }
  let (head, tail) = reducedDifference(a, b)
  return head.magnitude == 180 && tail == 0
}

/// b - a modulo 360 as an exact sum of two doubles. Remainders are exact; the tail keeps what rounding the difference of
/// two numbers near 180 would lose.
private func reducedDifference(_ a: Double, _ b: Double) -> (head: Double, tail: Double) {
  let (head, tail) = twoSum(-a.remainder(dividingBy: 360), b.remainder(dividingBy: 360))
  return (head.remainder(dividingBy: 360), tail)
}

/// `longitude` moved by whole turns into [-180, 180]; -180 and 180 stay as they are.
public func normalizedLongitude(_ longitude: Double) -> Double {
  longitude.magnitude <= 180 ? longitude : longitude.remainder(dividingBy: 360)
}
