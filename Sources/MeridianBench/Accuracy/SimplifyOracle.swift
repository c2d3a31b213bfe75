// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Holds simplified lines and rings against what they were made from: every vertex is one of the input's, in order, ends
/// are kept, and what was dropped is within the tolerance of the segment that replaces it.
///
/// The error of a row is how far its farthest dropped vertex is beyond the tolerance, 0 = none is. Rows whose vertices
/// are not the input's are wrong.
struct SimplifyOracle: Oracle {
  let source = "every dropped vertex in double-double"
  let input: Lazily<GeometrySet>
  /// In coordinate units; nil = the method bounds no distance, and only the vertices are compared.
  let tolerance: Double?
  /// Excess that counts as a violation, as a share of the tolerance: some roundings of a distance.
  static let slack = 1e-12

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let (input, output) = (try input.value(), try outcome.required(outcome.set, "geometries"))
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    for row in 0..<input.count {
      guard let before = input.location(ofRow: row) else { continue }
      guard row < output.count, let after = output.location(ofRow: row), let excess = excess(before, after) else {
        wrong += 1
        continue
      }
      comparisons.append(
        Accuracy.Comparison(
          row: row, error: excess, exact: tolerance ?? 0,
          vertices: before.array.coordinates(ofRow: before.index).count))
    }
    var accuracy = Accuracy(unit: "coord", comparisons, wrong: wrong)
    if let tolerance {
      accuracy.violations = comparisons.count { $0.error > tolerance * Self.slack }
      accuracy.bound = "tolerance \(tolerance)"
    }
    return accuracy
  }

  /// nil when the rings do not match, or a vertex is not the input's.
  private func excess(
    _ before: (array: GeometryArray, index: Int), _ after: (array: GeometryArray, index: Int)
  ) -> Double? {
    guard before.array.type == after.array.type else { return nil }
    let rings = (before.array.rings(ofRow: before.index), after.array.rings(ofRow: after.index))
    guard rings.0.count == rings.1.count else { return nil }
    let isArea = before.array.type.single == .polygon
    var largest = 0.0
    for (old, new) in zip(rings.0, rings.1) {
      let chain = SimplifiedChain(
        input: old.map { before.array.place($0) }, output: new.map { after.array.place($0) }, isRing: isArea)
      guard let kept = chain.kept else { return nil }
      if let tolerance { largest = max(largest, chain.excess(kept, tolerance)) }
    }
    return largest
  }
}

/// A line or ring before and after.
struct SimplifiedChain {
  let input: [Place]
  let output: [Place]
  /// Rings are closed, and may begin at any of their kept vertices.
  let isRing: Bool

  /// For each output vertex its number in the input, counted on through the end of a ring; nil when they do not match.
  var kept: [Int]? {
    guard let first = input.first, let last = input.last, let start = output.first else {
      return input.isEmpty && output.isEmpty ? [] : nil
    }
    guard isRing else {
      guard start == first, output.last == last, let numbers = matched(from: 0, steps: input.count) else { return nil }
      return numbers
    }
    guard output.count >= 4, output.last == start, first == last else { return nil }
    // Of equal input vertices, one is where the ring begins.
    for (number, place) in input.dropLast().enumerated() where place == start {
      if let numbers = matched(from: number, steps: input.count) { return numbers }
    }
    return nil
  }

  /// The place of a vertex number that may have gone around the ring.
  private func place(_ number: Int) -> Place { input[isRing ? number % (input.count - 1) : number] }

  /// Looks for the output's vertices in order, each as early as it comes but the last, which is the end.
  private func matched(from start: Int, steps: Int) -> [Int]? {
    var numbers: [Int] = []
    var at = start
    let end = start + steps - 1
    for wanted in output.dropLast() {
      while at < end, place(at) != wanted { at += 1 }
      guard at < end else { return nil }
      numbers.append(at)
      at += 1
    }
    return numbers + [end]
  }

  /// How far the farthest dropped vertex is beyond the tolerance.
  func excess(_ kept: [Int], _ tolerance: Double) -> Double {
    var largest = 0.0
    for (from, to) in zip(kept, kept.dropFirst()) where to > from + 1 {
      let segment = Segment(place(from), place(to))
      for number in (from + 1)..<to {
        let dropped = place(number)
        // Doubles decide all but the close ones.
        guard segment.distance(to: dropped) > tolerance * (1 - 1e-6) else { continue }
        let beyond = segment.exactDistance(to: dropped) - DoubleDouble(tolerance)
        largest = max(largest, beyond.high)
      }
    }
    return largest
  }
}
