// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A tolerance and its square, which may have rounded to 0 or infinity.
struct Tolerance {
  let distance: Double
  let square: Double
  init(_ distance: Double) {
    self.distance = distance
    square = distance * distance
  }
}

/// Finds the vertex of a run that is farthest from the closed segment between the run's ends.
///
/// Doubles with an error bound leave one candidate nearly always; exact arithmetic decides between several, and between the
/// last one and the tolerance. Ties go to the least (x, y); of equal places to the first. In metres, where lengths are
/// rounded at every vertex, the rounded squares themselves decide.
struct FarthestSearch {
  /// Inner vertices up to which all squares are computed at once; longer runs go through the tree.
  private static let flat = 512
  private static let most = 64

  private let store: PathStore
  private let squares: UnsafeMutablePointer<Double>
  private let candidates: UnsafeMutablePointer<Int>
  private let values: UnsafeMutablePointer<Double>
  private var tree: BlockTree
  private var hasTree = false

  // Of the run that is searched in the tree.
  private var chord = mrdk_chord()
  private var ends: (low: Int, high: Int) = (0, 0)
  private var count = 0
  private var best = -1.0
  /// Vertices below it are no candidates, boxes below the other hold none.
  private var least = 0.0
  private var leastReach = 0.0
  /// Boxes that reach no farther than this may hold nothing that is farther than the best.
  private var clearReach = 0.0

  /// nil = no memory.
  init?(_ store: PathStore, capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let squares = scratch(call, FarthestSearch.flat + 8, of: Double.self),
      let candidates = scratch(call, FarthestSearch.most, of: Int.self),
      let values = scratch(call, FarthestSearch.most, of: Double.self), let tree = BlockTree(capacity: capacity, call)
    else { return nil }
    self.store = store
    self.squares = squares
    self.candidates = candidates
    self.values = values
    self.tree = tree
  }

  /// Call it when the store has new paths; `longest` is the number of vertices of the longest one.
  mutating func prepare(count: Int, longest: Int) {
    hasTree = longest > FarthestSearch.flat + 2
    if hasTree { tree.build(store.x, store.y, count) }
  }

  /// The place of the farthest vertex between `low` and `high` when it is beyond the tolerance, else `low`.
  mutating func split(_ low: Int, _ high: Int, _ tolerance: Tolerance) -> Int {
    let size = high &- low &- 1
    guard size > 0 else { return low }
    return size <= FarthestSearch.flat ? splitFlat(low, high, tolerance) : splitInTree(low, high, tolerance)
  }

  /// True when a vertex of the run is beyond the tolerance.
  func exceeds(_ index: Int, _ low: Int, _ high: Int, _ tolerance: Tolerance) -> Bool {
    if store.scales != nil { return metricSquare(index, low, high) > tolerance.square }
    let chord = makeChord(low, high)
    let square = self.square(index, chord)
    let error = mrdk_square_error(square, chord)
    let limit = tolerance.square * chord.scale
    if square + error < limit * (1 - MRDK_LIMIT_SLACK) { return false }
    if square - error > limit * (1 + MRDK_LIMIT_SLACK) { return true }
    return exactChord(low, high).compare(store.place(index), distance: tolerance.distance) > 0
  }

  /// -1, 0 or 1 as the first vertex is nearer to the chord than, as near as, or farther than the second.
  func compare(_ first: Int, _ second: Int, _ low: Int, _ high: Int) -> Int {
    if store.scales != nil {
      let (one, other) = (metricSquare(first, low, high), metricSquare(second, low, high))
      return one < other ? -1 : one > other ? 1 : 0
    }
    return exactChord(low, high).compare(store.place(first), store.place(second))
  }

  /// True when `first` is farther than `second`, or splits before it for other reasons.
  func isFarther(_ first: Int, _ second: Int, _ low: Int, _ high: Int) -> Bool {
    let order = compare(first, second, low, high)
    if order != 0 { return order > 0 }
    let (a, b) = (store.place(first), store.place(second))
    return a == b ? first < second : a < b
  }

  // MARK: - All at once

  private mutating func splitFlat(_ low: Int, _ high: Int, _ tolerance: Tolerance) -> Int {
    let size = UInt(high &- low &- 1)
    chord = makeChord(low, high)
    let most = fillSquares(low, high, low &+ 1, Int(size))
    let error = errorBound(most)
    let limit = tolerance.square * chord.scale
    if most + error < limit * (1 - MRDK_LIMIT_SLACK) { return low }
    let isBeyond = most - error > limit * (1 + MRDK_LIMIT_SLACK)
    // Without a bound every vertex is a candidate.
    let least = error.isFinite ? most - 2 * error : -.infinity
    var best = mrdk_find_large(squares, 0, size, least)
    var next = mrdk_find_large(squares, best &+ 1, size, least)
    if next >= size && isBeyond { return low &+ 1 &+ Int(best) }
    while next < size {
      if isFarther(low &+ 1 &+ Int(next), low &+ 1 &+ Int(best), low, high) { best = next }
      next = mrdk_find_large(squares, next &+ 1, size, least)
    }
    let index = low &+ 1 &+ Int(best)
    return isBeyond || exceeds(index, low, high, tolerance) ? index : low
  }

  // MARK: - In the tree

  private mutating func splitInTree(_ low: Int, _ high: Int, _ tolerance: Tolerance) -> Int {
    chord = makeChord(low, high)
    ends = (low, high)
    (count, best, clearReach) = (0, -1, .infinity)
    let limit = tolerance.square * chord.scale
    let limitError = errorBound(limit)
    least = limit.isFinite ? limit * (1 - MRDK_LIMIT_SLACK) - 2 * limitError : .infinity
    leastReach = limit.isFinite ? limit * (1 - MRDK_LIMIT_SLACK) - 8 * limitError : .infinity
    if least.isNaN || leastReach.isNaN { (least, leastReach) = (-.infinity, -.infinity) }
    let (first, last) = (low &+ 1, high &- 1)
    var level = 0
    while level &+ 1 < tree.levels && (last >> BlockTree.shift(level)) &- (first >> BlockTree.shift(level)) >= 8 {
      level &+= 1
    }
    let groupShift = BlockTree.shift(level) &+ 3
    for group in (first >> groupShift)...(last >> groupShift) { visit(level, group) }
    filter()
    guard count > 0 else { return low }
    let isBeyond = best - errorBound(best) > limit * (1 + MRDK_LIMIT_SLACK)
    if count > 1 { reduce() }
    return isBeyond || exceeds(candidates[0], low, high, tolerance) ? candidates[0] : low
  }

  /// Boxes of a group, the one that reaches farthest first.
  private mutating func visit(_ level: Int, _ group: Int) {
    var reaches = InlineArray<8, Double>(repeating: -1)
    if store.scales == nil {
      withUnsafeMutableBytes(of: &reaches) {
        guard let memory = $0.bindMemory(to: Double.self).baseAddress else { return }
        mrdk_box_reaches(tree.group(level, group), chord, memory)
      }
    } else {
      reaches = InlineArray(repeating: .infinity)
    }
    let (first, last) = ((ends.low &+ 1) >> BlockTree.shift(level), (ends.high &- 1) >> BlockTree.shift(level))
    var left: UInt32 = 0
    for slot in 0..<8 where (first...last).contains(group &* 8 &+ slot) { left |= 1 << UInt32(slot) }
    while left != 0 {
      var slot = left.trailingZeroBitCount
      var rest = left & (left &- 1)
      while rest != 0 {
        let other = rest.trailingZeroBitCount
        rest &= rest &- 1
        if reaches[other] > reaches[slot] { slot = other }
      }
      // Overflown reaches are no numbers: such boxes are looked at.
      if reaches[slot] < leastReach { return }
      left &= ~(1 << UInt32(slot))
      if count > 0 && !(reaches[slot] > clearReach) && losesTies(level, group &* 8 &+ slot) { continue }
      if level == 0 { scan(group &* 8 &+ slot) } else { visit(level &- 1, group &* 8 &+ slot) }
    }
  }

  /// True when nothing in a box is farther than the best candidate, and nothing as far comes before it. Where many vertices
  /// are equally far, as the teeth of a comb are, doubles cannot tell this.
  private mutating func losesTies(_ level: Int, _ box: Int) -> Bool {
    guard store.scales == nil else { return false }
    if count > 1 { reduce() }
    let winner = store.place(candidates[0])
    let bounds = tree.bounds(level, box)
    guard winner < Place(x: bounds.xmin, y: bounds.ymin) else { return false }
    let chord = exactChord(ends.low, ends.high)
    // The distance from a segment is a convex function: a box has its largest one at a corner.
    return chord.compare(Place(x: bounds.xmin, y: bounds.ymin), winner) <= 0
      && chord.compare(Place(x: bounds.xmax, y: bounds.ymin), winner) <= 0
      && chord.compare(Place(x: bounds.xmin, y: bounds.ymax), winner) <= 0
      && chord.compare(Place(x: bounds.xmax, y: bounds.ymax), winner) <= 0
  }

  /// The vertices of a block.
  private mutating func scan(_ block: Int) {
    let first = max(ends.low &+ 1, block &* BlockTree.block)
    let size = min(ends.high, (block &+ 1) &* BlockTree.block) &- first
    let most = fillSquares(ends.low, ends.high, first, size)
    if most < least { return }
    if most > best {
      best = most
      let error = errorBound(most)
      // Infinite errors keep everything: NaN would forget it.
      if error.isFinite {
        least = max(least, most - 2 * error)
        leastReach = max(leastReach, most - 8 * error)
        clearReach = most + 8 * error
      }
    }
    var at = mrdk_find_large(squares, 0, UInt(size), least)
    while at < UInt(size) {
      append(first &+ Int(at), squares[Int(at)])
      at = mrdk_find_large(squares, at &+ 1, UInt(size), least)
    }
  }

  private mutating func append(_ index: Int, _ square: Double) {
    if count == FarthestSearch.most {
      filter()
      // Room for what made it full, or exact arithmetic has to make it.
      if count > FarthestSearch.most / 2 { reduce() }
    }
    candidates[count] = index
    values[count] = square
    count &+= 1
  }

  private mutating func filter() {
    var kept = 0
    for index in 0..<count where values[index] >= least {
      candidates[kept] = candidates[index]
      values[kept] = values[index]
      kept &+= 1
    }
    count = kept
  }

  /// Leaves the farthest candidate alone.
  private mutating func reduce() {
    var winner = 0
    for index in 1..<max(1, count) where isFarther(candidates[index], candidates[winner], ends.low, ends.high) {
      winner = index
    }
    candidates[0] = candidates[winner]
    values[0] = values[winner]
    count = 1
  }

  // MARK: - Squares

  private func makeChord(_ low: Int, _ high: Int) -> mrdk_chord {
    if store.scales != nil {
      var chord = mrdk_chord()
      chord.scale = 1
      return chord
    }
    return mrdk_make_chord(store.x[low], store.y[low], store.x[high], store.y[high])
  }

  private func exactChord(_ low: Int, _ high: Int) -> ExactChord {
    ExactChord(a: store.place(low), b: store.place(high))
  }

  /// Rounded squares in metres decide as they are.
  private func errorBound(_ most: Double) -> Double {
    store.scales == nil ? mrdk_square_error(most, chord) : 0
  }

  private func square(_ index: Int, _ chord: mrdk_chord) -> Double {
    var octet = InlineArray<8, Double>(repeating: 0)
    return withUnsafeMutableBytes(of: &octet) {
      guard let memory = $0.bindMemory(to: Double.self).baseAddress else { return 0 }
      return mrdk_chord_squares(store.x + index, store.y + index, 1, chord, memory)
    }
  }

  private func metricSquare(_ index: Int, _ low: Int, _ high: Int) -> Double {
    var octet = InlineArray<8, Double>(repeating: 0)
    return withUnsafeMutableBytes(of: &octet) {
      guard let memory = $0.bindMemory(to: Double.self).baseAddress else { return 0 }
      return metricSquares(low, high, index, 1, memory)
    }
  }

  private func fillSquares(_ low: Int, _ high: Int, _ first: Int, _ size: Int) -> Double {
    if store.scales != nil { return metricSquares(low, high, first, size, squares) }
    return mrdk_chord_squares(store.x + first, store.y + first, UInt(size), chord, squares)
  }

  /// From the lesser end of the chord, so that the direction does not matter.
  private func metricSquares(
    _ low: Int, _ high: Int, _ first: Int, _ size: Int, _ target: UnsafeMutablePointer<Double>
  ) -> Double {
    guard let scales = store.scales else { return -1 }
    var (a, b) = (store.place(low), store.place(high))
    if b < a { swap(&a, &b) }
    return mrdk_metric_squares(
      store.x + first, store.y + first, scales.wide + first, scales.high + first, UInt(size), a.x, a.y, b.x, b.y, target
    )
  }
}
