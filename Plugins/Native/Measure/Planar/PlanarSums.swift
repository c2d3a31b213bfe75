// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Eight sums of two doubles each.
struct OctetSum {
  var head = Octet()
  var tail = Octet()

  @inline(__always)
  mutating func add(_ term: Octet) {
    let sum = twoSum(head, term)
    tail += sum.tail
    head = sum.head
  }

  /// The sum of all lanes, in halves.
  var total: CompensatedSum {
    @inline(__always) get {
      let four = twoSum(head.lowHalf, head.highHalf)
      let two = twoSum(four.head.lowHalf, four.head.highHalf)
      let tails = (tail.lowHalf + tail.highHalf) + four.tail
      let rest = (tails.lowHalf + tails.highHalf) + two.tail
      let one = twoSum(two.head[0], two.head[1])
      return CompensatedSum(head: one.head, tail: one.tail + (rest[0] + rest[1]))
    }
  }
}

/// One pass over a path in the plane. Sums are in two doubles in eight lanes; whether all coordinates are numbers of the
/// domain is found on the way.
struct PlanarSums<Source: PlanarSource> {
  let source: Source
  /// No coordinate was outside of the domain.
  private(set) var isGood = true
  /// Sum of the magnitudes of the terms of areas.
  private(set) var magnitude = 0.0

  private static var limit: Double { CoordinateDomain.planeLimit }

  init(_ source: Source) { self.source = source }

  mutating func begin() {
    isGood = true
    magnitude = 0
  }

  /// Some coordinate is outside of the domain.
  mutating func fail() { isGood = false }

  @inline(__always)
  private func areInside(_ place: (x: Octet, y: Octet)) -> OctetMask {
    (magnitudes(place.x) .<= PlanarSums.limit) .& (magnitudes(place.y) .<= PlanarSums.limit)
  }

  private func isInside(_ place: Place) -> Bool {
    place.x.magnitude <= PlanarSums.limit && place.y.magnitude <= PlanarSums.limit
  }

  // MARK: Lengths

  /// The length of the edges of a path. A path that begins inside of the domain and leaves it has an edge of 2^427 or more,
  /// so that the squares tell of all that is out of the ordinary.
  mutating func length(_ path: Range<Int>, _ poll: inout CancelPoll) -> CompensatedSum {
    guard let first = path.first else { return CompensatedSum() }
    var sum = OctetSum()
    var areOrdinary = OctetMask(repeating: isInside(source.place(first)))
    var index = first
    let end = path.upperBound &- 1
    while index &+ 16 <= end {
      source.announce(behind: index)
      // Roots are what takes longest: every other one is taken by what would wait for them.
      let here = squares(source.both(index), source.both(index &+ 1), &areOrdinary)
      let there = squares(source.both(index &+ 8), source.both(index &+ 9), &areOrdinary)
      sum.add(here.squareRoot())
      sum.add(mrdk_iterated_root8(there))
      index &+= 16
      if index & 4095 < 16 && poll.tick(4096) { return CompensatedSum() }
    }
    if index < end {
      sum.add(squares(index, min(8, end &- index), &areOrdinary).squareRoot())
      index &+= 8
    }
    if index < end { sum.add(mrdk_iterated_root8(squares(index, end &- index, &areOrdinary))) }
    return all(areOrdinary) ? sum.total : lengthOneByOne(path, &poll)
  }

  /// The first `count` of eight.
  @inline(__always)
  private func squares(_ index: Int, _ count: Int, _ areOrdinary: inout OctetMask) -> Octet {
    let used = LaneBits8(first: count)
    return squares(source.both(index, used), source.both(index &+ 1, used), &areOrdinary)
  }

  /// The squares of the lengths of eight edges. Those of ordinary ones are normal numbers, or 0 where both ends are one.
  @inline(__always)
  private func squares(_ a: (x: Octet, y: Octet), _ b: (x: Octet, y: Octet), _ areOrdinary: inout OctetMask) -> Octet {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let squared = dx * dx + dy * dy
    let areNormal = (squared .>= 0x1p-900) .& (squared .<= 0x1p850)
    areOrdinary = areOrdinary .& (areNormal .| ((dx .== 0) .& (dy .== 0)))
    return squared
  }

  /// Looks at each vertex, and scales edges that are very short.
  @inline(never)
  private mutating func lengthOneByOne(_ path: Range<Int>, _ poll: inout CancelPoll) -> CompensatedSum {
    var sum = CompensatedSum()
    var previous = source.place(path.lowerBound)
    for index in path {
      if poll.tick() { break }
      let next = source.place(index)
      if !isInside(next) { isGood = false }
      sum.add(Plane().distance(previous, next))
      previous = next
    }
    return sum
  }

  // MARK: Areas

  /// Twice the signed area of a closed ring: the sum over its vertices of x (y after - y before), without an origin of its
  /// own; `magnitude` tells whether its digits suffice. nil for rings that are not closed or have fewer than four
  /// coordinates.
  mutating func twiceArea(_ ring: Range<Int>, _ poll: inout CancelPoll) -> CompensatedSum? {
    guard ring.count >= 4 else { return nil }
    let (first, last) = (source.place(ring.lowerBound), source.place(ring.upperBound &- 1))
    guard first.x == last.x, first.y == last.y else { return nil }
    var (sum, sizes) = (OctetSum(), Octet())
    var areGood = OctetMask(repeating: isInside(first))
    var index = ring.lowerBound &+ 1
    let end = ring.upperBound &- 1
    while index &+ 8 <= end {
      let here = source.both(index)
      areGood = areGood .& areInside(here)
      add(here.x, source.y(index &- 1), source.y(index &+ 1), &sum, &sizes)
      index &+= 8
      if index & 4095 < 8 && poll.tick(4096) { return CompensatedSum() }
    }
    if index < end {
      let used = LaneBits8(first: end &- index)
      let here = source.both(index, used)
      areGood = areGood .& areInside(here)
      add(here.x, source.both(index &- 1, used).y, source.both(index &+ 1, used).y, &sum, &sizes)
    }
    var twice = sum.total
    addFirst(ring, first.x, &twice)
    magnitude += total(sizes)
    if !all(areGood) { isGood = false }
    return twice
  }

  @inline(__always)
  private func add(_ x: Octet, _ before: Octet, _ after: Octet, _ sum: inout OctetSum, _ sizes: inout Octet) {
    let height = twoSum(after, -before)
    let product = twoProduct(x, height.head)
    sum.add(product.head)
    sum.tail += product.tail + x * height.tail
    sizes += magnitudes(product.head)
  }

  @inline(__always)
  private mutating func addFirst(_ ring: Range<Int>, _ x: Double, _ total: inout CompensatedSum) {
    let (after, before) = (source.place(ring.lowerBound &+ 1).y, source.place(ring.upperBound &- 2).y)
    let height = twoSum(after, -before)
    let product = twoProduct(x, height.head)
    total.add(product.head)
    total.add(product.tail + x * height.tail)
    magnitude += product.head.magnitude
  }

  // MARK: Bounds

  /// The least box of some coordinates; NaN where one is no finite number.
  mutating func bounds(_ range: Range<Int>, _ poll: inout CancelPoll) -> (low: Place, high: Place) {
    guard let first = range.first else { return (Place(x: .nan, y: .nan), Place(x: .nan, y: .nan)) }
    let start = source.place(first)
    var (lowX, lowY) = (Octet(repeating: start.x), Octet(repeating: start.y))
    var (highX, highY) = (lowX, lowY)
    // Differences of infinite numbers are NaN.
    var faults = Octet()
    var index = first
    while index < range.upperBound {
      // The last eight may overlap those before.
      let at = max(first, min(index, range.upperBound &- 8))
      let here = range.count >= 8 ? source.both(at) : few(range, start)
      (lowX, lowY) = (smaller(here.x, lowX), smaller(here.y, lowY))
      (highX, highY) = (larger(here.x, highX), larger(here.y, highY))
      faults += (here.x - here.x) + (here.y - here.y)
      index &+= 8
      if index & 4095 < 8 && poll.tick(4096) { break }
    }
    if !(total(faults) == 0) { isGood = false }
    return (Place(x: least(lowX), y: least(lowY)), Place(x: -least(-highX), y: -least(-highY)))
  }

  /// Fewer than eight, the rest the first one again.
  private func few(_ range: Range<Int>, _ start: Place) -> (x: Octet, y: Octet) {
    let used = LaneBits8(first: range.count)
    let here = source.both(range.lowerBound, used)
    return (used.and(here.x, else: start.x), used.and(here.y, else: start.y))
  }
}

/// The first lanes of eight, as bits: what Swift's masks pick lane by lane.
struct LaneBits8 {
  let count: Int
  private let bits: SIMD8<UInt64>

  @inline(__always)
  init(first count: Int) {
    self.count = count
    let lanes = Octet(0, 1, 2, 3, 4, 5, 6, 7) - Double(count)
    // The sign of lane - count, spread over the lane.
    bits = 0 &- (unsafeBitCast(lanes, to: SIMD8<UInt64>.self) &>> 63)
  }

  @inline(__always)
  func and(_ x: Octet) -> Octet { unsafeBitCast(unsafeBitCast(x, to: SIMD8<UInt64>.self) & bits, to: Octet.self) }

  /// `rest` in the other lanes.
  @inline(__always)
  func and(_ x: Octet, else rest: Double) -> Octet {
    let other = SIMD8<UInt64>(repeating: rest.bitPattern) & ~bits
    return unsafeBitCast((unsafeBitCast(x, to: SIMD8<UInt64>.self) & bits) | other, to: Octet.self)
  }
}

@inline(__always)
private func smaller(_ a: Octet, _ b: Octet) -> Octet { b.replacing(with: a, where: a .< b) }

@inline(__always)
private func smaller(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> { b.replacing(with: a, where: a .< b) }

@inline(__always)
private func smaller(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> { b.replacing(with: a, where: a .< b) }

@inline(__always)
private func least(_ x: Octet) -> Double {
  let four = smaller(x.lowHalf, x.highHalf)
  let two = smaller(four.lowHalf, four.highHalf)
  return two[1] < two[0] ? two[1] : two[0]
}

@inline(__always)
private func total(_ x: Octet) -> Double {
  let four = x.lowHalf + x.highHalf
  let two = four.lowHalf + four.highHalf
  return two[0] + two[1]
}

@inline(__always)
private func larger(_ a: Octet, _ b: Octet) -> Octet { b.replacing(with: a, where: b .< a) }

@inline(__always)
private func magnitudes(_ x: Octet) -> Octet {
  unsafeBitCast(
    unsafeBitCast(x, to: SIMD8<UInt64>.self) & SIMD8<UInt64>(repeating: 0x7fff_ffff_ffff_ffff), to: Octet.self)
}

/// `a * b` as the rounded products and their exact errors; see `twoProduct` of doubles.
@inline(__always)
private func twoProduct(_ a: Octet, _ b: Octet) -> (head: Octet, tail: Octet) {
  let head = a * b
  #if MERIDIAN_FMA || arch(arm64)
    return (head, Octet.fused(a, b, -head))
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
