// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// A GeoJSON map of findings: a point for each, and behind it, where two edges take part, a line for each of them. A finding
/// without a place is a feature without a geometry.
final class PlacesReport: Report {
  private let output: FeatureOutput
  private let messages: Messages
  private var collected: FindingCollector
  private var written = 0

  init(_ output: FeatureOutput, columns: [String], _ messages: Messages) {
    self.output = output
    self.messages = messages
    collected = FindingCollector(columns: columns)
  }

  func add(_ row: some ReportRow) throws(JobError) { collected.add(row) }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) {
    let findings = collected.take(with: batch)
    var attributes: [Attributes] = []
    let set = try hosted { () throws(MeridianError) in
      var builder = GeometryBuilder()
      for finding in findings {
        try builder.add(point: finding.point)
        attributes.append(Self.attributes(of: finding, "place"))
        guard !finding.edges.isEmpty else { continue }
        try builder.add(lines: finding.edges)
        attributes.append(Self.attributes(of: finding, "edges"))
      }
      return try builder.finish()
    }
    try output.write(FeatureBatch(geometries: set, firstRow: written, attributes: attributes), of: .report)
    written += attributes.count
  }

  private static func attributes(of finding: PlacedFinding, _ kind: String) -> Attributes {
    var text: [UInt8] = []
    let rest: [Field] = [Field("kind", .text(kind)), Field("feature", .json(finding.properties))]
    (finding.fields + rest).appendJSON(to: &text)
    return Attributes(properties: text)
  }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.finish()
    messages.note(summary)
  }

  func abandon() { output.abandon() }
}
