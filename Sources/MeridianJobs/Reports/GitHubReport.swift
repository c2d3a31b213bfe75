// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Workflow commands of GitHub Actions: an annotation a finding, shown at the file.
final class GitHubReport: Report {
  private let output: ReportOutput
  private let messages: Messages

  init(_ output: ReportOutput, _ messages: Messages) {
    self.output = output
    self.messages = messages
  }

  func add(_ row: some ReportRow) throws(JobError) {
    guard let feature = row.feature else { return }
    let layer = feature.layer.map { "layer \($0) " } ?? ""
    for finding in row.findings where finding.isNews {
      let properties = "file=\(Self.property(feature.file)),title=\(Self.property(finding.code))"
      let words = "\(layer)\(feature.rowName): \(finding.message)\(finding.place)"
      try output.write("::\(finding.severity.annotation) \(properties)::\(Self.data(words))\n")
    }
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) { try output.flush() }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.finish()
    messages.note(summary)
  }

  func abandon() { output.abandon() }

  /// A line end would begin a new command.
  private static func data(_ text: String) -> String { escaped(text, "%\r\n") }
  private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

  private static func escaped(_ text: String, _ special: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) {
        out += "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
