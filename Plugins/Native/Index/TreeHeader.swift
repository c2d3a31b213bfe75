// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The first bytes of an index.
struct TreeHeader {
  /// "MRDTREE" and a zero, read as one number of this machine's byte order.
  static let magicNumber: UInt64 = 0x0045_4552_5444_524d
  static let currentVersion: UInt32 = 2
  /// Reads differently on a machine of the other byte order.
  static let orderMark: UInt32 = 0x0102_0304

  var magic = magicNumber
  var version = currentVersion
  var byteOrder = orderMark
  /// Over all that is behind it: the rest of the header, and the nodes.
  var checksum: UInt64 = 0
  /// How many boxes the index was built from, and how many of them are in it: the others are never hit.
  var given: Int64
  var count: Int64
  /// Of all boxes that are in it.
  var bounds: Box
  var frame: CellFrame
  /// 1 for boxes of curved edges, whose longitudes count modulo 360.
  var curved: UInt64 = 0
  var reserved: (UInt64, UInt64, UInt64) = (0, 0, 0)

  var isCurved: Bool { curved == 1 }

  /// What is wrong with the bytes of an index, or nil. What is right is safe to query.
  static func objection(to bytes: UnsafeRawPointer, size: Int) -> StaticString? {
    guard size >= TreeShape.headerBytes else { return "the bytes are shorter than the header of an index" }
    let header = bytes.load(as: TreeHeader.self)
    guard header.magic == magicNumber else { return "the bytes are not a native index: they start differently" }
    guard header.byteOrder == orderMark else { return "the index was saved on a machine of another byte order" }
    guard header.version == currentVersion else { return "the index has a format that this kernel does not read" }
    guard header.curved <= 1 else { return "the index has boxes of a kind that this kernel does not know" }
    guard header.count >= 0, header.given >= header.count, header.given <= TreeShape.mostItems else {
      return "the index has impossible counts"
    }
    guard BoxTree.shape(count: Int(header.count)).bytes == size else {
      return "the index is truncated, or has bytes behind its end"
    }
    guard header.checksum == checksum(bytes, size: size) else { return "the index is damaged: its checksum differs" }
    return nil
  }

  /// Of bytes whose size is a multiple of 64: eight multiplicative hashes side by side (after Fowler, Noll, Vo), and one of
  /// them.
  static func checksum(_ bytes: UnsafeRawPointer, size: Int) -> UInt64 {
    let prime = SIMD8<UInt64>(repeating: 0x100_0000_01b3)
    var hashes = SIMD8<UInt64>(0, 1, 2, 3, 4, 5, 6, 7) &+ 0xcbf2_9ce4_8422_2325
    var offset = 0
    while offset < size {
      var words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
      // The checksum itself, and what was looked at before it.
      if offset == 0 { words[0] = 0; words[1] = 0; words[2] = 0 }
      hashes = (hashes ^ words) &* prime
      hashes ^= hashes &>> 29
      offset &+= 64
    }
    var hash: UInt64 = 0
    for lane in 0..<8 { hash = (hash ^ hashes[lane]) &* 0x100_0000_01b3 }
    return hash ^ (hash >> 32)
  }
}
