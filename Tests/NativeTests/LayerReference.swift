// SPDX-License-Identifier: Apache-2.0

/// A fraction of whole numbers, exact for the small grids of tests.
struct Fraction: Comparable, Hashable {
  let top: Int
  let bottom: Int

  init(_ top: Int, _ bottom: Int = 1) {
    var (a, b) = (abs(top), abs(bottom))
    while b != 0 { (a, b) = (b, a % b) }
    let sign = bottom < 0 ? -1 : 1
    self.top = top / max(1, a) * sign
    self.bottom = bottom / max(1, a) * sign
  }

  static func + (a: Fraction, b: Fraction) -> Fraction {
    Fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
  }
  static func - (a: Fraction, b: Fraction) -> Fraction { a + Fraction(-b.top, b.bottom) }
  static func * (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.top, a.bottom * b.bottom) }
  static func / (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.bottom, a.bottom * b.top) }
  static func < (a: Fraction, b: Fraction) -> Bool { a.top * b.bottom < b.top * a.bottom }

  /// Correctly rounded: both numbers are doubles.
  var double: Double { Double(top) / Double(bottom) }
}

/// What the rules of layers say of rows of small whole numbers, by cutting the plane into trapezoids.
struct LayerReference {
  typealias Point = SIMD2<Int>
  /// Rows of parts of rings, closed.
  let rows: [[[[Point]]]]

  struct Area: Equatable {
    var size = Fraction(0)
    /// The least place of it, as x and y.
    var least: [Fraction] = []

    mutating func add(_ trapezoid: Trapezoid) {
      size = size + trapezoid.size
      for corner in trapezoid.corners where least.isEmpty || corner.lexicographicallyPrecedes(least) { least = corner }
    }
  }

  struct Trapezoid {
    let slab: Int
    let x: [Fraction]
    /// Heights on the left and on the right of the lower and of the upper edge; nil above and below everything.
    let low: [Fraction]?
    let high: [Fraction]?
    let rows: Set<Int>

    var isBounded: Bool { low != nil && high != nil }
    var corners: [[Fraction]] {
      guard let low, let high else { return [] }
      return [[x[0], low[0]], [x[0], high[0]], [x[1], low[1]], [x[1], high[1]]]
    }
    var size: Fraction {
      guard let low, let high else { return Fraction(0) }
      return (high[0] - low[0] + high[1] - low[1]) * (x[1] - x[0]) * Fraction(1, 2)
    }

    /// Whether two trapezoids of neighbouring slabs share a stretch of the line between them.
    func meets(_ next: Trapezoid) -> Bool {
      let bottom = [low?[1], next.low?[0]].compactMap { $0 }.max()
      let top = [high?[1], next.high?[0]].compactMap { $0 }.min()
      guard let bottom, let top else { return true }
      return bottom < top
    }
  }

  private struct Line {
    let row: Int
    let a: Point
    let b: Point
    func height(_ x: Fraction) -> Fraction {
      Fraction(a.y) + Fraction(b.y - a.y, b.x - a.x) * (x - Fraction(a.x))
    }
  }

  // MARK: Areas

  /// Every trapezoid between the edges.
  func trapezoids() -> [Trapezoid] {
    var lines: [Line] = []
    var xs: Set<Fraction> = []
    for (row, parts) in rows.enumerated() {
      for ring in parts.joined() {
        for (a, b) in zip(ring, ring.dropFirst()) where a != b {
          xs.insert(Fraction(a.x))
          if a.x != b.x { lines.append(a.x < b.x ? Line(row: row, a: a, b: b) : Line(row: row, a: b, b: a)) }
        }
      }
    }
    for (index, one) in lines.enumerated() {
      for other in lines[..<index] {
        let (u, v, w) = (one.b &- one.a, other.b &- other.a, other.a &- one.a)
        let turn = u.x * v.y - u.y * v.x
        if turn == 0 { continue }
        let x = Fraction(one.a.x) + Fraction(w.x * v.y - w.y * v.x, turn) * Fraction(u.x)
        if x > Fraction(max(one.a.x, other.a.x)) && x < Fraction(min(one.b.x, other.b.x)) { xs.insert(x) }
      }
    }
    let cuts = xs.sorted()
    return (0..<max(0, cuts.count - 1)).flatMap { slab(lines, $0, cuts[$0], cuts[$0 + 1]) }
  }

  private func slab(_ lines: [Line], _ number: Int, _ from: Fraction, _ to: Fraction) -> [Trapezoid] {
    let middle = (from + to) * Fraction(1, 2)
    let here = lines.filter { Fraction($0.a.x) <= from && Fraction($0.b.x) >= to }
      .sorted { $0.height(middle) < $1.height(middle) }
    var found: [Trapezoid] = []
    var inside: Set<Int> = []
    var low: Line?
    for line in here {
      if low.map({ $0.height(middle) < line.height(middle) }) ?? true {
        found.append(
          Trapezoid(
            slab: number, x: [from, to], low: low.map { [$0.height(from), $0.height(to)] },
            high: [line.height(from), line.height(to)], rows: inside))
        low = line
      }
      inside.formSymmetricDifference([line.row])
    }
    found.append(
      Trapezoid(
        slab: number, x: [from, to], low: low.map { [$0.height(from), $0.height(to)] }, high: nil, rows: inside))
    return found
  }

  struct Areas {
    /// For each row the first one that covers the same.
    var first: [Int]
    var overlaps: [[Int]: Area] = [:]
    var gaps: [Area] = []
  }

  func areas() -> Areas {
    let all = trapezoids()
    var found = Areas(first: Array(rows.indices))
    for row in rows.indices where all.contains(where: { $0.rows.contains(row) }) {
      for other in 0..<row where found.first[other] == other {
        if all.allSatisfy({ $0.rows.contains(row) == $0.rows.contains(other) }) { found.first[row] = other }
      }
    }
    for trapezoid in all {
      let covering = trapezoid.rows.filter { found.first[$0] == $0 }.sorted()
      for (index, row) in covering.enumerated() {
        for other in covering[(index + 1)...] { found.overlaps[[row, other], default: Area()].add(trapezoid) }
      }
    }
    found.gaps = gaps(all)
    return found
  }

  private func gaps(_ all: [Trapezoid]) -> [Area] {
    let open = all.filter { $0.rows.isEmpty }
    var part = Array(open.indices)
    func root(_ index: Int) -> Int { part[index] == index ? index : root(part[index]) }
    let last = all.map(\.slab).max() ?? 0
    var isOutside = [Bool](repeating: false, count: open.count)
    for (index, one) in open.enumerated() {
      isOutside[index] = !one.isBounded || isOpenEnd(one, last)
      for (other, next) in open.enumerated() where next.slab == one.slab + 1 && one.meets(next) {
        part[root(other)] = root(index)
      }
      // What parts them in one slab is there twice.
      for (other, next) in open.enumerated() where next.slab == one.slab && one.high != nil && one.high == next.low {
        part[root(other)] = root(index)
      }
    }
    var areas: [Int: Area] = [:]
    for index in open.indices { areas[root(index), default: Area()].add(open[index]) }
    for index in open.indices where isOutside[index] { areas[root(index)] = nil }
    return Array(areas.values)
  }

  /// Beyond the first and the last slab is nothing, so what ends there with a stretch is outside: an edge along the stretch
  /// would have its row on one side.
  private func isOpenEnd(_ one: Trapezoid, _ last: Int) -> Bool {
    guard let low = one.low, let high = one.high else { return true }
    return (one.slab == 0 && low[0] < high[0]) || (one.slab == last && low[1] < high[1])
  }

  // MARK: Lines

  static func lies(_ p: Point, _ a: Point, _ b: Point) -> Bool {
    let (u, v) = (b &- a, p &- a)
    guard u.x * v.y == u.y * v.x else { return false }
    return min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x) && min(a.y, b.y) <= p.y && p.y <= max(a.y, b.y)
  }

  static func liesInside(_ p: Point, _ a: Point, _ b: Point) -> Bool { p != a && p != b && lies(p, a, b) }

  /// The directions in which a line leaves a point, shortened.
  static func ways(_ line: [Point], _ p: Point) -> [Point] {
    zip(line, line.dropFirst()).flatMap { a, b -> [Point] in
      guard a != b, lies(p, a, b) else { return [] }
      return [a, b].filter { $0 != p }.map { shortened($0 &- p) }
    }
  }

  private static func shortened(_ way: Point) -> Point {
    var (a, b) = (abs(way.x), abs(way.y))
    while b != 0 { (a, b) = (b, a % b) }
    return [way.x / a, way.y / a]
  }
}
