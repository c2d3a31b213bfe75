// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// JSON lines: one object a row; the summary, where wanted, is a last line `{"summary": {...}}`.
final class JSONReport: Report {
  private let output: ReportOutput
  init(_ output: ReportOutput) { self.output = output }

  func add(_ row: some ReportRow) throws(JobError) { try write(row.fields) }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) { try output.flush() }

  func finish(_ summary: Summary?) throws(JobError) {
    if let summary { try write([Field("summary", .object(summary.fields))]) }
    try output.finish()
  }

  func abandon() { output.abandon() }

  private func write(_ fields: [Field]) throws(JobError) {
    var line: [UInt8] = []
    fields.appendJSON(to: &line)
    line.append(UInt8(ascii: "\n"))
    try output.write(line)
  }
}
