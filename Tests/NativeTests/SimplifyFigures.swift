// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport

typealias Vertex = SIMD2<Double>

/// Random lines and rings with what breaks formulas: ties, collinear runs, repeated vertices, far and tiny places.
struct SimplifyFigures {
  enum World: String, CaseIterable, Sendable { case grid, steps, collinear, plain, tiny, far, walk }

  static func times(_ small: Int, _ large: Int) -> Int { TestScale.isLarge ? large : small }

  var random: TestRandom
  init(seed: UInt64) { random = TestRandom(seed: seed) }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

  mutating func path(_ world: World, _ count: Int) -> [Vertex] {
    var place = Vertex()
    return (0..<count).map { index in
      switch world {
      case .grid: return [Double(integer(0...6)), Double(integer(0...6))]
      case .steps: return [Double(index), Double(integer(0...2))]
      case .collinear:
        let step = Double(integer(0...20))
        return [step * 0.1, step * 0.3]
      case .plain: return [number(-3...3), number(-3...3)]
      case .tiny: return [number(-3...3) * 1e-150, Double(integer(0...6)) * 1e-150]
      case .far: return [4e6 + Double(integer(0...20)) * 0.1, -7e6 + Double(integer(0...20)) * 0.1]
      case .walk:
        place += [number(-1...1.5), number(-1...1)]
        return place
      }
    }
  }

  func tolerance(_ world: World, _ share: Double) -> Double { world == .tiny ? share * 1e-150 : share }

  static func wkt(_ vertices: [Vertex], isRing: Bool) -> String {
    let list = vertices.map { "\($0.x) \($0.y)" }.joined(separator: ",")
    return isRing ? "POLYGON((\(list)))" : "LINESTRING(\(list))"
  }
}

/// Douglas-Peucker by the rules, in fractions, every distance anew.
struct ExactDouglasPeucker {
  let vertices: [(x: ExactRational, y: ExactRational)]
  let places: [Vertex]

  init(_ places: [Vertex]) {
    self.places = places
    vertices = places.map { (ExactRational($0.x), ExactRational($0.y)) }
  }

  static func comesBefore(_ a: Vertex, _ b: Vertex) -> Bool { a.x != b.x ? a.x < b.x : a.y < b.y }

  /// The squared distance from the closed segment between two vertices.
  func square(_ index: Int, _ low: Int, _ high: Int) -> ExactRational {
    let (p, a, b) = (vertices[index], vertices[low], vertices[high])
    let (dx, dy, px, py) = (b.x - a.x, b.y - a.y, p.x - a.x, p.y - a.y)
    let (length, along) = (dx * dx + dy * dy, px * dx + py * dy)
    if length.sign == 0 || along.sign <= 0 { return px * px + py * py }
    if !(along < length) {
      let (qx, qy) = (p.x - b.x, p.y - b.y)
      return qx * qx + qy * qy
    }
    let cross = px * dy - py * dx
    return cross * cross / length
  }

  func farthest(_ low: Int, _ high: Int) -> (index: Int, square: ExactRational)? {
    var best: (index: Int, square: ExactRational)?
    for index in (low + 1)..<max(low + 1, high) {
      let square = square(index, low, high)
      guard let known = best else {
        best = (index, square)
        continue
      }
      if known.square < square
        || (known.square == square && Self.comesBefore(places[index], places[known.index]))
      {
        best = (index, square)
      }
    }
    return best
  }

  /// Numbers of the vertices that stay between two that do.
  func kept(_ low: Int, _ high: Int, _ tolerance: Double) -> [Int] {
    guard let split = farthest(low, high) else { return [] }
    let limit = ExactRational(tolerance) * ExactRational(tolerance)
    guard limit < split.square else { return [] }
    return kept(low, split.index, tolerance) + [split.index] + kept(split.index, high, tolerance)
  }

  static func line(_ places: [Vertex], _ tolerance: Double) -> [Int] {
    let line = ExactDouglasPeucker(places)
    let last = places.count - 1
    let kept = [0] + line.kept(0, last, tolerance) + [last]
    guard kept.count == 2, places[0] == places[last], let far = line.farthest(0, last) else { return kept }
    return far.square.sign == 0 ? Array(0...last) : [0, far.index, last]
  }

  /// `places` without the closing one. The numbers that stay, without it.
  static func ring(_ places: [Vertex], _ tolerance: Double) -> [Int] {
    let size = places.count
    var start = 0
    for index in 1..<size where comesBefore(places[index], places[start]) { start = index }
    let turned = Array(places[start...] + places[..<start]) + [places[start]]
    let ring = ExactDouglasPeucker(turned)
    guard let far = ring.farthest(0, size), far.square.sign > 0 else { return Array(0..<size) }
    var kept =
      [0] + ring.kept(0, far.index, tolerance) + [far.index] + ring.kept(far.index, size, tolerance)
    if kept.count == 2 {
      let thirds = [ring.farthest(0, far.index), ring.farthest(far.index, size)].compactMap { $0 }
      guard
        let third = thirds.max(by: {
          $0.square != $1.square ? $0.square < $1.square : comesBefore(turned[$1.index], turned[$0.index])
        }), third.square.sign > 0
      else { return Array(0..<size) }
      kept.append(third.index)
    }
    return kept.map { ($0 + start) % size }.sorted()
  }
}
