// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// A GeoJSON map of rows: the features of the input with the results as their properties.
final class FeaturesReport: Report {
  private let output: FeatureOutput
  private let messages: Messages
  private var properties: [[UInt8]] = []

  init(_ output: FeatureOutput, _ messages: Messages) {
    self.output = output
    self.messages = messages
  }

  func add(_ row: some ReportRow) throws(JobError) {
    var text: [UInt8] = []
    row.fields.appendJSON(to: &text)
    properties.append(text)
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) {
    defer { properties = [] }
    guard let batch else { return }
    let attributes = zip(batch.attributes, properties).map { Attributes(id: $0.id, properties: $1) }
    let rows = FeatureBatch(geometries: batch.geometries, firstRow: batch.firstRow, attributes: attributes)
    try output.write(rows, of: .report)
  }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.finish()
    messages.note(summary)
  }

  func abandon() { output.abandon() }
}

extension Source {
  /// Reports are GeoJSON, whatever the reference system of the input.
  static let report = Source(file: "", layer: Layer())
}
