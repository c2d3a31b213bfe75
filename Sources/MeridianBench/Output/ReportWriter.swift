// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

/// Writes reports of the harness.
package enum ReportWriter {
  /// Writes a report. A file appears under its name whole or not at all.
  /// - Parameters:
  ///   - path: nil or "-" = standard output.
  ///   - style: of text; nil = what suits where it goes.
  package static func write(
    _ report: BenchReport, as form: OutputForm, to path: String? = nil, style: TextStyle? = nil
  ) throws(JobError) {
    try write(try bytes(report, as: form, style: style ?? suiting(path)), to: path)
  }

  /// The bytes of a report in a form.
  package static func bytes(
    _ report: BenchReport, as form: OutputForm, style: TextStyle = .plain
  ) throws(JobError) -> [UInt8] {
    switch form {
    case .text: Array(TextForm.text(report, style).utf8)
    case .json: try JSONForm.text(report)
    case .googleBenchmark: GoogleBenchmarkForm.text(report)
    case .csv: Array(CSVForm.text(report).utf8)
    case .html: Array(PageForm.text(report).utf8)
    }
  }

  static func suiting(_ path: String?) -> TextStyle {
    path == nil || path == "-" ? TextStyle.suiting(descriptor: 1) : .plain
  }

  static func write(_ bytes: [UInt8], to path: String?) throws(JobError) {
    let output = try ReportOutput(path)
    try output.write(bytes)
    try output.finish()
  }
}
