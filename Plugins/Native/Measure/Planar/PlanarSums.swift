// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Eight sums of two doubles each.
struct OctetSum {
  var head = Octet()
  var tail = Octet()

  @inline(__always)
  mutating func add(_ term: Octet) {
    let sum = head + term
    let back = sum - head
    tail += (head - (sum - back)) + (term - back)
    head = sum
  }

  /// The sum of all lanes, in halves.
  var total: CompensatedSum {
    @inline(__always) get {
      let four = twoSum(head.lowHalf, head.highHalf)
      let two = twoSum(four.head.lowHalf, four.head.highHalf)
      let tails = (tail.lowHalf + tail.highHalf) + four.tail
      let rest = (tails.lowHalf + tails.highHalf) + two.tail
      var sum = CompensatedSum()
      sum.add(two.head[0])
      sum.add(two.head[1])
      sum.add(rest[0] + rest[1])
      return sum
    }
  }
}

@inline(__always)
private func twoSum<V: SIMD>(_ a: V, _ b: V) -> (head: V, tail: V) where V.Scalar == Double {
  let head = a + b
  let back = head - a
  return (head, (a - (head - back)) + (b - back))
}

/// One pass over a path in the plane. Sums are in two doubles in eight lanes; whether all coordinates are numbers of the
/// domain is found on the way.
struct PlanarSums<Source: PlanarSource> {
  let source: Source
  /// No coordinate was outside of the domain.
  private(set) var isGood = true
  /// Sum of the magnitudes of the terms of areas.
  private(set) var magnitude = 0.0
  private var isInside = OctetMask(repeating: true)

  private static var limit: Double { 0x1p480 }

  init(_ source: Source) { self.source = source }

  mutating func begin() {
    isGood = true
    magnitude = 0
  }

  @inline(__always)
  private mutating func check(_ place: (x: Octet, y: Octet), _ isUsed: OctetMask) {
    let (x, y) = (magnitudes(place.x), magnitudes(place.y))
    isInside = isInside .& (((x .<= PlanarSums.limit) .& (y .<= PlanarSums.limit)) .| .!isUsed)
  }

  @inline(__always)
  private mutating func check(_ place: (x: Octet, y: Octet)) {
    let (x, y) = (magnitudes(place.x), magnitudes(place.y))
    isInside = isInside .& (x .<= PlanarSums.limit) .& (y .<= PlanarSums.limit)
  }

  /// A few coordinates by themselves.
  private mutating func check(_ path: Range<Int>) {
    for index in path {
      let place = source.place(index)
      if !(place.x.magnitude <= PlanarSums.limit && place.y.magnitude <= PlanarSums.limit) { isGood = false }
    }
  }

  // MARK: Lengths

  /// The length of the edges of a path.
  mutating func length(_ path: Range<Int>, _ poll: inout CancelPoll) -> CompensatedSum {
    var sum = OctetSum()
    let edges = path.count &- 1
    check(path.prefix(1))
    isInside = OctetMask(repeating: true)
    var index = path.lowerBound
    let end = index &+ edges
    while index &+ 8 <= end {
      let blockEnd = min(end, index &+ 4096)
      while index &+ 8 <= blockEnd {
        let next = source.both(index &+ 1)
        check(next)
        sum.add(lengths(source.both(index), next))
        index &+= 8
      }
      if poll.tick(4096) { return sum.total }
    }
    if index < end {
      let used = end &- index
      let isUsed = firstLanes(used)
      let next = source.both(index &+ 1, used: used)
      check(next, isUsed)
      let here = source.both(index, used: used)
      let one = Octet(repeating: 0)
      sum.add(
        lengths(
          (one.replacing(with: here.x, where: isUsed), one.replacing(with: here.y, where: isUsed)),
          (one.replacing(with: next.x, where: isUsed), one.replacing(with: next.y, where: isUsed))))
    }
    isGood = isGood && all(isInside)
    return sum.total
  }

  @inline(__always)
  private func lengths(_ a: (x: Octet, y: Octet), _ b: (x: Octet, y: Octet)) -> Octet {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let squared = dx * dx + dy * dy
    let roots = squared.squareRoot()
    return any(squared .< 0x1p-900) ? small(dx, dy, roots) : roots
  }

  /// Squares that fall below the normal numbers are scaled up first, as `Plane.distance` does.
  @inline(never)
  private func small(_ dx: Octet, _ dy: Octet, _ roots: Octet) -> Octet {
    var result = roots
    for lane in 0..<8 where roots[lane] < 0x1p-450 {
      result[lane] = Plane().distance(Place(x: 0, y: 0), Place(x: dx[lane], y: dy[lane]))
    }
    return result
  }

  // MARK: Areas

  /// Twice the signed area of a closed ring: the sum over its vertices of x (y after - y before), without an origin of its
  /// own; `magnitude` tells whether its digits suffice. nil for rings that are not closed or have fewer than four
  /// coordinates.
  mutating func twiceArea(_ ring: Range<Int>, _ poll: inout CancelPoll) -> CompensatedSum? {
    guard ring.count >= 4 else { return nil }
    let (first, last) = (source.place(ring.lowerBound), source.place(ring.upperBound &- 1))
    check(ring.prefix(1))
    guard first.x == last.x, first.y == last.y else { return nil }
    var (sum, sizes) = (OctetSum(), Octet())
    isInside = OctetMask(repeating: true)
    var index = ring.lowerBound &+ 1
    let end = ring.upperBound &- 1
    while index &+ 8 <= end {
      let blockEnd = min(end, index &+ 4096)
      while index &+ 8 <= blockEnd {
        let here = source.both(index)
        check(here)
        add(here.x, source.y(index &- 1), source.y(index &+ 1), &sum, &sizes)
        index &+= 8
      }
      if poll.tick(4096) { return sum.total }
    }
    if index < end {
      let used = end &- index
      let isUsed = firstLanes(used)
      let here = source.both(index, used: used)
      check(here, isUsed)
      let (before, after) = (source.both(index &- 1, used: used).y, source.both(index &+ 1, used: used).y)
      let none = Octet()
      add(
        none.replacing(with: here.x, where: isUsed), none.replacing(with: before, where: isUsed),
        none.replacing(with: after, where: isUsed), &sum, &sizes)
    }
    var total = sum.total
    addFirst(ring, first.x, &total)
    magnitude += sizes.sum()
    isGood = isGood && all(isInside)
    return total
  }

  @inline(__always)
  private func add(_ x: Octet, _ before: Octet, _ after: Octet, _ sum: inout OctetSum, _ sizes: inout Octet) {
    let height = twoSum(after, -before)
    let product = twoProduct(x, height.head)
    sum.add(product.head)
    sum.tail += product.tail + x * height.tail
    sizes += magnitudes(product.head)
  }

  private mutating func addFirst(_ ring: Range<Int>, _ x: Double, _ total: inout CompensatedSum) {
    let (after, before) = (source.place(ring.lowerBound &+ 1).y, source.place(ring.upperBound &- 2).y)
    let height = KernelKit.twoSum(after, -before)
    let product = twoProduct(x, height.head)
    total.add(product.head)
    total.add(product.tail + x * height.tail)
    magnitude += product.head.magnitude
  }
}

@inline(__always)
private func magnitudes(_ x: Octet) -> Octet {
  unsafeBitCast(
    unsafeBitCast(x, to: SIMD8<UInt64>.self) & SIMD8<UInt64>(repeating: 0x7fff_ffff_ffff_ffff), to: Octet.self)
}

@inline(__always)
private func firstLanes(_ count: Int) -> OctetMask { Octet(0, 1, 2, 3, 4, 5, 6, 7) .< Double(count) }

/// `a * b` as the rounded products and their exact errors; see `twoProduct` of doubles.
@inline(__always)
private func twoProduct(_ a: Octet, _ b: Octet) -> (head: Octet, tail: Octet) {
  let head = a * b
  #if MERIDIAN_FMA || arch(arm64)
    return (head, (-head).addingProduct(a, b))
  #else
    let (aHigh, aLow) = split(a)
    let (bHigh, bLow) = split(b)
    return (head, ((aHigh * bHigh - head) + aHigh * bLow + aLow * bHigh) + aLow * bLow)
  #endif
}

#if !(MERIDIAN_FMA || arch(arm64))
  @inline(__always)
  private func split(_ a: Octet) -> (high: Octet, low: Octet) {
    let scaled = a * 134_217_729  // 2^27 + 1
    let high = scaled - (scaled - a)
    return (high, a - high)
  }
#endif
