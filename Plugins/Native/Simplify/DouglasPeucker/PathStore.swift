// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// The vertices of some paths side by side in scratch memory, x and y apart, in the plane where distances are taken. A ring
/// begins with its least vertex, (x, y), and ends with it again, so that nothing depends on where the input starts it.
struct PathStore {
  /// Where a path lies.
  struct Path {
    /// The first coordinate of the input, and how many vertices are stored.
    let first: Int
    let count: Int
    let start: Int
    /// How many vertices of a ring come before its least one.
    let turn: Int
    let isRing: Bool

    var last: Int { start &+ count &- 1 }

    /// The coordinate of the input that is stored at a place.
    @inline(__always)
    func coordinate(_ place: Int) -> Int {
      guard isRing else { return first &+ place &- start }
      let offset = place &- start &+ turn
      return first &+ (offset >= count &- 1 ? offset &- (count &- 1) : offset)
    }
  }

  let x: UnsafeMutablePointer<Double>
  let y: UnsafeMutablePointer<Double>
  /// On how many levels a vertex stays.
  let marks: UnsafeMutablePointer<UInt8>
  let plane: TolerancePlane
  /// Lengths of a unit of x and y at each vertex, for tolerances in metres.
  let scales: (wide: UnsafeMutablePointer<Double>, high: UnsafeMutablePointer<Double>)?
  private(set) var count = 0

  /// `capacity`: vertices, those that close rings included. nil = no memory.
  init?(capacity: Int, _ plane: TolerancePlane, _ call: UnsafeMutablePointer<mrd_call>) {
    // Vectors read vertices behind the last one; what is there does not matter, but that it is a number.
    let room = capacity + 80
    guard let x = scratch(call, room, of: Double.self), let y = scratch(call, room, of: Double.self),
      let marks = scratch(call, room, of: UInt8.self)
    else { return nil }
    x.update(repeating: 0, count: room)
    y.update(repeating: 0, count: room)
    self.x = x
    self.y = y
    self.marks = marks
    self.plane = plane
    guard plane.isScaled else {
      scales = nil
      return
    }
    guard let wide = scratch(call, room, of: Double.self), let high = scratch(call, room, of: Double.self) else {
      return nil
    }
    wide.update(repeating: 0, count: room)
    high.update(repeating: 0, count: room)
    scales = (wide, high)
  }

  @inline(__always)
  func place(_ index: Int) -> Place { Place(x: x[index], y: y[index]) }

  mutating func clear() { count = 0 }

  /// Takes a line with all its vertices, or a closed ring of at least four.
  mutating func add(_ geoms: Geoms, _ range: Range<Int>, isRing: Bool) -> Path {
    let start = count
    var turn = 0
    if isRing {
      let size = range.count &- 1
      turn = leastVertex(geoms, range.lowerBound, size)
      copy(geoms, range.lowerBound &+ turn, size &- turn)
      copy(geoms, range.lowerBound, turn &+ 1)
    } else {
      copy(geoms, range.lowerBound, range.count)
    }
    (marks + start).update(repeating: 0, count: count &- start)
    plane.enter(x, y, start..<count, scales)
    return Path(first: range.lowerBound, count: count &- start, start: start, turn: turn, isRing: isRing)
  }

  private mutating func copy(_ geoms: Geoms, _ first: Int, _ size: Int) {
    copy(geoms.raw.coords.v.0, Int(geoms.raw.coords.stride.0), first, size, x + count)
    copy(geoms.raw.coords.v.1, Int(geoms.raw.coords.stride.1), first, size, y + count)
    count &+= size
  }

  private func copy(
    _ base: UnsafePointer<Double>?, _ stride: Int, _ first: Int, _ size: Int, _ target: UnsafeMutablePointer<Double>
  ) {
    guard let base else { return }
    // Copied as bytes: pointers of doubles would be copied value by value.
    if stride == 8 { return UnsafeMutableRawPointer(target).copyMemory(from: base + first, byteCount: 8 &* size) }
    let bytes = UnsafeRawPointer(base) + (first &* stride)
    for index in 0..<size { target[index] = bytes.load(fromByteOffset: index &* stride, as: Double.self) }
  }

  private func leastVertex(_ geoms: Geoms, _ first: Int, _ size: Int) -> Int {
    let (v, stride) = (geoms.raw.coords.v, geoms.raw.coords.stride)
    if stride.0 == 8, stride.1 == 8, let xs = v.0, let ys = v.1 {
      return Int(mrdk_least_place(xs + first, ys + first, UInt(size)))
    }
    var least = 0
    for index in 1..<size where geoms.place(first &+ index) < geoms.place(first &+ least) { least = index }
    return least
  }

  /// Writes the marks of a path where its coordinates are in the input; the closing one of a ring has the first one's.
  func copyMarks(_ path: Path, to target: UnsafeMutablePointer<UInt8>) {
    let (bytes, from) = (UnsafeMutableRawPointer(target), marks + path.start)
    guard path.isRing else { return bytes.copyMemory(from: from, byteCount: path.count) }
    let size = path.count &- 1
    (bytes + path.turn).copyMemory(from: from, byteCount: size &- path.turn)
    bytes.copyMemory(from: from + (size &- path.turn), byteCount: path.turn)
    target[size] = target[0]
  }
}
