// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// JUnit's XML: a suite a layer, a case a row with findings, and one case for all other rows. The numbers stand in front of
/// the cases, so the cases of a layer are kept until it ends.
final class JUnitReport: Report {
  fileprivate struct Suite {
    var name: String
    var rows = 0
    var cases: [UInt8] = []
    var count = 0
    var failures = 0
    var errors = 0
  }

  private let output: ReportOutput
  private let messages: Messages
  private var suite: Suite?
  private var suites: [UInt8] = []
  /// Of all suites: cases, failures, errors.
  private var totals = (0, 0, 0)

  init(_ output: ReportOutput, _ messages: Messages) {
    self.output = output
    self.messages = messages
  }

  func add(_ row: some ReportRow) throws(JobError) {
    guard let feature = row.feature else { return }
    open(feature.layerName)
    suite?.rows += 1
    let findings = row.allFindings.filter(\.isNews)
    if !findings.isEmpty { suite?.add(feature, findings) }
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) {
    // A layer without rows is a suite too.
    guard let source else { return }
    open(source.layer.name.map { "\(source.file):\($0)" } ?? source.file)
  }

  func finish(_ summary: Summary?) throws(JobError) {
    close()
    let (count, failures, errors) = totals
    try output.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="meridian validate" tests="\(count)" failures="\(failures)" errors="\(errors)">

      """)
    try output.write(suites)
    try output.write("</testsuites>\n")
    try output.finish()
    messages.note(summary)
  }

  func abandon() { output.abandon() }

  private func open(_ name: String) {
    guard suite?.name != name else { return }
    close()
    suite = Suite(name: name)
  }

  private func close() {
    guard let suite else { return }
    let others = suite.rows - suite.count
    let count = suite.count + (others > 0 ? 1 : 0)
    suites += Array(
      """
      <testsuite name="\(escapedMarkup(suite.name))" tests="\(count)" failures="\(suite.failures)" \
      errors="\(suite.errors)" skipped="0">

      """.utf8)
    suites += suite.cases
    if others > 0 {
      suites += Array(
        "<testcase classname=\"\(escapedMarkup(suite.name))\" name=\"\(others) rows without findings\"/>\n".utf8)
    }
    suites += Array("</testsuite>\n".utf8)
    totals = (totals.0 + count, totals.1 + suite.failures, totals.2 + suite.errors)
    self.suite = nil
  }
}

extension JUnitReport.Suite {
  /// A row fails once, by its first error, and the text has all; what is no error does not fail. A row that could not be read
  /// is an error rather than a failure.
  fileprivate mutating func add(_ feature: FeatureName, _ findings: [Finding]) {
    count += 1
    let lines = findings.map { escapedMarkup("\($0.severity.name) \($0.code): \($0.message)\($0.place)") }
    let text = lines.joined(separator: "\n")
    var inside = "<system-out>\(text)</system-out>"
    if let first = findings.first(where: { $0.severity == .error }) {
      let isUnreadable = first.code == RowName.unreadable
      if isUnreadable { errors += 1 } else { failures += 1 }
      let element = isUnreadable ? "error" : "failure"
      let message = escapedMarkup(first.message + first.place)
      inside = "<\(element) type=\"\(escapedMarkup(first.code))\" message=\"\(message)\">\(text)</\(element)>"
    }
    cases += Array(
      "<testcase classname=\"\(escapedMarkup(name))\" name=\"\(escapedMarkup(feature.rowName))\">\(inside)</testcase>\n"
        .utf8)
  }
}
