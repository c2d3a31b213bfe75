// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Reads files of WKT: a geometry begins on a line of its own and may go on over several; blank lines do not count. The
/// word `NULL` is a row without a geometry. After an error reading goes on at the next line that can begin a geometry.
public final class WKTFileReader: StreamReader {

  init(_ source: ByteSource, model: GeometryModel? = nil) throws(FormatError) {
    super.init(source, layer: Layer(crs: .unknown), model: model)
    if try source.skipByteOrderMark() { note("a byte order mark at the start was skipped") }
    let start = try source.skipBlanks()
    if try source.byte(at: start) == nil { note("the file is empty") }
    try peekReference()
  }

  /// The SRID of the first geometry is known before it is read.
  private func peekReference() throws(FormatError) {
    let start = try source.skipBlanks()
    source.consume(start)
    // Longer than any SRID; the end of the input may come first.
    _ = try source.byte(at: 64)
    var parser = WKTParser(source.unread)
    layer.crs = CoordinateReference(srid: (try? parser.srid()) ?? nil)
  }

  override func readRow(into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    source.consume(try source.skipBlanks())
    guard try source.byte(at: 0) != nil else { return false }
    if try isNull() { return acceptNull(into: &batch) }
    switch try parse(into: &batch) {
    case .success(let result):
      try finishLine(result.length, into: &batch)
      track(result.srid, row: batch.row - 1)
    case .failure(let error): try reject(error, into: &batch)
    }
    return true
  }

  /// Parses with ever more text until the geometry is whole.
  private func parse(into batch: inout BatchAssembler) throws(FormatError) -> Result<WKTReader.Result, WKTError> {
    while true {
      let result = WKTReader.attempt(source.unread, into: &batch.builder)
      guard case .failure(let error) = result, error.isTruncation || isCut(at: error.byte) else { return result }
      guard try source.more() else { break }
    }
    // The last attempt, with a blank behind the text, so that a word or number at its end is whole.
    let text = Array(source.unread) + [0x20]
    return text.withUnsafeBytes { WKTReader.attempt($0, into: &batch.builder) }
  }

  /// Whether the token at a place runs to the end of the window, so that more text may make it another: `-` or `1e` a
  /// number, `EMP` the word EMPTY.
  private func isCut(at place: Int) -> Bool {
    let delimiters = Array(" \t\r\n(),;".utf8)
    return !source.unread.dropFirst(place).contains { delimiters.contains($0) }
  }

  // MARK: - Rows

  private func finishLine(_ length: Int, into batch: inout BatchAssembler) throws(FormatError) {
    var position = length
    while let byte = try source.byte(at: position), [0x20, 0x09, 0x0D, UInt8(ascii: ";")].contains(byte) {
      position += 1
    }
    let next = try source.byte(at: position)
    if next == nil || next == UInt8(ascii: "\n") {
      batch.accept(Attributes())
      source.consume(position)
      return
    }
    // The geometry is whole, but the row is not what its line says.
    let place = position
    let end = try source.find(UInt8(ascii: "\n"), from: position) ?? source.unread.count
    let problem = source.problem(
      "there is more text after the geometry; its coordinates were read", row: batch.row, at: place)
    batch.accept(Attributes())
    batch.note(problem)
    source.consume(end)
  }

  /// A row that is no geometry. The next one begins on the line where the error is, when a word stands first on that line,
  /// or else on the line after it.
  private func reject(_ error: WKTError, into batch: inout BatchAssembler) throws(FormatError) {
    let place = min(error.byte, source.unread.count)
    batch.reject(source.problem(error.reason, row: batch.row, at: place))
    let bytes = source.unread
    let lineStart = bytes[0..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let leading = bytes[lineStart..<place]
    let startsLine = lineStart > 0 && leading.allSatisfy { $0 == 0x20 || $0 == 0x09 } && place < bytes.count
    let isWord = startsLine && (0x41...0x5A).contains(bytes[place] & 0xDF)
    if isWord {
      source.consume(lineStart)
    } else {
      let end = try source.find(UInt8(ascii: "\n"), from: place)
      source.consume(end.map { $0 + 1 } ?? source.unread.count)
    }
  }

  private func isNull() throws(FormatError) -> Bool {
    for (position, letter) in "NULL".utf8.enumerated() {
      guard let byte = try source.byte(at: position), byte & 0xDF == letter else { return false }
    }
    guard let next = try source.byte(at: 4) else { return true }
    return next <= 0x20
  }

  private func acceptNull(into batch: inout BatchAssembler) -> Bool {
    source.consume(4)
    guard (try? batch.builder.null()) != nil else { return false }
    batch.accept(Attributes())
    return true
  }
}
