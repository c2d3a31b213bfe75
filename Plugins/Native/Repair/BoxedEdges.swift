// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// The boxes of edges, sixteen to a block in an order in which edges that follow each other lie near each other, as that of
/// rings does by itself, and a tree over the blocks.
///
/// A group is sixteen boxes column by column (xmin, ymin, xmax, ymax), as `mrdk_leaf_meeting` reads them: edges on the lowest
/// level, the boxes of sixteen groups on each above. About 34 bytes an edge.
struct BoxedEdges {
  private static let width = 64
  private var groups: ScratchList<Double>
  /// The first group of each level; one more for the end.
  private var levels: ScratchList<Int32>
  /// Groups that wait to be looked at: at most sixteen a level, of which there are eight for 2^32 edges.
  private let stack: UnsafeMutablePointer<Int64>
  private var edges = 0
  /// Each edge begins where the one before it ends, so pairs of such neighbours are not asked for.
  private var areChained = true

  init(_ call: UnsafeMutablePointer<mrd_call>) throws(Stop) {
    groups = ScratchList(call)
    levels = ScratchList(call)
    guard let stack = scratch(call, 256, of: Int64.self) else { throw .memory }
    self.stack = stack
  }

  private var height: Int { levels.count - 1 }

  /// Takes the edges from each point to the next one, those that start at the end of a ring excepted.
  mutating func build(_ rings: RepairRings) throws(Stop) {
    let places = rings.places.start
    try build(max(0, rings.places.count - 1), areChained: true) { (places[$0], places[$0 + 1]) }
    for index in 0..<rings.rings.count {
      let last = Int(rings.rings[index].last)
      if last < edges { empty(last) }
    }
    finish()
  }

  /// Takes `count` edges by their ends, in any order that is good.
  mutating func build(_ count: Int, _ ends: (_ edge: Int) -> (Place, Place)) throws(Stop) {
    try build(count, areChained: false, ends)
    finish()
  }

  @inline(__always)
  private mutating func build(_ count: Int, areChained: Bool, _ ends: (_ edge: Int) -> (Place, Place)) throws(Stop) {
    edges = count
    self.areChained = areChained
    levels.truncate(0)
    var (total, size) = (0, (edges + 15) / 16)
    while true {
      try levels.push(Int32(truncatingIfNeeded: total))
      total += size
      if size <= 1 { break }
      size = (size + 15) / 16
    }
    try levels.push(Int32(truncatingIfNeeded: total))
    try groups.resize(total * BoxedEdges.width)
    if edges > 0 { fillEdges(ends) }
  }

  /// The levels above the edges.
  private func finish() {
    if edges == 0 { return }
    for level in 1..<max(1, height) { fillLevel(level) }
  }

  @inline(__always)
  private func fillEdges(_ ends: (_ edge: Int) -> (Place, Place)) {
    let groups = self.groups.start
    let blocks = Int(levels[1])
    for edge in 0..<edges {
      let (start, end) = ends(edge)
      let (a, b) = (SIMD2(start.x, start.y), SIMD2(end.x, end.y))
      let (low, high) = (a.replacing(with: b, where: b .< a), a.replacing(with: b, where: b .> a))
      let slot = groups + (edge >> 4) * BoxedEdges.width + (edge & 15)
      slot[0] = low.x
      slot[16] = low.y
      slot[32] = high.x
      slot[48] = high.y
    }
    for edge in edges..<(blocks * 16) { empty(edge) }
  }

  private func empty(_ edge: Int) {
    let slot = groups.start + (edge >> 4) * BoxedEdges.width + (edge & 15)
    slot[0] = .infinity
    slot[16] = .infinity
    slot[32] = -.infinity
    slot[48] = -.infinity
  }

  private func fillLevel(_ level: Int) {
    let (below, here, end) = (Int(levels[level - 1]), Int(levels[level]), Int(levels[level + 1]))
    let base = groups.start
    for slot in 0..<((end - here) * 16) {
      let target = base + (here + slot >> 4) * BoxedEdges.width + (slot & 15)
      let box = slot < here - below ? bounds(ofGroup: below + slot) : .empty
      target[0] = box.xmin
      target[16] = box.ymin
      target[32] = box.xmax
      target[48] = box.ymax
    }
  }

  @inline(__always)
  private func bounds(ofGroup group: Int) -> Box {
    let base = UnsafeRawPointer(groups.start + group * BoxedEdges.width)
    @inline(__always)
    func column(_ number: Int) -> (SIMD8<Double>, SIMD8<Double>) {
      (
        base.loadUnaligned(fromByteOffset: number * 128, as: SIMD8<Double>.self),
        base.loadUnaligned(fromByteOffset: number * 128 + 64, as: SIMD8<Double>.self)
      )
    }
    return Box(
      xmin: least(column(0)), ymin: least(column(1)), xmax: -least(negated(column(2))),
      ymax: -least(negated(column(3))))
  }

  @inline(__always)
  private func negated(_ pair: (SIMD8<Double>, SIMD8<Double>)) -> (SIMD8<Double>, SIMD8<Double>) {
    (-pair.0, -pair.1)
  }

  @inline(__always)
  private func least(_ pair: (SIMD8<Double>, SIMD8<Double>)) -> Double {
    let eight = pair.0.replacing(with: pair.1, where: pair.1 .< pair.0)
    let four = eight.lowHalf.replacing(with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .< four.lowHalf)
    return two.y < two.x ? two.y : two.x
  }

  /// The box of a box of a group.
  @inline(__always)
  private func box(_ group: Int, _ lane: Int) -> Box {
    let slot = groups.start + group * BoxedEdges.width + lane
    return Box(xmin: slot[0], ymin: slot[16], xmax: slot[32], ymax: slot[48])
  }

  @inline(__always)
  private func meeting(_ group: Int, _ box: Box) -> UInt32 {
    mrdk_leaf_meeting(groups.start + group * BoxedEdges.width, box.xmin, box.ymin, box.xmax, box.ymax)
  }

  /// The box of the block that an edge lies in.
  private func boxOfBlock(_ block: Int) -> Box {
    height > 1 ? box(Int(levels[1]) + block >> 4, block & 15) : bounds(ofGroup: block)
  }

  // MARK: Pairs

  /// Calls `body` with the numbers of all pairs of edges, the lesser one first, whose boxes meet, but for those of rings that
  /// follow each other.
  @inline(__always)
  func forEachPair(
    _ poll: inout CancelPoll, _ body: (_ edge: Int, _ other: Int) throws(Stop) -> Void
  ) throws(Stop) {
    let blocks = edges == 0 ? 0 : Int(levels[1])
    let others: UInt32 = areChained ? 0xffff_fffc : 0xffff_fffe
    for block in 0..<blocks {
      if poll.tick(16) { throw .cancelled }
      for lane in 0..<15 {
        var bits = meeting(block, box(block, lane)) & (others &<< UInt32(lane))
        while bits != 0 {
          try body(block << 4 | lane, block << 4 | bits.trailingZeroBitCount)
          bits &= bits &- 1
        }
      }
      let window = boxOfBlock(block)
      try forEachGroup(window, after: block) { (other: Int) throws(Stop) in
        if poll.tick(16) { throw .cancelled }
        try forEachPair(block, other, body)
      }
    }
  }

  @inline(__always)
  private func forEachPair(
    _ block: Int, _ other: Int, _ body: (_ edge: Int, _ other: Int) throws(Stop) -> Void
  ) throws(Stop) {
    var lanes = meeting(block, boxOfBlock(other))
    while lanes != 0 {
      let lane = lanes.trailingZeroBitCount
      lanes &= lanes &- 1
      var bits = meeting(other, box(block, lane))
      if lane == 15 && other == block &+ 1 && areChained { bits &= ~1 }
      while bits != 0 {
        try body(block << 4 | lane, other << 4 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  /// Calls `body` with all edges whose boxes meet that of `edge`, but for itself and those beside it.
  @inline(__always)
  func forEachNeighbour(
    of edge: Int, _ body: (_ other: Int) throws(Stop) -> Void
  ) throws(Stop) {
    let window = box(edge >> 4, edge & 15)
    try forEachGroup(window, after: -1) { (group: Int) throws(Stop) in
      var bits = meeting(group, window)
      while bits != 0 {
        let other = group << 4 | bits.trailingZeroBitCount
        bits &= bits &- 1
        if other < edge &- 1 || other > edge &+ 1 { try body(other) }
      }
    }
  }

  /// Calls `body` with all edges whose boxes meet a window.
  @inline(__always)
  func forEachEdge(in window: Box, _ body: (_ edge: Int) throws(Stop) -> Void) throws(Stop) {
    try forEachGroup(window, after: -1) { (group: Int) throws(Stop) in
      var bits = meeting(group, window)
      while bits != 0 {
        try body(group << 4 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  /// Calls `body` with the blocks behind `first` whose boxes meet the window.
  @inline(__always)
  private func forEachGroup(
    _ window: Box, after first: Int, _ body: (_ block: Int) throws(Stop) -> Void
  ) throws(Stop) {
    guard height > 1 else {
      if first < 0 { try body(0) }
      return
    }
    // An entry is a level and a group of it, counted from the level's first.
    var waiting = 1
    stack[0] = Int64(height - 1) << 32
    while waiting > 0 {
      waiting &-= 1
      let entry = stack[waiting]
      let (level, group) = (Int(entry >> 32), Int(entry & 0xffff_ffff))
      var bits = meeting(Int(levels[level]) + group, window)
      while bits != 0 {
        let child = group << 4 | bits.trailingZeroBitCount
        bits &= bits &- 1
        // The last block below the child.
        guard ((child &+ 1) << (4 &* (level &- 1))) &- 1 > first else { continue }
        if level == 1 {
          try body(child)
        } else {
          stack[waiting] = Int64(level - 1) << 32 | Int64(child)
          waiting &+= 1
        }
      }
    }
  }

  // MARK: Rays

  /// Calls `look` with edges whose boxes reach from below to a vertical line down from a place, highest boxes first, until
  /// none is left that reaches above `floor`, which `look` may raise.
  @inline(__always)
  func searchBelow(_ place: Place, _ look: (_ edge: Int, _ floor: inout Double) -> Void) {
    guard edges > 0 else { return }
    var floor = -Double.infinity
    var waiting = 1
    stack[0] = Int64(height - 1) << 32
    while waiting > 0 {
      waiting &-= 1
      let entry = stack[waiting]
      let (level, group) = (Int(entry >> 32), Int(entry & 0xffff_ffff))
      var bits = meeting(
        Int(levels[level]) + group, Box(xmin: place.x, ymin: floor, xmax: place.x, ymax: place.y))
      if level > 0 {
        pushByHeight(bits, level, group, &waiting)
        continue
      }
      while bits != 0 {
        look(group << 4 | bits.trailingZeroBitCount, &floor)
        bits &= bits &- 1
      }
    }
  }

  /// Puts the children of a group on the stack, the highest one last, so that it is looked at first.
  private func pushByHeight(_ bits: UInt32, _ level: Int, _ group: Int, _ waiting: inout Int) {
    let begin = waiting
    let tops = groups.start + (Int(levels[level]) + group) * BoxedEdges.width + 48
    var rest = bits
    while rest != 0 {
      let lane = rest.trailingZeroBitCount
      rest &= rest &- 1
      stack[waiting] = Int64(level - 1) << 32 | Int64(group << 4 | lane)
      var at = waiting
      waiting &+= 1
      while at > begin && tops[Int(stack[at - 1]) & 15] > tops[Int(stack[at]) & 15] {
        (stack[at - 1], stack[at]) = (stack[at], stack[at - 1])
        at -= 1
      }
    }
  }

  /// The edge straight below a place that is nearest to it, of edges that do not cross; nil when there is none. Edges through
  /// the place do not count, vertical ones neither.
  func edgeBelow(_ place: Place, _ rings: RepairRings) -> Int? {
    var best = -1
    searchBelow(place) { edge, floor in
      let (left, right) = BoxedEdges.rightward(edge, rings)
      guard left.x <= place.x, place.x < right.x, orientation(left, right, place) > 0 else { return }
      if best >= 0 && !BoxedEdges.isHigher(left, right, BoxedEdges.rightward(best, rings)) { return }
      best = edge
      floor = min(left.y, right.y)
    }
    return best < 0 ? nil : best
  }

  static func rightward(_ edge: Int, _ rings: RepairRings) -> (left: Place, right: Place) {
    let (a, b) = (rings.places[edge], rings.places[edge + 1])
    return a.x <= b.x ? (a, b) : (b, a)
  }

  /// Whether the edge from `left` to `right` lies above another one where both are; they do not cross.
  private static func isHigher(_ left: Place, _ right: Place, _ other: (left: Place, right: Place)) -> Bool {
    let start =
      left.x >= other.left.x
      ? orientation(other.left, other.right, left) : -orientation(left, right, other.left)
    if start != 0 { return start > 0 }
    let end =
      right.x <= other.right.x
      ? orientation(other.left, other.right, right) : -orientation(left, right, other.right)
    return end > 0
  }
}
