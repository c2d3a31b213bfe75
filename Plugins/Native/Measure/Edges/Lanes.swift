// SPDX-License-Identifier: Apache-2.0

// The vectors that the geodesic kernels compute with. A lane never sees its neighbours and nothing is fused, so that a
// result has the same bits whatever the width, the CPU level and the rows beside it. Two registers make a vector: one
// alone would wait for itself in the long chains of a geodesic.

#if MERIDIAN_V4
  typealias Lanes = SIMD16<Double>
  typealias LaneBits = SIMD16<UInt64>
#elseif MERIDIAN_V3
  typealias Lanes = SIMD8<Double>
  typealias LaneBits = SIMD8<UInt64>
#else
  typealias Lanes = SIMD4<Double>
  typealias LaneBits = SIMD4<UInt64>
#endif
typealias LaneMask = SIMDMask<Lanes.MaskStorage>

/// `a` where `mask` is set, else `b`.
@inline(__always)
func pick(_ mask: LaneMask, _ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: mask) }

@inline(__always)
func pick(_ mask: LaneMask, _ a: Double, _ b: Lanes) -> Lanes { b.replacing(with: a, where: mask) }

@inline(__always)
func magnitude(_ x: Lanes) -> Lanes {
  unsafeBitCast(
    unsafeBitCast(x, to: LaneBits.self) & LaneBits(repeating: 0x7fff_ffff_ffff_ffff), to: Lanes.self
  )
}

/// `x` with its sign changed where `sign` is negative (-0 counts as negative).
@inline(__always)
func flip(_ x: Lanes, bySignOf sign: Lanes) -> Lanes {
  let bit = unsafeBitCast(sign, to: LaneBits.self) & LaneBits(repeating: 0x8000_0000_0000_0000)
  return unsafeBitCast(unsafeBitCast(x, to: LaneBits.self) ^ bit, to: Lanes.self)
}

/// `x` negated where `mask` is set.
@inline(__always)
func negate(_ x: Lanes, where mask: LaneMask) -> Lanes {
  flip(x, bySignOf: pick(mask, -1, Lanes(repeating: 1)))
}

@inline(__always)
func lesser(_ a: Lanes, _ b: Lanes) -> Lanes { pick(b .< a, b, a) }

@inline(__always)
func greater(_ a: Lanes, _ b: Lanes) -> Lanes { pick(a .< b, b, a) }

/// sum c[first + k] x^k, k < count; even and odd powers run side by side, which halves the wait.
@inline(__always)
func polynomial<let n: Int>(_ x: Lanes, _ c: InlineArray<n, Double>, _ first: Int, _ count: Int)
  -> Lanes
{
  if count < 4 { return horner(x, c, first, count, 1) }
  let square = x * x
  return horner(square, c, first, count, 2) + x * horner(square, c, first &+ 1, count &- 1, 2)
}

/// sum c[first + step k] x^k over step k < count.
@inline(__always)
private func horner<let n: Int>(
  _ x: Lanes, _ c: InlineArray<n, Double>, _ first: Int, _ count: Int, _ step: Int
) -> Lanes {
  var index = first &+ (count &- 1) / step &* step
  var sum = Lanes(repeating: c[index])
  index &-= step
  while index >= first {
    sum = sum * x + c[index]
    index &-= step
  }
  return sum
}

extension Lanes {
  /// Up to `count` values from memory, the last one repeated; `stride` in bytes.
  @inline(__always)
  init(_ base: UnsafePointer<Double>, _ stride: Int, _ index: Int, _ count: Int) {
    let raw = UnsafeRawPointer(base)
    if stride == 8 && count >= Lanes.scalarCount {
      self = raw.loadUnaligned(fromByteOffset: index &* 8, as: Lanes.self)
      return
    }
    self = Lanes()
    for lane in 0..<Lanes.scalarCount {
      let at = index &+ Swift.min(lane, count &- 1)
      self[lane] = raw.load(fromByteOffset: at &* stride, as: Double.self)
    }
  }

  /// Writes the first `count` lanes.
  @inline(__always)
  func store(_ base: UnsafeMutablePointer<Double>, _ index: Int, _ count: Int) {
    if count >= Lanes.scalarCount {
      UnsafeMutableRawPointer(base).storeBytes(of: self, toByteOffset: index &* 8, as: Lanes.self)
    } else {
      for lane in 0..<count { base[index &+ lane] = self[lane] }
    }
  }
}
