// SPDX-License-Identifier: Apache-2.0
import CSimdjson
import Meridian

/// Reads CSV with a header line: geometry from a column of WKT or from two columns of numbers, every other column as a
/// property. Values stay strings, so they survive as they are written; an empty geometry is null. A row whose number of
/// fields is not the header's, or whose geometry is bad, is one bad row.
public final class CSVReader: StreamReader {
  private var separator: UInt8
  private var columns = CSVColumns(geometry: .wkt(0), crs: .unknown)
  /// The header's names as JSON strings with their colon, nil for columns of the geometry.
  private var names: [[UInt8]?] = []

  init(_ source: ByteSource, model: GeometryModel? = nil, options: CSVOptions = CSVOptions()) throws(FormatError) {
    separator = options.separator ?? UInt8(ascii: ",")
    super.init(source, layer: Layer(crs: .unknown), model: model)
    // Excel begins its files so.
    _ = try source.skipByteOrderMark()
    try readHeader(options)
  }

  // MARK: - Header

  private func readHeader(_ options: CSVOptions) throws(FormatError) {
    if options.separator == nil { separator = try guessSeparator() }
    guard let record = try nextRecord() else {
      throw source.error("the file is empty; a CSV file begins with a header")
    }
    let bytes = source.unread
    guard mrdj_is_utf8(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), record.end) != 0 else {
      throw source.error("the header is not UTF-8", at: 0)
    }
    let texts = record.fields.map { CSVRecord.text($0, in: bytes) }
    let header = texts.map { String(decoding: $0, as: UTF8.self) }
    switch CSVColumns.find(in: header, options: options) {
    case .failure(let error): throw source.error(error.reason, at: 0)
    case .success(let found): columns = found
    }
    layer.crs = columns.crs
    for (column, text) in texts.enumerated() {
      guard !columns.holds(column) else {
        names.append(nil)
        continue
      }
      var name: [UInt8] = []
      JSONText.appendString(text, to: &name)
      names.append(name + [UInt8(ascii: ":")])
      layer.fields.append(Field(name: header[column], type: "TEXT"))
    }
    source.consume(record.end)
    if case .wkt(let column) = columns.geometry { try peekReference(column) }
  }

  /// EWKT in the first row tells the reference of all.
  private func peekReference(_ column: Int) throws(FormatError) {
    guard let record = try nextRecord(), column < record.fields.count else { return }
    let text = CSVRecord.text(record.fields[column], in: source.unread)
    let srid = text.withUnsafeBytes { bytes in
      var parser = WKTParser(bytes)
      return (try? parser.srid()) ?? nil
    }
    layer.crs = CoordinateReference(srid: srid)
  }

  private func guessSeparator() throws(FormatError) -> UInt8 {
    let end = try source.find(0x0A, from: 0) ?? source.unread.count
    let header = source.unread[0..<end]
    let candidates = Array(",;\t".utf8)
    let counts = candidates.map { candidate in header.reduce(0) { $0 + ($1 == candidate ? 1 : 0) } }
    let best = counts.indices.max { counts[$0] < counts[$1] || (counts[$0] == counts[$1] && $0 > $1) }
    return best.map { candidates[$0] } ?? candidates[0]
  }

  // MARK: - Rows

  /// The record at the start of the window, nil at the end of the input; empty lines are passed.
  private func nextRecord() throws(FormatError) -> CSVRecord? {
    while true {
      guard try source.byte(at: 0) != nil else { return nil }
      switch CSVRecord.split(source.unread, separator: separator, complete: source.isAtEnd) {
      case .record(let record):
        guard record.fields.count == 1, record.fields[0].range.isEmpty, !record.fields[0].isQuoted else {
          return record
        }
        source.consume(record.end)
      case .unfinished(let quote):
        let complete = source.isAtEnd
        if complete { throw source.error("the file ends inside the quotes that are opened here", at: quote ?? 0) }
        _ = try source.more()
      }
    }
  }

  override func readRow(into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    guard let record = try nextRecord() else { return false }
    defer { source.consume(record.end) }
    var attributes = Attributes()
    let isText = properties(of: record, to: &attributes)
    if let misplaced = record.misplaced {
      batch.reject(
        source.problem("text follows a closing quote", row: batch.row, at: misplaced), attributes: attributes)
    } else if record.fields.count != names.count {
      let reason = "the row has \(record.fields.count) fields, the header \(names.count)"
      batch.reject(source.problem(reason, row: batch.row, at: 0), attributes: attributes)
    } else if let (reason, place) = geometry(of: record, into: &batch) {
      batch.reject(source.problem(reason, row: batch.row, at: place), attributes: attributes)
    } else {
      if !isText {
        batch.note(source.problem("the row is not UTF-8; bad bytes became U+FFFD", row: batch.row, at: 0))
      }
      batch.accept(attributes)
    }
    return true
  }

  /// The properties as a JSON object; false when their text had to be mended to be UTF-8.
  private func properties(of record: CSVRecord, to attributes: inout Attributes) -> Bool {
    let bytes = source.unread
    let isText = mrdj_is_utf8(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), record.end) != 0
    var object: [UInt8] = [UInt8(ascii: "{")]
    for (field, name) in zip(record.fields, names) {
      guard let name else { continue }
      if object.count > 1 { object.append(UInt8(ascii: ",")) }
      object += name
      let text = CSVRecord.text(field, in: bytes)
      if isText {
        JSONText.appendString(text, to: &object)
      } else {
        JSONText.appendString(String(decoding: text, as: UTF8.self).utf8, to: &object)
      }
    }
    object.append(UInt8(ascii: "}"))
    attributes.properties = object
    return isText
  }

  // MARK: - Geometry

  /// Adds the geometry to the builder; nil, or why there is none and where.
  private func geometry(of record: CSVRecord, into batch: inout BatchAssembler) -> (String, Int)? {
    switch columns.geometry {
    case .wkt(let column): return wkt(record.fields[column], into: &batch)
    case .position(let x, let y): return position(record.fields[x], record.fields[y], into: &batch.builder)
    }
  }

  private func wkt(_ field: CSVRecord.Field, into batch: inout BatchAssembler) -> (String, Int)? {
    // The blank behind the text lets a word or number at its end be whole.
    let text = CSVRecord.text(field, in: source.unread) + [0x20]
    if text.allSatisfy({ $0 <= 0x20 }) { return null(&batch.builder) }
    switch text.withUnsafeBytes({ WKTReader.attempt($0, into: &batch.builder) }) {
    case .failure(let error): return (error.reason, field.range.lowerBound + min(error.byte, field.range.count))
    case .success(let result):
      if text[result.length...].contains(where: { $0 > 0x20 }) {
        batch.note(
          source.problem(
            "there is more text after the geometry; its coordinates were read", row: batch.row,
            at: field.range.lowerBound + min(result.length, field.range.count)))
      }
      return nil
    }
  }

  private func position(
    _ x: CSVRecord.Field, _ y: CSVRecord.Field, into builder: inout GeometryBuilder
  ) -> (String, Int)? {
    let (xText, yText) = (trimmed(x), trimmed(y))
    if xText.isEmpty && yText.isEmpty { return null(&builder) }
    guard let xValue = number(xText) else { return ("this is not a finite number", x.range.lowerBound) }
    guard let yValue = number(yText) else { return ("this is not a finite number", y.range.lowerBound) }
    do throws(MeridianError) {
      try builder.begin(.point, .xy)
      builder.add(xValue, yValue)
      try builder.end()
    } catch { return (error.message, x.range.lowerBound) }
    return nil
  }

  private func null(_ builder: inout GeometryBuilder) -> (String, Int)? {
    do throws(MeridianError) { try builder.null() } catch { return (error.message, 0) }
    return nil
  }

  private func trimmed(_ field: CSVRecord.Field) -> UnsafeRawBufferPointer {
    var text = source.unread[field.range]
    while let first = text.first, first <= 0x20 { text = text.dropFirst() }
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    return UnsafeRawBufferPointer(rebasing: text)
  }

  private func number(_ text: UnsafeRawBufferPointer) -> Double? {
    guard let parsed = parseNumber(text), parsed.length == text.count, parsed.value.isFinite else { return nil }
    return parsed.value
  }
}
