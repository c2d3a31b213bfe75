// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension Plane: AreaSurface {
  func area(_ geoms: Geoms, _ row: Int, signed: Bool, side: Int32, _ poll: inout CancelPoll) -> Double {
    let area = PlanarArea(geoms: geoms, row: row)
    return signed ? area.signed(&poll) : area.unsigned(&poll)
  }
}

/// Planar areas, right to 2 ulp however thin the figure: sums in two doubles first; where they cannot vouch for the
/// result, once more without rounding.
struct PlanarArea {
  let geoms: Geoms
  let row: Int

  /// The rings of the one polygon that counts, as `geoms.path` counts them; nil = all polygons of the row.
  var onlyPolygon: Range<Int>? = nil

  /// |shell| - sum |hole| of each polygon, whatever the winding.
  func unsigned(_ poll: inout CancelPoll) -> Double {
    var total = CompensatedSum()
    var magnitude = 0.0
    forEachRing { isShell, path in
      let ring = twice(path, &magnitude, &poll)
      let isNegative = ring.value < 0
      if isShell != isNegative { total.add(ring) } else { total.subtract(ring) }
    }
    if isCertain(total, magnitude) { return total.value / 2 }
    var exact = ExactSum()
    forEachRing { isShell, path in
      let ring = exactlyTwice(path, &poll)
      let isNegative = ring.value < 0
      exact.add(ring, sign: isShell != isNegative ? 1 : -1)
    }
    return exact.value / 2
  }

  /// The sum of the rings' signed areas, counter-clockwise positive.
  func signed(_ poll: inout CancelPoll) -> Double {
    var total = CompensatedSum()
    var magnitude = 0.0
    forEachRing { _, path in total.add(twice(path, &magnitude, &poll)) }
    if isCertain(total, magnitude) { return total.value / 2 }
    var exact = ExactSum()
    forEachRing { _, path in exact.add(exactlyTwice(path, &poll), sign: 1) }
    return exact.value / 2
  }

  private func forEachRing(_ body: (_ isShell: Bool, _ path: Range<Int>) -> Void) {
    func visit(_ rings: Range<Int>) {
      for ring in rings { body(ring == rings.lowerBound, geoms.path(row, ring)) }
    }
    if let onlyPolygon { visit(onlyPolygon) } else { geoms.forEachPolygon(row, visit) }
  }

  /// Twice the signed area of a ring by the shoelace formula about its first vertex, in two doubles. `magnitude` grows by
  /// the sum of the terms' magnitudes.
  private func twice(_ path: Range<Int>, _ magnitude: inout Double, _ poll: inout CancelPoll) -> CompensatedSum {
    var sum = CompensatedSum()
    guard let first = path.first else { return sum }
    let origin = geoms.place(first)
    var previous = Offset(x: (0, 0), y: (0, 0))
    for coordinate in path.dropFirst() {
      let next = Offset(geoms.place(coordinate), from: origin)
      let (left, right) = (twoProduct(previous.x.head, next.y.head), twoProduct(previous.y.head, next.x.head))
      sum.add(left.head)
      sum.add(-right.head)
      sum.add((left.tail - right.tail) + Offset.smallTerms(previous, next))
      magnitude += left.head.magnitude + right.head.magnitude
      previous = next
      if poll.tick() { break }
    }
    return sum
  }

  /// The same without any rounding, from the coordinates as they are.
  private func exactlyTwice(_ path: Range<Int>, _ poll: inout CancelPoll) -> ExactSum {
    var sum = ExactSum()
    guard var previous = path.first.map(geoms.place) else { return sum }
    for coordinate in path.dropFirst() {
      let next = geoms.place(coordinate)
      let (left, right) = (twoProduct(previous.x, next.y), twoProduct(previous.y, next.x))
      sum.add(left.tail)
      sum.add(-right.tail)
      sum.add(left.head)
      sum.add(-right.head)
      previous = next
      if poll.tick() { break }
    }
    return sum
  }

  /// Each sum in two doubles is wrong by less than 2^-100 of the magnitude for up to 2^20 terms, 2^-90 for up to 2^40; so
  /// a total above 2^-36 of it is right to well under an ulp.
  private func isCertain(_ total: CompensatedSum, _ magnitude: Double) -> Bool {
    total.value.magnitude > magnitude * 0x1p-36 || magnitude == 0
  }
}

/// A vertex relative to another, each ordinate as an exact sum of two doubles.
private struct Offset {
  let x: (head: Double, tail: Double)
  let y: (head: Double, tail: Double)

  init(x: (Double, Double), y: (Double, Double)) {
    self.x = x
    self.y = y
  }
  @inline(__always)
  init(_ place: Place, from origin: Place) {
    x = twoSum(place.x, -origin.x)
    y = twoSum(place.y, -origin.y)
  }

  /// What the tails of two offsets add to their cross product; products of two tails are below 2^-105 of it.
  @inline(__always)
  static func smallTerms(_ a: Offset, _ b: Offset) -> Double {
    (a.x.head * b.y.tail + a.x.tail * b.y.head) - (a.y.head * b.x.tail + a.y.tail * b.x.head)
  }
}
