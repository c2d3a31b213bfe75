// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// An index as relocatable bytes: a header, then the leaves in tree order as xmin, ymin, xmax, ymax, id.
///
/// Only the leaves are kept: the upper levels follow from them, so nothing in a file can lead a query out of bounds. The checksum finds damage, the checks of `PackedTree.init` find what a checksum cannot.
struct TreeHeader {
  /// "MRDTREE" and a zero, read as one number of this machine's byte order.
  static let magicNumber: UInt64 = 0x0045_4552_5444_524d
  static let currentVersion: UInt32 = 1
  /// Reads differently on a machine of the other byte order.
  static let orderMark: UInt32 = 0x0102_0304

  var magic = magicNumber
  var version = currentVersion
  var byteOrder = orderMark
  var given: Int64
  var leaves: Int64
  var checksum: UInt64
  var reserved: (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// What is wrong with the bytes as a whole, or nil.
  static func objection(to bytes: UnsafeRawPointer, size: Int) -> StaticString? {
    guard size >= MemoryLayout<TreeHeader>.size else { return "the bytes are shorter than the header of an index" }
    let header = bytes.load(as: TreeHeader.self)
    guard header.magic == magicNumber else { return "the bytes are not a native index: they start differently" }
    guard header.byteOrder == orderMark else { return "the index was saved on a machine of another byte order" }
    guard header.version == currentVersion else { return "the index has a newer format than this kernel reads" }
    guard header.leaves >= 0, header.given >= header.leaves else { return "the index has impossible counts" }
    let (payload, overflow) = header.leaves.multipliedReportingOverflow(by: Int64(MemoryLayout<IndexedBox>.stride))
    guard !overflow, payload == Int64(size - MemoryLayout<TreeHeader>.size) else {
      return "the index is truncated, or has bytes behind its end"
    }
    guard header.checksum == Self.checksum(bytes + MemoryLayout<TreeHeader>.size, words: Int(payload) / 8, header.given)
    else { return "the index is damaged: its checksum differs" }
    return nil
  }

  /// A multiplicative hash of 64-bit words (Fowler, Noll, Vo's scheme), seeded with the number of boxes.
  static func checksum(_ bytes: UnsafeRawPointer, words: Int, _ given: Int64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bitPattern: given)
    for word in 0..<words {
      hash = (hash ^ bytes.load(fromByteOffset: word &* 8, as: UInt64.self)) &* 0x100_0000_01b3
      hash ^= hash >> 29
    }
    return hash
  }
}

extension PackedTree {
  /// Writes the index to `target`, which holds `byteCount` bytes.
  func write(to target: UnsafeMutableRawPointer) {
    let payload = target + MemoryLayout<TreeHeader>.size
    payload.copyMemory(from: leaves, byteCount: count * MemoryLayout<IndexedBox>.stride)
    let words = count * MemoryLayout<IndexedBox>.stride / 8
    target.storeBytes(
      of: TreeHeader(
        given: Int64(given), leaves: Int64(count), checksum: TreeHeader.checksum(payload, words: words, Int64(given))),
      as: TreeHeader.self)
  }

  /// Bytes that `write` needs.
  var byteCount: Int { MemoryLayout<TreeHeader>.size + count * MemoryLayout<IndexedBox>.stride }
}
