// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

/// How an index is framed as bytes. All numbers are in the byte order of the machine that wrote them, which `order` shows;
/// the SQLite image itself is the same on every machine.
///
///     offset  bytes
///     0       8   magic "MRDSQIX\0"
///     8       4   version, 1
///     12      4   order, 0x01020304
///     16      8   length of the image
///     24      8   checksum of the image, `checksum` below
///     32      -   an SQLite database with the tables of `Schema`
enum Frame {
  static let size = 32
  private static let version: UInt32 = 1
  private static let order: UInt32 = 0x0102_0304
  /// "MRDSQIX\0" read as a little-endian number.
  private static let magic: UInt64 = 0x0058_4951_5344_524d

  static func write(image: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer) {
    target.storeBytes(of: magic.littleEndian, as: UInt64.self)
    target.storeBytes(of: version, toByteOffset: 8, as: UInt32.self)
    target.storeBytes(of: order, toByteOffset: 12, as: UInt32.self)
    target.storeBytes(of: UInt64(count), toByteOffset: 16, as: UInt64.self)
    target.storeBytes(of: checksum(image, count), toByteOffset: 24, as: UInt64.self)
    (target + size).copyMemory(from: image, byteCount: count)
  }

  /// Length of the image behind the frame.
  static func check(_ bytes: UnsafeRawPointer, _ count: Int) throws(Failure) -> Int {
    func refuse(_ text: StaticString) -> Failure { Failure(MRD_E_ARGUMENT, text) }
    guard count >= size else { throw refuse("not an index: shorter than its header") }
    guard bytes.loadUnaligned(as: UInt64.self) == magic.littleEndian else {
      throw refuse("not an index of this kernel: the first bytes are others")
    }
    guard bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == order else {
      throw refuse("the index was written on a machine with another byte order")
    }
    guard bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == version else {
      throw Failure(MRD_E_UNSUPPORTED, "the index has a format version that this kernel does not read")
    }
    let length = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    guard length == UInt64(count - size) else { throw refuse("the index is cut short or has bytes behind its end") }
    guard bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self) == checksum(bytes + size, count - size) else {
      throw refuse("the index is damaged: its checksum is wrong")
    }
    return count - size
  }

  /// FNV-1a over 64-bit little-endian words, then over the last bytes. It finds accidents, not forgers: `Schema.check`
  /// looks at what the bytes say.
  private static func checksum(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var at = 0
    while at + 8 <= count {
      hash = (hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))) &* 0x100_0000_01b3
      at += 8
    }
    while at < count {
      hash = (hash ^ UInt64(bytes.load(fromByteOffset: at, as: UInt8.self))) &* 0x100_0000_01b3
      at += 1
    }
    return hash
  }
}

extension SQLiteIndex {
  /// SAVE into MRD_BUF_BYTES.
  func save(_ call: UnsafeMutablePointer<mrd_call>) throws(Failure) {
    var length: Int64 = 0
    // NOCOPY succeeds for an index that was opened from bytes; the others need a copy of SQLite's.
    let borrowed = sqlite3_serialize(database.handle, "main", &length, UInt32(SQLITE_SERIALIZE_NOCOPY))
    let copied = borrowed == nil ? sqlite3_serialize(database.handle, "main", &length, 0) : nil
    defer { sqlite3_free(copied) }
    guard let image = borrowed ?? copied else { throw Failure(MRD_E_MEMORY, "no memory for the bytes of the index") }
    guard let target = call.pointee.grow(call, MRD_BUF_BYTES, length + Int64(Frame.size)) else {
      throw Failure(MRD_E_MEMORY, "no memory for the bytes of the index")
    }
    Frame.write(image: image, count: Int(length), to: target)
  }

  /// OPEN from bytes, which stay the caller's. The handle is read-only.
  static func open(
    _ bytes: UnsafeRawPointer, size: Int, _ call: UnsafeMutablePointer<mrd_call>
  ) throws(Failure) -> SQLiteIndex {
    let length = try Frame.check(bytes, size)
    do throws(Failure) {
      let database = try Database.borrowed(bytes + Frame.size, size: length)
      return try open(database, readOnly: true, inFile: false, call)
    } catch {
      // Nothing was read from a file: what SQLite calls a broken file is a broken argument here.
      throw error.status == MRD_E_IO ? error.with(status: MRD_E_ARGUMENT) : error
    }
  }
}
