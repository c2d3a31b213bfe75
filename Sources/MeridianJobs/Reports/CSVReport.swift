// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// A table after RFC 4180 with a header line, line ends of one LF. The summary has no place in it and goes to standard
/// error.
final class CSVReport: Report {
  private let output: ReportOutput
  private let messages: Messages
  private let columns: Int

  /// The header is written at once: a table without rows has one too.
  init(_ output: ReportOutput, columns: [String], _ messages: Messages) throws(JobError) {
    self.output = output
    self.messages = messages
    self.columns = columns.count
    try output.write(columns.joined(separator: ",") + "\n")
  }

  func add(_ row: some ReportRow) throws(JobError) {
    for record in row.records {
      let missing = String(repeating: ",", count: max(0, columns - record.count))
      try output.write(record.map { Self.quoted($0.cell) }.joined(separator: ",") + missing + "\n")
    }
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) { try output.flush() }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.finish()
    messages.note(summary)
  }

  func abandon() { output.abandon() }

  private static func quoted(_ cell: String) -> String {
    guard cell.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return cell }
    return "\"" + cell.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
