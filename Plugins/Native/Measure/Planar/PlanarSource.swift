// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

// The vectors of the plane: always eight lanes, so that sums have the same bits on every CPU level.

typealias Octet = SIMD8<Double>
typealias OctetMask = SIMDMask<SIMD8<Int64>>

/// Coordinates in memory, eight at a time.
protocol PlanarSource {
  /// How many there are.
  var count: Int { get }
  func x(_ index: Int) -> Octet
  func y(_ index: Int) -> Octet
  func both(_ index: Int) -> (x: Octet, y: Octet)
  func place(_ index: Int) -> Place
  /// Asks for the memory that sixteen coordinates far behind `index` lie in: arithmetic as dense as that of lengths keeps the
  /// processor from running ahead to it.
  func announce(behind index: Int)
}

/// How many coordinates ahead memory is asked for: about as many as are summed while one line of it arrives.
private let announced = 256

extension PlanarSource {
  /// The first of eight coordinates, 0 in the other lanes.
  @inline(__always)
  func both(_ index: Int, _ used: LaneBits8) -> (x: Octet, y: Octet) {
    guard _fastPath(index &+ 8 <= count) else { return few(index, used: used.count) }
    let all = both(index)
    return (used.and(all.x), used.and(all.y))
  }

  @inline(never)
  private func few(_ index: Int, used: Int) -> (x: Octet, y: Octet) {
    var (xs, ys) = (Octet(), Octet())
    for lane in 0..<used {
      let place = place(index &+ lane)
      (xs[lane], ys[lane]) = (place.x, place.y)
    }
    return (xs, ys)
  }
}

/// x and y in arrays of their own.
struct SeparateSource: PlanarSource {
  let xs: UnsafePointer<Double>
  let ys: UnsafePointer<Double>
  let count: Int

  @inline(__always)
  func x(_ index: Int) -> Octet { UnsafeRawPointer(xs + index).loadUnaligned(as: Octet.self) }
  @inline(__always)
  func y(_ index: Int) -> Octet { UnsafeRawPointer(ys + index).loadUnaligned(as: Octet.self) }
  @inline(__always)
  func both(_ index: Int) -> (x: Octet, y: Octet) { (x(index), y(index)) }
  @inline(__always)
  func place(_ index: Int) -> Place { Place(x: xs[index], y: ys[index]) }
  @inline(__always)
  func announce(behind index: Int) {
    let last = count &- 1
    for line in 0..<2 {
      let ahead = min(index &+ announced &+ 8 &* line, last)
      mrdk_prefetch(xs + ahead)
      mrdk_prefetch(ys + ahead)
    }
  }
}

/// x and y by turns in one array.
struct PairedSource: PlanarSource {
  let pairs: UnsafePointer<Double>
  let count: Int

  @inline(__always)
  func x(_ index: Int) -> Octet { both(index).x }
  @inline(__always)
  func y(_ index: Int) -> Octet { both(index).y }
  @inline(__always)
  func both(_ index: Int) -> (x: Octet, y: Octet) {
    let sixteen = UnsafeRawPointer(pairs + 2 &* index).loadUnaligned(as: SIMD16<Double>.self)
    return (sixteen.evenHalf, sixteen.oddHalf)
  }
  @inline(__always)
  func place(_ index: Int) -> Place { Place(x: pairs[2 &* index], y: pairs[2 &* index &+ 1]) }
  @inline(__always)
  func announce(behind index: Int) {
    let last = count &- 1
    for line in 0..<4 { mrdk_prefetch(pairs + 2 &* min(index &+ announced &+ 4 &* line, last)) }
  }
}

/// Any other layout, a coordinate at a time: the same lanes, so the same bits.
struct StridedSource: PlanarSource {
  let geoms: Geoms
  var count: Int { Int(geoms.raw.coords.count) }

  func x(_ index: Int) -> Octet { both(index).x }
  func y(_ index: Int) -> Octet { both(index).y }
  func both(_ index: Int) -> (x: Octet, y: Octet) {
    var (xs, ys) = (Octet(), Octet())
    for lane in 0..<8 {
      let place = geoms.place(index &+ lane)
      (xs[lane], ys[lane]) = (place.x, place.y)
    }
    return (xs, ys)
  }
  func place(_ index: Int) -> Place { geoms.place(index) }
  func announce(behind index: Int) {}
}
