// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Reads files of WKB: geometries one behind the other in binary, or one a line in hexadecimal (with or without `\x` in
/// front), which the first byte tells. In hexadecimal the word `NULL` is a row without a geometry, and a bad line is one
/// bad row; in binary nothing says where the next geometry begins, so an error ends the reading.
public final class WKBFileReader: StreamReader {
  private enum Form {
    case binary
    case hexadecimal
  }

  private let form: Form
  /// The bytes of one line of digits.
  private var scratch: [UInt8] = []

  init(_ source: ByteSource, model: GeometryModel? = nil) throws(FormatError) {
    let first = try source.byte(at: 0)
    form = first == 0 || first == 1 ? .binary : .hexadecimal
    super.init(source, layer: Layer(crs: .unknown), model: model)
    if first == nil { note("the file is empty") }
    try peekReference()
  }

  /// The SRID of the first geometry is known before it is read.
  private func peekReference() throws(FormatError) {
    var head: [UInt8]
    if form == .binary {
      _ = try source.byte(at: 8)
      head = Array(source.unread.prefix(9))
    } else {
      let start = try source.skipBlanks()
      _ = try source.byte(at: start + 19)
      head = []
      _ = Self.decode(UnsafeRawBufferPointer(rebasing: source.unread[start...].prefix(20)), into: &head)
    }
    guard head.count >= 9, head[0] <= 1 else { return }
    func word(_ start: Int) -> UInt32 {
      let bytes = head[start..<(start + 4)]
      return (head[0] == 1 ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | UInt32($1) }
    }
    if word(1) & 0x2000_0000 != 0 { layer.crs = CoordinateReference(srid: Int32(bitPattern: word(5))) }
  }

  override func readRow(into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    form == .binary ? try readBinary(into: &batch) : try readLine(into: &batch)
  }

  // MARK: - Binary

  private func readBinary(into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    guard try source.byte(at: 0) != nil else { return false }
    while true {
      let error: WKBError
      switch WKBReader.attempt(source.unread, into: &batch.builder) {
      case .success(let result):
        source.consume(result.length)
        batch.accept(Attributes())
        track(result.srid, row: batch.row - 1)
        return true
      case .failure(let failure): error = failure
      }
      // A count that the file cannot hold is found before anything is read for it.
      let fits = error.needed.map { needed in source.size.map { needed <= $0 - source.offset } ?? true } ?? false
      guard fits, try source.more() else {
        throw FormatError(
          file: source.file, row: batch.row, byte: source.offset &+ error.byte, reason: error.reason)
      }
    }
  }

  // MARK: - Hexadecimal

  private func readLine(into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    source.consume(try source.skipBlanks())
    guard try source.byte(at: 0) != nil else { return false }
    let end = try source.find(UInt8(ascii: "\n"), from: 0) ?? source.unread.count
    var line = UnsafeRawBufferPointer(rebasing: source.unread[0..<end])
    while let last = line.last, last <= 0x20 { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    if line.count == 4, line.map({ $0 & 0xDF }).elementsEqual("NULL".utf8), (try? batch.builder.null()) != nil {
      batch.accept(Attributes())
    } else {
      readDigits(line, into: &batch)
    }
    source.consume(end)
    return true
  }

  private func readDigits(_ line: UnsafeRawBufferPointer, into batch: inout BatchAssembler) {
    let prefix = line.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]) ? 2 : 0
    let digits = UnsafeRawBufferPointer(rebasing: line[prefix...])
    if let bad = Self.decode(digits, into: &scratch) {
      batch.reject(source.problem("this is not a pair of hexadecimal digits", row: batch.row, at: prefix + bad))
      return
    }
    switch scratch.withUnsafeBytes({ WKBReader.attempt($0, into: &batch.builder) }) {
    case .failure(let error):
      batch.reject(source.problem(error.reason, row: batch.row, at: prefix + 2 * min(error.byte, scratch.count)))
    case .success(let result):
      if result.length < scratch.count {
        batch.note(
          source.problem(
            "there are more digits after the geometry; its coordinates were read", row: batch.row,
            at: prefix + 2 * result.length))
      }
      batch.accept(Attributes())
      track(result.srid, row: batch.row - 1)
    }
  }

  /// Turns digits into bytes; the place of the first that are no pair of digits, or nil.
  private static func decode(_ digits: UnsafeRawBufferPointer, into bytes: inout [UInt8]) -> Int? {
    bytes.removeAll(keepingCapacity: true)
    func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x41...0x46, 0x61...0x66: (digit & 0xDF) - 0x37
      default: nil
      }
    }
    for position in stride(from: 0, to: digits.count, by: 2) {
      guard position + 1 < digits.count, let high = value(digits[position]), let low = value(digits[position + 1])
      else { return position }
      bytes.append(high << 4 | low)
    }
    return nil
  }
}
