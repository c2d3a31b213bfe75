// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Problems as the ABI has them: records of this host's size and the text that they point into.
final class ProblemRecords: @unchecked Sendable {
  fileprivate(set) var records: [mrd_problem] = []
  let text = Buffer()

  /// The record as Swift sees it.
  func problem(_ index: Int) -> Problem {
    let record = records[index]
    let code = ProblemCode(rawValue: record.code)
    func known(_ value: Int64) -> Int? { value >= 0 ? Int(value) : nil }
    return Problem(
      code: code, severity: Severity(rawValue: record.severity), row: Int(record.row), part: known(record.part),
      ring: known(record.ring), vertex: known(record.vertex), otherRow: known(record.other_row),
      otherPart: known(record.other_part), otherRing: known(record.other_ring), otherVertex: known(record.other_vertex),
      x: record.x, y: record.y, value: record.value, threshold: record.threshold, jtsCode: record.jts_code,
      message: message(of: record) ?? code.sentence)
  }

  var problems: [Problem] { records.indices.map { problem($0) } }

  private func message(of record: mrd_problem) -> String? {
    guard record.text_length > 0 else { return nil }
    let bytes = text.values(UInt8.self)
    let start = Int(record.text_offset)
    return String(decoding: bytes[start..<(start + Int(record.text_length))], as: UTF8.self)
  }

  /// Appends a record whose message lies in `source`.
  func append(_ record: mrd_problem, textIn source: Buffer) {
    var record = record
    if record.text_length > 0, let start = source.pointer {
      let offset = text.count
      text.append(from: start + Int(record.text_offset), bytes: Int(record.text_length))
      record.text_offset = Int64(offset)
    } else {
      record.text_length = 0
      record.text_offset = 0
    }
    records.append(record)
  }

  /// Brings the records in order of rows and members, keeping the order of their kernel inside each.
  func sort(byRowAnd member: [Int64]) {
    let order = records.indices.sorted { one, other in
      (records[one].row, member[one], one) < (records[other].row, member[other], other)
    }
    records = order.map { records[$0] }
  }
}

extension CallContext {
  /// Takes the problems of a call over `rows` rows. The kernel's records may be shorter or longer than this host's; what
  /// they lack is "not known". Rows and texts are held against their bounds.
  func takeProblems(_ out: mrd_problems_out, rows: Int) throws(MeridianError) -> ProblemRecords {
    let taken = ProblemRecords()
    let bytes = result(MRD_BUF_RECORDS)
    let text = result(MRD_BUF_BYTES)
    guard out.count > 0 else { return taken }
    let size = Int(out.record_size)
    let (needed, overflow) = Int(out.count).multipliedReportingOverflow(by: size)
    // Code, severity and row at least, and 8-byte aligned.
    guard size >= 16, size % 8 == 0, !overflow, needed <= bytes.count, let start = bytes.pointer else {
      throw fault("\(out.count) problems of \(size) bytes in \(bytes.count) bytes")
    }
    taken.records.reserveCapacity(Int(out.count))
    for index in 0..<Int(out.count) {
      var record = Self.unknownProblem
      withUnsafeMutableBytes(of: &record) { target in
        target.copyMemory(from: UnsafeRawBufferPointer(start: start + index * size, count: min(size, target.count)))
      }
      guard record.row >= 0, record.row < Int64(rows) else { throw fault("a problem of row \(record.row)") }
      guard record.text_length == 0 || Self.fits(record, text.count) else {
        throw fault("a message that lies outside of the text")
      }
      taken.append(record, textIn: text)
    }
    return taken
  }

  private static func fits(_ record: mrd_problem, _ bytes: Int) -> Bool {
    record.text_offset >= 0 && record.text_offset <= Int64(bytes)
      && Int64(record.text_length) <= Int64(bytes) - record.text_offset
  }

  private static var unknownProblem: mrd_problem {
    var record = mrd_problem()
    record.severity = MRD_SEVERITY_ERROR
    (record.part, record.ring, record.vertex) = (-1, -1, -1)
    (record.other_row, record.other_part, record.other_ring, record.other_vertex) = (-1, -1, -1, -1)
    (record.x, record.y, record.value, record.threshold) = (.nan, .nan, .nan, .nan)
    record.jts_code = MRD_JTS_NONE
    return record
  }
}
