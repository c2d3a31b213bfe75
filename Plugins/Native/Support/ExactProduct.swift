// SPDX-License-Identifier: Apache-2.0

/// `a * b` as the rounded product and its exact error: head + tail = a * b, as long as nothing overflows or falls below
/// the normal numbers.
///
/// With a fused multiply-add the error is one instruction; without one it is Dekker's splitting (1971), valid for
/// magnitudes under 2^996. Both give the same two doubles.
@inline(__always)
func twoProduct(_ a: Double, _ b: Double) -> (head: Double, tail: Double) {
  let head = a * b
  #if MERIDIAN_FMA || arch(arm64)
    return (head, (-head).addingProduct(a, b))
  #else
    let (aHigh, aLow) = split(a)
    let (bHigh, bLow) = split(b)
    return (head, ((aHigh * bHigh - head) + aHigh * bLow + aLow * bHigh) + aLow * bLow)
  #endif
}

/// `a` as a sum of two numbers of at most 26 significant bits.
@inline(__always)
func split(_ a: Double) -> (high: Double, low: Double) {
  let scaled = a * 134_217_729  // 2^27 + 1
  let high = scaled - (scaled - a)
  return (high, a - high)
}
