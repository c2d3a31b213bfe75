// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Finds the pairs of edges of a set that may meet: blocks of sixteen edges in their natural order, a tree over the blocks,
/// and for blocks that meet a look at all their edges at once. What is left for exact arithmetic is little more than the
/// pairs that do meet.
///
/// Vertices are held in a frame of floats (see kernel_edges.h): 8 bytes a vertex, and about 2 for the blocks and the tree.
/// One value serves row after row with the same memory.
struct EdgeBlocks {
  private var xRoom: ScratchRoom<Float>
  private var yRoom: ScratchRoom<Float>
  private var validRoom: ScratchRoom<UInt16>
  private(set) var tree: FrameTree
  private var x: UnsafeMutablePointer<Float>?
  private var y: UnsafeMutablePointer<Float>?
  private var valid: UnsafeMutablePointer<UInt16>?
  private var edges: EdgeSet?
  private var scale = 1.0
  private var originX = 0.0
  private var originY = 0.0
  /// How far a place of the frame may be from where it should be.
  private var slip: Float = 0
  private(set) var count = 0

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    xRoom = ScratchRoom(call)
    yRoom = ScratchRoom(call)
    validRoom = ScratchRoom(call)
    tree = FrameTree(call)
  }

  /// Takes the memory for sets of up to `vertices` at once. False = no memory.
  mutating func reserve(_ vertices: Int) -> Bool {
    xRoom.room(for: vertices &+ 32) != nil && yRoom.room(for: vertices &+ 32) != nil
      && validRoom.room(for: (vertices &+ 15) >> 4) != nil && tree.begin((vertices &+ 15) >> 4)
  }

  enum Outcome {
    case ready
    case noMemory
    /// Some ordinate is no finite number.
    case notFinite
    /// Consecutive vertices are equal.
    case repeats
  }

  /// Takes over a set of edges. The set may hold equal consecutive vertices or numbers that are not finite: then the
  /// outcome says so, and nothing else can be asked. `mayTurnBack` is called for vertices at which an edge may run straight
  /// back along the one before; never for the first vertex of a chain.
  @inline(__always)
  mutating func build(_ edges: EdgeSet, mayTurnBack: (Int) -> Void) -> Outcome {
    let room = edges.count &+ 32
    count = (edges.count &+ 15) >> 4
    guard let x = xRoom.room(for: room), let y = yRoom.room(for: room), let valid = validRoom.room(for: count) else {
      return .noMemory
    }
    (self.x, self.y, self.valid, self.edges) = (x, y, valid, edges)
    guard edges.count > 0 else { return tree.begin(0) ? .ready : .noMemory }
    (originX, originY) = (edges.x[0], edges.y[0])
    guard frame(edges, x, y) else { return .notFinite }
    mark(edges, valid)
    guard tree.begin(count) else { return .noMemory }
    for block in 0..<count {
      var box = FrameBox.nothing
      var (still, turns): (UInt32, UInt32) = (0, 0)
      withUnsafeMutablePointer(to: &box) {
        $0.withMemoryRebound(to: Float.self, capacity: 4) {
          mrdk_edge_block(x + 16 &* block, y + 16 &* block, UInt32(valid[block]), slip, $0, &still, &turns)
        }
      }
      while still != 0 {
        let edge = block &<< 4 | still.trailingZeroBitCount
        if edges.x[edge] == edges.x[edge &+ 1] && edges.y[edge] == edges.y[edge &+ 1] { return .repeats }
        still &= still &- 1
      }
      while turns != 0 {
        let edge = block &<< 4 | turns.trailingZeroBitCount
        if isEdge(edge &+ 1) { mayTurnBack(edge &+ 1) }
        turns &= turns &- 1
      }
      tree.set(block, box)
    }
    tree.finish()
    return .ready
  }

  /// Fills the frame. False = some ordinate is not finite.
  private mutating func frame(
    _ edges: EdgeSet, _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) -> Bool {
    scale = 1
    var reach = fill(edges, x, y)
    if !(reach >= 0x1p-30 && reach <= 0x1p30) && reach != 0 {
      guard let extent = EdgeBlocks.extent(of: edges) else { return false }
      guard extent >= 0x1p-960 && extent.isFinite else {
        flatten(edges.count &+ 24, x, y)
        return true
      }
      scale = Double(sign: .plus, exponent: -Int(extent.exponent), significand: 1)
      reach = fill(edges, x, y)
    }
    // 2^-24 of the reach and a little more: the double that is rounded was rounded before.
    slip = reach * 0x1.01p-24
    return true
  }

  /// A frame in which all vertices are one place, for extents that overflow or vanish: everything may meet everything.
  private mutating func flatten(_ size: Int, _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    scale = 0
    x.update(repeating: 0, count: size)
    y.update(repeating: 0, count: size)
    slip = .infinity
  }

  @inline(__always)
  private func fill(_ edges: EdgeSet, _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>) -> Float {
    let a = mrdk_offsets(edges.x, 8, edges.count, originX, scale, x)
    let b = mrdk_offsets(edges.y, 8, edges.count, originY, scale, y)
    return max(a, b)
  }

  /// The greatest offset of an ordinate from that of the first vertex; nil when some ordinate is not finite.
  private static func extent(of edges: EdgeSet) -> Double? {
    var extent = 0.0
    let (x, y) = (edges.x[0], edges.y[0])
    for vertex in 0..<edges.count {
      guard edges.x[vertex].isFinite && edges.y[vertex].isFinite else { return nil }
      extent = max(extent, (edges.x[vertex] - x).magnitude, (edges.y[vertex] - y).magnitude)
    }
    return extent
  }

  /// Which edges of each block exist.
  @inline(__always)
  private func mark(_ edges: EdgeSet, _ valid: UnsafeMutablePointer<UInt16>) {
    for block in 0..<count { valid[block] = 0xffff }
    let rest = edges.count & 15
    if rest != 0 { valid[count &- 1] = UInt16(truncatingIfNeeded: 1 &<< rest &- 1) }
    for chain in 0..<edges.chainCount {
      let last = Int(edges.chains[chain].last)
      valid[last >> 4] &= ~(1 &<< UInt16(truncatingIfNeeded: last & 15))
    }
  }

  /// False for the last vertex of a chain, which begins no edge.
  @inline(__always)
  func isEdge(_ edge: Int) -> Bool {
    let block = edge >> 4
    return block < count && valid.unsafelyUnwrapped[block] >> UInt16(truncatingIfNeeded: edge & 15) & 1 != 0
  }

  /// Calls `body` with pairs of edges that may meet and of which the lower one, which comes first, lies in the block.
  /// Neighbours in one chain do not come, but for the first and the last edge of a ring. False = `body` answered false.
  ///
  /// - Parameter looks: made less by the number of other blocks that were looked at.
  @inline(__always)
  func forEachPair(block: Int, _ looks: inout Int, _ body: (Int, Int) -> Bool) -> Bool {
    var box = tree.box(block)
    if !forEachPair(within: block, &box, body) { return false }
    if block &+ 1 == count { return true }
    var count = 0
    let goesOn = tree.forEach(meeting: box, after: block) { other in
      count &+= 1
      return forEachPair(block, other, box, body)
    }
    looks &-= count
    return goesOn
  }

  /// Pairs of edges of one block.
  @inline(__always)
  private func forEachPair(within block: Int, _ box: inout FrameBox, _ body: (Int, Int) -> Bool) -> Bool {
    guard let edges, let valid else { return true }
    var found = InlineArray<16, UInt16>(repeating: 0)
    let first = block &<< 4
    var steps = withUnsafePointer(to: &box) { box in
      withUnsafeMutablePointer(to: &found) { found in
        box.withMemoryRebound(to: Float.self, capacity: 4) { box in
          found.withMemoryRebound(to: UInt16.self, capacity: 16) { found in
            mrdk_block_within(
              edges.x + first, edges.y + first, edges.count &- first, UInt32(valid[block]), scale, box, slip, found)
          }
        }
      }
    }
    while steps != 0 {
      let step = steps.trailingZeroBitCount
      var bits = found[step]
      while bits != 0 {
        let edge = bits.trailingZeroBitCount
        let other = (edge &+ step) & 15
        if !body(first | min(edge, other), first | max(edge, other)) { return false }
        bits &= bits &- 1
      }
      steps &= steps &- 1
    }
    return true
  }

  /// Pairs of edges of two blocks, `a` before `b`.
  @inline(__always)
  private func forEachPair(_ a: Int, _ b: Int, _ box: FrameBox, _ body: (Int, Int) -> Bool) -> Bool {
    guard let x, let y, let valid else { return true }
    var (box, otherBox) = (box, tree.box(b))
    var found = InlineArray<16, UInt16>(repeating: 0)
    var rows: UInt32 = withUnsafePointer(to: &box) { box in
      withUnsafePointer(to: &otherBox) { otherBox in
        withUnsafeMutablePointer(to: &found) { found in
          box.withMemoryRebound(to: Float.self, capacity: 4) { box in
            otherBox.withMemoryRebound(to: Float.self, capacity: 4) { otherBox in
              found.withMemoryRebound(to: UInt16.self, capacity: 16) { found in
                mrdk_blocks_meeting(
                  x + a &<< 4, y + a &<< 4, UInt32(valid[a]), box, x + b &<< 4, y + b &<< 4, UInt32(valid[b]), otherBox,
                  b == a &+ 1 ? 1 : 0, slip, found)
              }
            }
          }
        }
      }
    }
    while rows != 0 {
      let row = rows.trailingZeroBitCount
      var bits = found[row]
      while bits != 0 {
        if !body(a &<< 4 | row, b &<< 4 | bits.trailingZeroBitCount) { return false }
        bits &= bits &- 1
      }
      rows &= rows &- 1
    }
    return true
  }

  /// A place in the frame. Places that are in order keep it.
  @inline(__always)
  func framed(_ place: Place) -> (x: Float, y: Float) {
    scale == 0 ? (0, 0) : (Float((place.x - originX) * scale), Float((place.y - originY) * scale))
  }

  /// The box of places in the frame.
  func framed(_ box: Box) -> FrameBox {
    let (low, high) = (framed(Place(x: box.xmin, y: box.ymin)), framed(Place(x: box.xmax, y: box.ymax)))
    return FrameBox(xmin: low.x, ymin: low.y, xmax: high.x, ymax: high.y)
  }

  enum Location {
    case inside
    case outside
    /// On an edge, or at its start or end.
    case on(edge: Int)
  }

  /// Where a place lies with respect to a ring, given by its edges: whether an upward ray from the place crosses the ring
  /// an odd number of times. A run of edges above the place counts by its two ends alone, so the time is that of finding
  /// the edges near the ray's start, not that of the crossings.
  func locate(_ place: Place, _ ring: Range<Int>) -> Location {
    guard let edges else { return .outside }
    var isInside = false
    var edge: Int?
    func look(_ part: Range<Int>) {
      for index in part where edge == nil {
        switch position(of: place, under: index, edges) {
        case .under: isInside.toggle()
        case .on: edge = index
        case .elsewhere: break
        }
      }
    }
    if ring.count <= 32 {
      look(ring)
    } else {
      let (x, y) = framed(place)
      let ray = FrameBox(xmin: x, ymin: y, xmax: x, ymax: .infinity)
      tree.descend(meeting: ray, ring.lowerBound >> 4..<(ring.upperBound &+ 15) >> 4) { level, item in
        let (start, end) = (item &<< (4 &* level &+ 4), (item &+ 1) &<< (4 &* level &+ 4))
        let part = max(start, ring.lowerBound)..<min(end, ring.upperBound)
        if tree.box(level, item).ymin > y {
          if (edges.x[part.lowerBound] <= place.x) != (edges.x[part.upperBound] <= place.x) { isInside.toggle() }
          return false
        }
        if level > 0 { return true }
        look(part)
        return false
      }
    }
    if let edge { return .on(edge: edge) }
    return isInside ? .inside : .outside
  }

  private enum RayPosition { case under, on, elsewhere }

  /// `under`: an upward ray from the place crosses the edge, whose left end counts and whose right end does not.
  @inline(__always)
  private func position(of p: Place, under index: Int, _ edges: EdgeSet) -> RayPosition {
    let (a, b) = (edges.place(index), edges.place(index &+ 1))
    if min(a.x, b.x) > p.x || max(a.x, b.x) < p.x || max(a.y, b.y) < p.y { return .elsewhere }
    let crosses = (a.x <= p.x) != (b.x <= p.x)
    if min(a.y, b.y) > p.y { return crosses ? .under : .elsewhere }
    let side = orientation(a, b, p)
    if side == 0 { return .on }
    return crosses && (a.x < b.x) == (side < 0) ? .under : .elsewhere
  }
}
