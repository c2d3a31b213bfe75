// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// Lines for people, like a compiler's.
final class TextReport: Report {
  private let output: ReportOutput
  init(_ output: ReportOutput) { self.output = output }

  func add(_ row: some ReportRow) throws(JobError) {
    for line in row.lines { try output.write(line + "\n") }
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) { try output.flush() }

  func finish(_ summary: Summary?) throws(JobError) {
    for line in summary?.lines ?? [] { try output.write(line + "\n") }
    try output.finish()
  }

  func abandon() { output.abandon() }
}
