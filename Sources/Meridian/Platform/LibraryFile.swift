// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// The file of a shared library before it is loaded. The system's loader maps what an ELF header promises, whether the
/// file is that long or not; the first touch of a missing page then ends the process with SIGBUS. So a file that was cut
/// short, as by a copy that was interrupted, must not get there.
enum LibraryFile {
  /// False when an ELF file of 64 bits ends before its segments do. Of other files the loader speaks for itself.
  static func isWhole(_ path: String) throws(FileError) -> Bool {
    let file = mrdp_open_for_reading(path)
    guard file >= 0 else { throw .last() }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last() }
    let size = UInt64(clamping: status.st_size)
    guard let header = read(file, at: 0, count: headerSize), isELF64(header) else { return true }
    let (start, each) = (word(header, 32), half(header, 54))
    guard each >= segmentSize, let table = read(file, at: start, count: each * half(header, 56)) else { return false }
    return stride(from: 0, to: table.count, by: each).allSatisfy { segment in
      let (end, overflow) = word(table, segment + 8).addingReportingOverflow(word(table, segment + 32))
      return !overflow && end <= size
    }
  }

  private static let headerSize = 64
  private static let segmentSize = 56

  /// In the byte order of this machine; libraries of another are the loader's to refuse.
  private static func isELF64(_ header: [UInt8]) -> Bool {
    let little: UInt8 = 1
    return header[0] == 0x7f && header[1] == 0x45 && header[2] == 0x4c && header[3] == 0x46 && header[4] == 2
      && header[5] == little
  }

  /// `count` bytes, or nil when the file does not have them.
  private static func read(_ file: Int32, at offset: UInt64, count: Int) -> [UInt8]? {
    guard let offset = off_t(exactly: offset) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, count, offset) }
    return got == count ? bytes : nil
  }

  private static func half(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
  }
}
