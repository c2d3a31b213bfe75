// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// One page with all that it needs in it: a summary, a table that sorts and filters, and a map of the features that have
/// findings. It asks no network for anything, and its policy forbids it to.
final class PageReport: Report {
  private let output: ReportOutput
  private var collected = FindingCollector(columns: [])
  private var data = PageData()

  init(_ output: ReportOutput) { self.output = output }

  func add(_ row: some ReportRow) throws(JobError) {
    data.count(row)
    collected.add(row)
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) {
    var findings = collected.take(with: batch)[...]
    while let first = findings.first {
      let group = findings.prefix { $0.feature.row == first.feature.row }
      data.add(Array(group), batch)
      findings = findings.dropFirst(group.count)
    }
  }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.write(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src 'unsafe-inline'">
      <title>Meridian: what is wrong with the geometries</title>
      <style>\(FindingPage.style)</style>
      </head>
      <body>
      \(FindingPage.body)
      <script type="application/json" id="data">
      """)
    try output.write(data.json(summary))
    try output.write(
      """
      </script>
      <script>\(FindingPage.data)\(FindingPage.table)\(FindingPage.map)\(FindingPage.start)</script>
      </body>
      </html>

      """)
    try output.finish()
  }

  func abandon() { output.abandon() }
}
