// SPDX-License-Identifier: Apache-2.0

/// One record of a CSV file (RFC 4180) in the window of a source: fields between separators, in quotes where they hold
/// separators, line ends or quotes, which are doubled then.
package struct CSVRecord {
  struct Field {
    /// The text without the quotes around it.
    var range: Range<Int>
    var isQuoted: Bool
  }

  enum Outcome {
    case record(CSVRecord)
    /// The record goes on behind the window; `quote` is where a quote was opened and not closed.
    case unfinished(quote: Int?)
  }

  var fields: [Field] = []
  /// Where the next record begins.
  var end = 0
  /// Where text follows a closing quote, which is no CSV.
  var misplaced: Int?

  /// Splits the record at the start of `bytes`; `complete`: nothing follows them.
  static func split(_ bytes: UnsafeRawBufferPointer, separator: UInt8, complete: Bool) -> Outcome {
    var record = CSVRecord()
    var position = 0
    while true {
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        let start = position + 1
        guard let close = closingQuote(bytes, from: start, complete: complete) else {
          return .unfinished(quote: position)
        }
        record.fields.append(Field(range: start..<close, isQuoted: true))
        position = close + 1
        let plain = endOfPlain(bytes, from: position, separator: separator)
        if bytes[position..<plain].contains(where: { $0 != 0x20 && $0 != 0x0D }) {
          record.misplaced = record.misplaced ?? position
        }
        position = plain
      } else {
        let plain = endOfPlain(bytes, from: position, separator: separator)
        var end = plain
        // The carriage return of a CR LF is no part of the field.
        if end > position, end == bytes.count || bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
        record.fields.append(Field(range: position..<end, isQuoted: false))
        position = plain
      }
      guard position < bytes.count else {
        record.end = position
        return complete ? .record(record) : .unfinished(quote: nil)
      }
      let isLineEnd = bytes[position] == 0x0A
      position += 1
      if isLineEnd {
        record.end = position
        return .record(record)
      }
    }
  }

  private static func endOfPlain(_ bytes: UnsafeRawBufferPointer, from start: Int, separator: UInt8) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != separator, bytes[position] != 0x0A { position += 1 }
    return position
  }

  /// The quote that closes a field: one that is not doubled. What follows a quote at the end of the window is not known.
  private static func closingQuote(_ bytes: UnsafeRawBufferPointer, from start: Int, complete: Bool) -> Int? {
    var position = start
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\"") {
        guard position + 1 < bytes.count else { return complete ? position : nil }
        guard bytes[position + 1] == UInt8(ascii: "\"") else { return position }
        position += 1
      }
      position += 1
    }
    return nil
  }

  /// The text of a field with its quotes undone.
  static func text(_ field: Field, in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let raw = bytes[field.range]
    guard field.isQuoted, raw.contains(UInt8(ascii: "\"")) else { return Array(raw) }
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var position = raw.startIndex
    while position < raw.endIndex {
      text.append(raw[position])
      // Inside quotes every quote is doubled.
      position += raw[position] == UInt8(ascii: "\"") ? 2 : 1
    }
    return text
  }

  /// Appends a field, in quotes when it has to be.
  static func append(_ text: [UInt8], separator: UInt8, to output: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let needsQuotes =
      text.contains { $0 == separator || $0 == quote || $0 == 0x0A || $0 == 0x0D }
      || text.first == 0x20 || text.last == 0x20
    guard needsQuotes else {
      output += text
      return
    }
    appendQuoted(text, to: &output)
  }

  /// Appends a field in quotes (RFC 4180, 2.7).
  package static func appendQuoted(_ text: some Sequence<UInt8>, to output: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    output.append(quote)
    for byte in text {
      if byte == quote { output.append(quote) }
      output.append(byte)
    }
    output.append(quote)
  }
}
