// SPDX-License-Identifier: Apache-2.0
import CPlatform
import CSimdjson

/// A file or standard input as a sliding window of bytes: parsers look at `unread`, ask for `more` when an item does not
/// end in it, and `consume` what they are done with. Memory is bounded by the largest item.
///
/// `MRDJ_PADDING` readable bytes follow the window, as simdjson wants them. Not thread-safe.
final class ByteSource {
  /// How much is asked of the system at once, unless a test wants small windows.
  static let windowSize = 1 << 20

  /// As the user gave it; "-" is standard input.
  let file: String
  /// Size of a regular file, nil for pipes and devices.
  let size: Int?
  /// True when nothing follows the window.
  private(set) var isAtEnd = false

  /// Where the bytes come from: a file descriptor, or memory that is given.
  private enum Origin {
    case descriptor(Int32)
    case memory(ArraySlice<UInt8>)
  }

  private var origin: Origin
  private let windowSize: Int
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  /// The window is `start..<end` of the memory.
  private var start = 0
  private var end = 0
  /// Offset in the file of the first byte of the memory.
  private var memoryOffset = 0
  /// A place in the file whose line is known, so that lines are counted once.
  private var known = (offset: 0, line: 1)

  init(_ file: String) throws(FormatError) {
    self.file = file
    windowSize = Self.windowSize
    let descriptor = file == "-" ? 0 : mrdp_open(file, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
    var status = stat()
    let known = fstat(descriptor, &status) == 0
    if known, mrdp_is_directory(&status) != 0 {
      if descriptor != 0 { close(descriptor) }
      throw FormatError(file: file, reason: systemMessage(EISDIR))
    }
    size = known && mrdp_is_regular(&status) != 0 ? Int(status.st_size) : nil
    origin = .descriptor(descriptor)
    capacity = min(Self.windowSize, max(4096, (size ?? Self.windowSize) &+ 1))
    memory = .allocate(byteCount: capacity + Int(MRDJ_PADDING), alignment: 64)
  }

  /// Bytes in memory under the name `file`, looked at through windows of `windowSize`.
  init(_ bytes: [UInt8], file: String, windowSize: Int = ByteSource.windowSize) {
    self.file = file
    self.windowSize = max(1, windowSize)
    size = bytes.count
    origin = .memory(bytes[...])
    capacity = self.windowSize
    memory = .allocate(byteCount: capacity + Int(MRDJ_PADDING), alignment: 64)
  }

  deinit {
    memory.deallocate()
    if case .descriptor(let descriptor) = origin, descriptor != 0 { close(descriptor) }
  }

  // MARK: - The window

  /// The bytes that were read and not consumed. Valid until `more`.
  var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory + start, count: end - start) }

  /// Offset of the window in the file.
  var offset: Int { memoryOffset + start }

  var fractionRead: Double? {
    guard let size else { return nil }
    return size == 0 ? 1 : min(1, Double(offset) / Double(size))
  }

  /// Drops the first `count` bytes of the window.
  func consume(_ count: Int) { start = min(end, start + max(0, count)) }

  /// Lengthens the window, to twice its length when there is that much, so that an item that is looked at again and
  /// again costs linear time. False at the end of the input.
  func more() throws(FormatError) -> Bool {
    guard !isAtEnd else { return false }
    let unreadCount = end - start
    compact(room: max(windowSize, unreadCount))
    let wanted = max(1, unreadCount)
    var got = 0
    while got < wanted {
      let count = fetch(memory + end, capacity - end)
      if count < 0 && mrdp_errno() == EINTR { continue }
      guard count >= 0 else { throw error("reading failed: " + systemMessage(mrdp_errno())) }
      if count == 0 {
        isAtEnd = true
        break
      }
      end += count
      got += count
    }
    memset(memory + end, 0x20, Int(MRDJ_PADDING))
    return got > 0
  }

  /// `read` from wherever the bytes come.
  private func fetch(_ target: UnsafeMutableRawPointer, _ room: Int) -> Int {
    switch origin {
    case .descriptor(let descriptor): return read(descriptor, target, room)
    case .memory(let rest):
      let part = rest.prefix(min(room, windowSize))
      part.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: target, count: room).copyMemory(from: $0) }
      origin = .memory(rest.dropFirst(part.count))
      return part.count
    }
  }

  /// Moves the window to the front and makes room behind it.
  private func compact(room: Int) {
    if start > 0 {
      _ = line(at: 0)
      memmove(memory, memory + start, end - start)
      memoryOffset += start
      end -= start
      start = 0
    }
    guard end + room > capacity, end > 0 else { return }
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: end + room + Int(MRDJ_PADDING), alignment: 64)
    memcpy(fresh, memory, end)
    memory.deallocate()
    memory = fresh
    capacity = end + room
  }

  // MARK: - Places

  /// The line, counted from 1, of a byte of the window.
  func line(at position: Int) -> Int {
    let target = offset + min(max(0, position), end - start)
    if target < known.offset { return lineBackwards(to: target) }
    let from = max(0, known.offset - memoryOffset)
    let text = UnsafeRawPointer(memory + from).assumingMemoryBound(to: CChar.self)
    known.line += mrdj_count_newlines(text, max(0, target - memoryOffset - from))
    known.offset = target
    return known.line
  }

  private func lineBackwards(to target: Int) -> Int {
    let from = max(0, target - memoryOffset)
    let text = UnsafeRawPointer(memory + from).assumingMemoryBound(to: CChar.self)
    return known.line - mrdj_count_newlines(text, known.offset - max(target, memoryOffset))
  }

  /// An error about the file at a byte of the window.
  func error(_ reason: String, at position: Int, row: Int? = nil) -> FormatError {
    FormatError(file: file, row: row, byte: offset + position, line: line(at: position), reason: reason)
  }

  /// An error about the file as a whole.
  func error(_ reason: String) -> FormatError { FormatError(file: file, reason: reason) }

  /// A problem of a row at a byte of the window.
  func problem(_ reason: String, row: Int, at position: Int) -> RowProblem {
    RowProblem(row: row, byte: offset + position, line: line(at: position), reason: reason)
  }
}

// MARK: - Helps for parsers

extension ByteSource {
  /// The byte at a place of the window, reading on until it is there; nil behind the end of the input.
  func byte(at position: Int) throws(FormatError) -> UInt8? {
    while position >= unread.count {
      guard try more() else { return nil }
    }
    return unread[position]
  }

  /// The first place from `position` on whose byte is not blank (space, tab, CR, LF).
  func skipBlanks(from position: Int = 0) throws(FormatError) -> Int {
    var position = position
    while let byte = try byte(at: position), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    return position
  }

  /// The first place of `byte` from `position` on, or nil when there is none until the end of the input.
  func find(_ byte: UInt8, from position: Int) throws(FormatError) -> Int? {
    var position = position
    while true {
      let bytes = unread
      if position < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + position, Int32(byte), bytes.count - position)
      {
        return UnsafeRawPointer(found) - base
      }
      position = max(position, bytes.count)
      guard try more() else { return nil }
    }
  }

  /// Consumes a UTF-8 byte order mark at the start of the input. True when there was one.
  func skipByteOrderMark() throws(FormatError) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for (position, expected) in mark.enumerated() {
      guard try byte(at: position) == expected else { return false }
    }
    consume(mark.count)
    return true
  }
}
