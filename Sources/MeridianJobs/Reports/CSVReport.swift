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
      try output.append { line in
        for (column, value) in record.enumerated() {
          if column > 0 { line.append(UInt8(ascii: ",")) }
          value.appendCell(to: &line)
        }
        for _ in record.count..<max(columns, record.count) { line.append(UInt8(ascii: ",")) }
        line.append(UInt8(ascii: "\n"))
      }
    }
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) { try output.flush() }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.finish()
    messages.note(summary)
  }

  func abandon() { output.abandon() }
}
