// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Sizes that version 0.1 of the ABI fixed: appending members never changes them. Embedded Swift has no key paths to
/// ask for offsets with; the tests hold these against the headers.
enum LeastSize {
  /// A family's table up to and including `info`, the first slot behind two 32-bit words.
  static let family = 8 + word
  /// `mrd_plugin` up to and including `get_family`: two 32-bit words, six strings, `init`, `get_family`.
  static let plugin = 8 + 8 * word
  /// `mrd_op_info` up to and including `method`: eight 32-bit words, five doubles, a string.
  static let info = 8 * 4 + 5 * 8 + word

  private static let word = MemoryLayout<UnsafeRawPointer>.size
}

/// The size of a family's table in this host's headers.
func tableSize(_ family: Family) -> Int {
  switch family {
  case .measure: MemoryLayout<mrd_family_measure>.size
  case .validate: MemoryLayout<mrd_family_validate>.size
  case .simplify: MemoryLayout<mrd_family_simplify>.size
  case .snap: MemoryLayout<mrd_family_snap>.size
  case .index: MemoryLayout<mrd_family_index>.size
  }
}

/// True when the `info` slot of a table is filled.
func hasInfo(_ family: Family, _ table: UnsafeRawPointer) -> Bool {
  switch family {
  case .measure: table.assumingMemoryBound(to: mrd_family_measure.self).pointee.info != nil
  case .validate: table.assumingMemoryBound(to: mrd_family_validate.self).pointee.info != nil
  case .simplify: table.assumingMemoryBound(to: mrd_family_simplify.self).pointee.info != nil
  case .snap: table.assumingMemoryBound(to: mrd_family_snap.self).pointee.info != nil
  case .index: table.assumingMemoryBound(to: mrd_family_index.self).pointee.info != nil
  }
}

/// A struct that begins with `struct_size`, as long as this host knows it. A longer or equal one is used where it is,
/// its tail unread; a shorter one is copied, zeros behind, and the copy lives as long as the process: so does the
/// plug-in it came from.
func fullSize(_ source: UnsafeRawPointer, size: Int) -> UnsafeRawPointer {
  let given = Int(source.load(as: UInt32.self))
  guard given < size else { return source }
  let copy = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
  copy.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  copy.copyMemory(from: source, byteCount: given)
  return UnsafeRawPointer(copy)
}

/// A declaration at full size; nil when it is shorter than version 0.1 made it, or names no method.
func fullSizeInfo(_ info: UnsafePointer<mrd_op_info>?) -> UnsafePointer<mrd_op_info>? {
  guard let info, Int(info.pointee.struct_size) >= LeastSize.info, info.pointee.method != nil else { return nil }
  return fullSize(info, size: MemoryLayout<mrd_op_info>.size).assumingMemoryBound(to: mrd_op_info.self)
}
