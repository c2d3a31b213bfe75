// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A number that is waiting with its key, a double that is not negative, as bits: those have the order of the doubles.
struct KeyEntry {
  let key: UInt64
  let number: Int32
  let pad: Int32

  @inline(__always)
  init(_ key: UInt64, _ number: Int32) {
    self.key = key
    self.number = number
    pad = 0
  }
}

/// A queue whose least key never descends: what is put in counts at least as much as what was taken last (a radix heap:
/// Ahuja, Mehlhorn, Orlin, Tarjan 1990, with digits of eight bits). Entries wait in buckets by the highest digit in which
/// they differ from the last key; a bucket is spread over lower ones when its turn comes, and few entries at once go into
/// a small binary heap. So an entry moves two or three times instead of up and down a large heap, and always to the end
/// of a list.
///
/// Entries are not removed: whoever takes one asks whether it still holds.
struct KeyQueue {
  private static let chunk = 32
  private static let buckets = 8 * 256
  /// A bucket of so many goes into the heap as it is.
  private static let small = 24

  private var pool: ScratchList<KeyEntry>
  private var links: ScratchList<Int32>
  private var free: Int32 = -1
  private let heads: UnsafeMutablePointer<Int32>
  /// Entries in the first chunk of a bucket.
  private let fills: UnsafeMutablePointer<Int32>
  /// Bits of the digits that have entries, four words a level.
  private let present: UnsafeMutablePointer<UInt64>
  private var heap: ScratchList<KeyEntry>
  /// Keys below it belong into the heap.
  private var heapEnd: UInt64 = 0
  private var last: UInt64 = 0

  /// True when memory ran out: entries are missing.
  var failed: Bool { pool.failed || links.failed || heap.failed }

  /// nil = no memory.
  init?(_ call: UnsafeMutablePointer<mrd_call>) {
    guard let heads = scratch(call, KeyQueue.buckets, of: Int32.self),
      let fills = scratch(call, KeyQueue.buckets, of: Int32.self), let present = scratch(call, 32, of: UInt64.self)
    else { return nil }
    heads.update(repeating: -1, count: KeyQueue.buckets)
    fills.update(repeating: 0, count: KeyQueue.buckets)
    present.update(repeating: 0, count: 32)
    self.heads = heads
    self.fills = fills
    self.present = present
    pool = ScratchList(call)
    links = ScratchList(call)
    heap = ScratchList(call)
  }

  /// Empties it: the next keys may be any.
  mutating func clear() {
    for word in 0..<32 {
      while present[word] != 0 {
        let bucket = word &* 64 &+ present[word].trailingZeroBitCount
        present[word] &= present[word] &- 1
        heads[bucket] = -1
        fills[bucket] = 0
      }
    }
    pool.truncate(0)
    links.truncate(0)
    heap.truncate(0)
    free = -1
    (heapEnd, last) = (0, 0)
  }

  /// `comesBefore` orders numbers whose keys are equal.
  @inline(__always)
  mutating func push(_ key: Double, _ number: Int, _ comesBefore: (Int32, Int32) -> Bool) {
    // Minus zero has no place in the order of the bits.
    let bits = max((key + 0).bitPattern, last)
    let entry = KeyEntry(bits, Int32(truncatingIfNeeded: number))
    if bits < heapEnd { pushHeap(entry, comesBefore) } else { append(entry) }
  }

  /// The number with the least key that `holds`; nil when there is none, or memory ran out.
  @inline(__always)
  mutating func pop(
    holds: (KeyEntry) -> Bool, comesBefore: (Int32, Int32) -> Bool, willCome: (Int32) -> Void
  ) -> KeyEntry? {
    while !failed {
      while heap.count > 0 {
        let entry = popHeap(comesBefore)
        if holds(entry) { return entry }
      }
      guard openBucket(holds: holds, comesBefore, willCome) else { return nil }
    }
    return nil
  }

  // MARK: - Buckets

  @inline(__always)
  private mutating func append(_ entry: KeyEntry) {
    let difference = entry.key ^ last
    let level = difference == 0 ? 0 : (63 &- difference.leadingZeroBitCount) >> 3
    let digit = Int(truncatingIfNeeded: (entry.key &>> UInt64(8 &* level)) & 255)
    let bucket = level &* 256 &+ digit
    var fill = Int(fills[bucket])
    if heads[bucket] < 0 || fill == KeyQueue.chunk {
      guard addChunk(bucket) else { return }
      fill = 0
    }
    pool[Int(heads[bucket]) &* KeyQueue.chunk &+ fill] = entry
    fills[bucket] = Int32(truncatingIfNeeded: fill &+ 1)
    present[bucket >> 6] |= 1 &<< UInt64(bucket & 63)
  }

  private mutating func addChunk(_ bucket: Int) -> Bool {
    var chunk = free
    if chunk >= 0 {
      free = links[Int(chunk)]
    } else {
      chunk = Int32(truncatingIfNeeded: links.count)
      links.append(-1)
      pool.extend(by: KeyQueue.chunk)
      guard !failed else { return false }
    }
    links[Int(chunk)] = heads[bucket]
    heads[bucket] = chunk
    return true
  }

  /// Takes the bucket with the least keys apart. False = all are empty.
  private mutating func openBucket(
    holds: (KeyEntry) -> Bool, _ comesBefore: (Int32, Int32) -> Bool, _ willCome: (Int32) -> Void
  ) -> Bool {
    var word = 0
    while word < 32 && present[word] == 0 { word &+= 1 }
    guard word < 32 else { return false }
    let bucket = word &* 64 &+ present[word].trailingZeroBitCount
    present[word] &= present[word] &- 1
    let (level, digit) = (bucket >> 8, UInt64(bucket & 255))
    let shift = UInt64(8 &* level)
    // The least key that can be there: nothing is before it any more.
    let prefix = level == 7 ? 0 : (last &>> (shift &+ 8)) &<< (shift &+ 8)
    last = prefix | digit &<< shift
    var chunk = heads[bucket]
    var fill = Int(fills[bucket])
    let isSmall = level == 0 || (links[Int(chunk)] < 0 && fill <= KeyQueue.small)
    // Keys equal to `last` have no digit to differ in.
    heapEnd = isSmall ? last &+ (1 &<< shift) : last &+ 1
    heads[bucket] = -1
    fills[bucket] = 0
    while chunk >= 0 && !failed {
      for index in 0..<fill {
        let entry = pool[Int(chunk) &* KeyQueue.chunk &+ index]
        guard holds(entry) else { continue }
        if entry.key < heapEnd {
          willCome(entry.number)
          pushHeap(entry, comesBefore)
        } else {
          append(entry)
        }
      }
      let next = links[Int(chunk)]
      links[Int(chunk)] = free
      free = chunk
      chunk = next
      fill = KeyQueue.chunk
    }
    return true
  }

  // MARK: - The heap

  @inline(__always)
  private func isLess(_ a: KeyEntry, _ b: KeyEntry, _ comesBefore: (Int32, Int32) -> Bool) -> Bool {
    a.key != b.key ? a.key < b.key : comesBefore(a.number, b.number)
  }

  @inline(__always)
  private mutating func pushHeap(_ entry: KeyEntry, _ comesBefore: (Int32, Int32) -> Bool) {
    heap.append(entry)
    guard !heap.failed else { return }
    var index = heap.count &- 1
    while index > 0 {
      let parent = (index &- 1) >> 1
      if !isLess(entry, heap[parent], comesBefore) { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  @inline(__always)
  private mutating func popHeap(_ comesBefore: (Int32, Int32) -> Bool) -> KeyEntry {
    let top = heap[0]
    let count = heap.count &- 1
    let entry = heap[count]
    heap.truncate(count)
    var index = 0
    while true {
      var child = 2 &* index &+ 1
      if child >= count { break }
      if child &+ 1 < count && isLess(heap[child &+ 1], heap[child], comesBefore) { child &+= 1 }
      if !isLess(heap[child], entry, comesBefore) { break }
      heap[index] = heap[child]
      index = child
    }
    if count > 0 { heap[index] = entry }
    return top
  }
}
