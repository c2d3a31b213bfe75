// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Memory that outlives a call, uninitialised and aligned to 64 bytes; freed with the last reference. For things without a
/// destructor.
final class HandleMemory {
  private let block: UnsafeMutableRawPointer
  private let start: UnsafeMutableRawPointer

  private init(_ block: UnsafeMutableRawPointer) {
    self.block = block
    start = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: block) &+ 63) & ~63) ?? block
  }

  deinit { free(block) }

  /// nil = no memory.
  static func room<Element: BitwiseCopyable>(for count: Int, _ type: Element.Type) -> HandleMemory? {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard count >= 0, !overflow, bytes < Int.max - 64, let block = malloc(UInt(bytes &+ 64)) else { return nil }
    mrdk_will_fill(block, UInt(bytes &+ 64))
    return HandleMemory(block)
  }

  func pointer<Element: BitwiseCopyable>(to type: Element.Type) -> UnsafeMutablePointer<Element> {
    start.assumingMemoryBound(to: type)
  }
}

/// A list in the scratch memory of a call: it grows by doubling, and is gone with the call. After a failed growth `failed`
/// is set and further values are dropped.
struct ScratchList<Element: BitwiseCopyable> {
  private let call: UnsafeMutablePointer<mrd_call>
  private var base: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0
  private(set) var failed = false

  init(_ call: UnsafeMutablePointer<mrd_call>) { self.call = call }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { base.unsafelyUnwrapped[index] }
    set { base.unsafelyUnwrapped[index] = newValue }
  }

  var last: Element? { count > 0 ? self[count &- 1] : nil }

  @inline(__always)
  mutating func append(_ value: Element) {
    if count == capacity { grow() }
    guard !failed else { return }
    base.unsafelyUnwrapped[count] = value
    count &+= 1
  }

  /// Makes room for further values that are set later.
  mutating func extend(by values: Int) {
    while capacity &- count < values && !failed { grow() }
    if !failed { count &+= values }
  }

  @inline(__always)
  mutating func truncate(_ count: Int) { self.count = min(self.count, count) }

  /// Where a value is.
  @inline(__always)
  func address(_ index: Int) -> UnsafePointer<Element> { UnsafePointer(base.unsafelyUnwrapped) + index }

  /// Makes room for as many values as will probably come.
  mutating func reserve(_ count: Int) {
    if count > capacity { grow(to: count) }
  }

  private mutating func grow() { grow(to: max(64, capacity &* 2)) }

  private mutating func grow(to room: Int) {
    let (bytes, overflow) = room.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !failed, !overflow, let memory = call.pointee.scratch(call, Int64(bytes), 64) else {
      failed = true
      return
    }
    let fresh = memory.bindMemory(to: Element.self, capacity: room)
    if let base { fresh.update(from: base, count: count) }
    base = fresh
    capacity = room
  }

  /// `append` for work that stops where memory ends.
  @inline(__always)
  mutating func push(_ value: Element) throws(Stop) {
    append(value)
    if failed { throw .memory }
  }

  /// Makes the list `count` long; what is new is not initialised.
  mutating func resize(_ count: Int) throws(Stop) {
    if count > capacity { grow(to: max(64, count, capacity &* 2)) }
    if failed { throw .memory }
    self.count = count
  }

  /// Makes the list `count` times one value.
  mutating func fill(_ count: Int, _ value: Element) throws(Stop) {
    try resize(count)
    base?.update(repeating: value, count: count)
  }

  /// Where the elements are until the list grows; for a list that never had one some place or other, where nothing is.
  @inline(__always)
  var start: UnsafeMutablePointer<Element> {
    base ?? UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  mutating func sort(_ part: Range<Int>, by comesBefore: (Element, Element) -> Bool) {
    guard let base, part.count > 1 else { return }
    var elements = UnsafeMutableBufferPointer(start: base + part.lowerBound, count: part.count)
    elements.sort(by: comesBefore)
  }

  mutating func sort(by comesBefore: (Element, Element) -> Bool) { sort(0..<count, by: comesBefore) }
}

/// Why the work on a call or on one of its rows stops.
enum Stop: Error {
  case memory
  case cancelled
  /// A row has more contacts, or more coordinates, than are worked on.
  case limit
  /// Rounding leaves a row in a form that cannot be mended within the bound.
  case notApplied
}

/// `count` values in the scratch memory of a call; nil = no memory.
func scratch<Element: BitwiseCopyable>(
  _ call: UnsafeMutablePointer<mrd_call>, _ count: Int, of type: Element.Type
) -> UnsafeMutablePointer<Element>? {
  let (bytes, overflow) = max(1, count).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
  guard !overflow else { return nil }
  return call.pointee.scratch(call, Int64(bytes), 64)?.bindMemory(to: type, capacity: count)
}

/// Memory of a call that is asked for again and again, row after row: it only ever grows, at least by doubling, and what it
/// held is lost when it does.
struct ScratchRoom<Element: BitwiseCopyable> {
  private let call: UnsafeMutablePointer<mrd_call>
  private var base: UnsafeMutablePointer<Element>?
  private var capacity = 0

  init(_ call: UnsafeMutablePointer<mrd_call>) { self.call = call }

  /// Room for `count` values; nil = no memory.
  @inline(__always)
  mutating func room(for count: Int) -> UnsafeMutablePointer<Element>? {
    if count <= capacity, let base { return base }
    return grow(count)
  }

  private mutating func grow(_ count: Int) -> UnsafeMutablePointer<Element>? {
    let room = base == nil ? count : max(count, capacity &* 2)
    guard let fresh = scratch(call, room, of: Element.self) else { return nil }
    base = fresh
    capacity = room
    return fresh
  }
}
