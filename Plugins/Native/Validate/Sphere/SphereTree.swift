// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A box in space, in floats from a frame's origin.
struct SphereBox: BitwiseCopyable {
  var low = SIMD4<Float>(repeating: .infinity)
  var high = SIMD4<Float>(repeating: -.infinity)

  @inline(__always)
  func meets(_ other: SphereBox) -> Bool { !any(low .> other.high) && !any(other.low .> high) }

  @inline(__always)
  mutating func grow(_ other: SphereBox) {
    low.replace(with: other.low, where: other.low .< low)
    high.replace(with: other.high, where: other.high .> high)
  }
}

/// A tree over boxes around the arcs of a row in space, sixteen to a node, along a curve through space (Morton 1966), so that the
/// order of the edges does not matter.
struct SphereTree {
  private let call: UnsafeMutablePointer<mrd_call>
  private var keyRoom: ScratchRoom<UInt64>
  private var boxRoom: ScratchRoom<SphereBox>
  private var keys: UnsafeMutablePointer<UInt64>?
  private var boxes: UnsafeMutablePointer<SphereBox>?
  /// Where each level begins, and how many boxes it has.
  private var starts = InlineArray<9, Int>(repeating: 0)
  private var sizes = InlineArray<9, Int>(repeating: 0)
  private var top = 0
  private var origin = Vector()
  /// More than floats are off by.
  private var slack = 0.0

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    self.call = call
    (keyRoom, boxRoom) = (ScratchRoom(call), ScratchRoom(call))
  }

  /// Takes the edges of a row. False = no memory.
  mutating func build(_ sphere: SphereEdges) -> Bool {
    let edges = sphere.edges
    var count = 0
    for chain in 0..<edges.chainCount { count &+= edges.chains[chain].edges.count }
    lay(count)
    guard count > 0, let keys = keyRoom.room(for: count),
      let boxes = boxRoom.room(for: starts[top] &+ sizes[top])
    else { return count == 0 }
    (self.keys, self.boxes) = (keys, boxes)
    sort(sphere, keys, count)
    var reach = 0.0
    for place in 0..<count {
      let box = box(sphere, CurveOrder.number(keys[place]))
      boxes[place] = box
      let far = max(Double((box.high.max() as Float).magnitude), Double((box.low.min() as Float).magnitude))
      reach = max(reach, far)
    }
    slack = 1e-6 * reach + 1e-14
    for level in 1..<max(1, top &+ 1) {
      for node in 0..<sizes[level] {
        var box = SphereBox()
        for child in (node &<< 4)..<min(sizes[level &- 1], (node &+ 1) &<< 4) {
          box.grow(boxes[starts[level &- 1] &+ child])
        }
        boxes[starts[level] &+ node] = box
      }
    }
    return true
  }

  private mutating func lay(_ count: Int) {
    (top, starts[0], sizes[0]) = (0, 0, count)
    while sizes[top] > 16 {
      (starts[top &+ 1], sizes[top &+ 1]) = (starts[top] &+ sizes[top], (sizes[top] &+ 15) >> 4)
      top &+= 1
    }
  }

  /// Orders the edges along the curve, by their first vertices among 1,024 cells a side of the box around all.
  private mutating func sort(_ sphere: SphereEdges, _ keys: UnsafeMutablePointer<UInt64>, _ count: Int) {
    let (edges, vectors) = (sphere.edges, sphere.vectors)
    origin = vectors[Int(edges.chains[0].first)]
    var (low, high) = (origin, origin)
    for chain in 0..<edges.chainCount {
      for edge in edges.chains[chain].edges {
        let v = vectors[edge]
        low = Vector(x: min(low.x, v.x), y: min(low.y, v.y), z: min(low.z, v.z))
        high = Vector(x: max(high.x, v.x), y: max(high.y, v.y), z: max(high.z, v.z))
      }
    }
    let size = max(max(high.x - low.x, high.y - low.y), high.z - low.z)
    let scale = size > 0 ? 1023 / size : 0
    var place = 0
    for chain in 0..<edges.chainCount {
      for edge in edges.chains[chain].edges {
        let v = vectors[edge] - low
        let cell = spread(v.x * scale) | spread(v.y * scale) << 1 | spread(v.z * scale) << 2
        keys[place] = cell << 32 | UInt64(edge)
        place &+= 1
      }
    }
    var list = UnsafeMutableBufferPointer(start: keys, count: count)
    list.sort()
  }

  /// The ten bits of a number from 0 to 1,023, each the first of three.
  private func spread(_ value: Double) -> UInt64 {
    var bits = UInt64(max(0, min(1023, value)))
    bits = (bits | bits << 16) & 0x0300_00ff
    bits = (bits | bits << 8) & 0x0300_f00f
    bits = (bits | bits << 4) & 0x030c_30c3
    return (bits | bits << 2) & 0x0924_9249
  }

  /// Around the arc of an edge, which leaves its chord by less than a quarter of the chord's square. Rounding to floats keeps the
  /// order of numbers, so arcs that meet have boxes that meet.
  func box(_ sphere: SphereEdges, _ edge: Int) -> SphereBox {
    let (a, b) = sphere.ends(edge)
    let way = b - a
    let rise = 0.2500001 * (way.x * way.x + way.y * way.y + way.z * way.z) + 1e-15
    func side(_ a: Double, _ b: Double, _ origin: Double) -> (Float, Float) {
      (Float(min(a, b) - rise - origin), Float(max(a, b) + rise - origin))
    }
    let (x, y, z) = (side(a.x, b.x, origin.x), side(a.y, b.y, origin.y), side(a.z, b.z, origin.z))
    return SphereBox(low: SIMD4(x.0, y.0, z.0, 0), high: SIMD4(x.1, y.1, z.1, 0))
  }

  // MARK: - Search

  /// Calls `body` with the edges in boxes that, with all boxes around them, are wanted, until it answers false. False = it did.
  @inline(__always)
  private func walk(_ isWanted: (SphereBox) -> Bool, _ body: (_ edge: Int) -> Bool) -> Bool {
    guard let boxes, let keys, sizes[0] > 0 else { return true }
    var (level, item) = (top, 0)
    while true {
      if isWanted(boxes[starts[level] &+ item]) {
        if level > 0 {
          level &-= 1
          item = item &<< 4
          continue
        }
        if !body(CurveOrder.number(keys[item])) { return false }
      }
      item &+= 1
      while level < top && (item & 15 == 0 || item >= sizes[level]) {
        item = (item &- 1) >> 4 &+ 1
        level &+= 1
      }
      if item >= sizes[level] { return true }
    }
  }

  /// Calls `body` with the edges behind one whose boxes meet its box, until it answers false. False = it did.
  @inline(__always)
  func forEachPartner(of edge: Int, _ sphere: SphereEdges, _ body: (_ other: Int) -> Bool) -> Bool {
    let window = box(sphere, edge)
    return walk({ $0.meets(window) }) { $0 > edge ? body($0) : true }
  }

  /// Calls `body` with the edges near a great circle, until it answers false. False = it did.
  /// - Parameter normal: of the circle's plane, of any length.
  func forEachEdge(near normal: Vector, _ body: (_ edge: Int) -> Bool) -> Bool {
    let size = normal.x.magnitude + normal.y.magnitude + normal.z.magnitude
    let (least, origin) = (slack * size + 1e-15, origin)
    return walk(
      { box in
        let (low, high) = (SIMD4<Double>(box.low), SIMD4<Double>(box.high))
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5)
        let height =
          normal.x * (middle.x + origin.x) + normal.y * (middle.y + origin.y) + normal.z * (middle.z + origin.z)
        let reach = normal.x.magnitude * half.x + normal.y.magnitude * half.y + normal.z.magnitude * half.z
        return height.magnitude <= reach + least
      }, body)
  }
}
