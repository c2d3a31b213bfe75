// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Reads sequences of GeoJSON texts: RFC 8142, each behind a record separator (0x1E), or one a line without it. Which of
/// the two the first byte tells. A record that is no feature or geometry is one bad row; the next record is read on.
public final class GeoJSONSeqReader: StreamReader {
  static let recordSeparator: UInt8 = 0x1E

  private let parser: FeatureParser
  /// What ends a record.
  private let delimiter: UInt8

  init(_ source: ByteSource, model: GeometryModel? = nil) throws(FormatError) {
    parser = try FeatureParser(file: source.file)
    let mark = try source.skipByteOrderMark()
    let first = try source.skipBlanks()
    let byte = try source.byte(at: first)
    delimiter = byte == Self.recordSeparator ? Self.recordSeparator : UInt8(ascii: "\n")
    super.init(source, layer: Layer(crs: .lonLat), model: model)
    if mark { note("a byte order mark at the start was skipped") }
    if byte == nil { note("the file is empty") }
  }

  public override var warnings: [String] { notes + parser.warnings }

  override func readRow(into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    try skipToRecord()
    guard try source.byte(at: 0) != nil else { return false }
    let end = try source.find(delimiter, from: 0) ?? source.unread.count
    let bytes = source.unread
    let length = bytes[0..<end].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? end
    if bytes[0] == UInt8(ascii: "{") {
      parser.read(0..<length, of: source, as: .featureOrGeometry, into: &batch)
    } else {
      let problem = source.jsonProblem(0..<length)
      batch.reject(
        source.problem(problem?.reason ?? "the record is not an object", row: batch.row, at: problem?.position ?? 0))
      if problem == nil { batch.keep(text: UnsafeRawBufferPointer(rebasing: bytes[0..<length])) }
    }
    source.consume(end)
    return true
  }

  private func skipToRecord() throws(FormatError) {
    while true {
      let position = try source.skipBlanks()
      source.consume(position)
      guard try source.byte(at: 0) == Self.recordSeparator, delimiter == Self.recordSeparator else { return }
      source.consume(1)
    }
  }
}
