// SPDX-License-Identifier: Apache-2.0

/// The answers by looking at every box, written from the header's contract and not from the kernel.
enum Oracle {
  static func canHit(_ box: TestBox, curved: Bool) -> Bool {
    guard box.ymin <= box.ymax, !box.xmin.isNaN, !box.xmax.isNaN else { return false }
    return curved || box.xmin <= box.xmax
  }

  static func meet(_ a: TestBox, _ b: TestBox, curved: Bool) -> Bool {
    guard canHit(a, curved: curved), canHit(b, curved: curved), a.ymin <= b.ymax, a.ymax >= b.ymin else { return false }
    if !curved { return a.xmin <= b.xmax && a.xmax >= b.xmin }
    // On the circle: one interval begins inside the other. The tests take longitudes whose differences are exact.
    return eastward(a.xmin, b.xmin) <= width(a) || eastward(b.xmin, a.xmin) <= width(b)
  }

  /// Degrees from `a` eastward to `b`, in [0, 360).
  private static func eastward(_ a: Double, _ b: Double) -> Double {
    let turn = (b - a).truncatingRemainder(dividingBy: 360)
    return turn < 0 ? turn + 360 : turn
  }
  private static func width(_ box: TestBox) -> Double {
    box.xmin <= box.xmax ? min(box.xmax - box.xmin, 360) : eastward(box.xmin, box.xmax)
  }

  static func window(_ boxes: [Int64: TestBox], _ window: TestBox, curved: Bool) -> [Int64] {
    boxes.filter { meet($0.value, window, curved: curved) }.map(\.key).sorted()
  }

  static func nearest(
    _ boxes: [Int64: TestBox], _ query: TestBox, k: Int, all: Bool, maximum: Double, exclude: Int64
  ) -> [(Double, Int64)] {
    guard canHit(query, curved: false) else { return [] }
    var sorted: [(Double, Int64)] = []
    for (id, box) in boxes where canHit(box, curved: false) && id != exclude {
      let square = squared(box, query)
      if maximum == 0 || square.squareRoot() <= maximum { sorted.append((square, id)) }
    }
    sorted.sort { $0.0 < $1.0 || ($0.0 == $1.0 && $0.1 < $1.1) }
    guard sorted.count > k else { return sorted.map { ($0.0.squareRoot(), $0.1) } }
    let last = sorted[k - 1].0
    return sorted.prefix(all ? sorted.count : k).filter { $0.0 <= last }.map { ($0.0.squareRoot(), $0.1) }
  }

  private static func squared(_ a: TestBox, _ b: TestBox) -> Double {
    let dx = max(a.xmin - b.xmax, 0, b.xmin - a.xmax)
    let dy = max(a.ymin - b.ymax, 0, b.ymin - a.ymax)
    return dx * dx + dy * dy
  }
}

/// Boxes that break things: on a small grid (touching), far from 32-bit floats, null, inverted, huge, infinite.
func randomBoxes(_ count: Int, _ random: inout SeededGenerator, curved: Bool = false) -> [TestBox] {
  (0..<count).map { _ in
    let kind = Int.random(in: 0..<12, using: &random)
    func x() -> Double {
      // Multiples of 1/8, so that the oracle's arithmetic on longitudes is exact.
      curved
        ? Double(Int.random(in: -4400...4400, using: &random)) / 8
        : kind < 5 ? Double(Int.random(in: -8...8, using: &random)) : Double.random(in: -8...8, using: &random)
    }
    func y() -> Double {
      kind < 5 ? Double(Int.random(in: -8...8, using: &random)) : Double.random(in: -8...8, using: &random)
    }
    let (x0, y0) = (x(), y())
    switch kind {
    case 0: return TestBox(.nan, .nan, .nan, .nan)
    case 1: return TestBox(.infinity, .infinity, -.infinity, -.infinity)
    case 2: return TestBox(x0, y0 + 1, x0, y0)
    case 3: return TestBox(x0, y0, x0, y0)
    case 4 where !curved: return TestBox(x0 + 1, y0, x0, y0)
    case 5 where !curved: return TestBox(-.infinity, y0, x0, y0 + 1)
    // Neighbours in the last place, which 32-bit boxes cannot tell apart.
    case 6 where !curved: return TestBox(x0, y0, x0.nextUp, y0.nextUp)
    case 7 where curved: return TestBox(x0 + 20, y0, x0, y0 + 2)
    default:
      return TestBox(
        x0, y0, x0 + Double(Int.random(in: 0...3, using: &random)), y0 + Double.random(in: 0...2, using: &random))
    }
  }
}
