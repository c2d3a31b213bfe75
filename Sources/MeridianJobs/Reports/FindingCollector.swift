// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// A finding with all that reports show of its feature.
struct PlacedFinding {
  let finding: Finding
  let feature: FeatureName
  /// What it is recognised by; the same for all findings of the feature.
  let key: FeatureKey
  /// The columns of the report with the finding's values.
  let fields: [Field]
  /// The feature's properties, as JSON text.
  let properties: [UInt8]
  /// The edges that take part, where there are two.
  let edges: [Edge]

  /// nil when there is no place.
  var point: Edge.End? { finding.x.isFinite && finding.y.isFinite ? Edge.End(x: finding.x, y: finding.y) : nil }
}

/// Keeps the findings of a batch until its features are at hand.
struct FindingCollector {
  private let columns: [String]
  private var waiting: [(feature: FeatureName, findings: [(Finding, [Field])])] = []

  init(columns: [String]) { self.columns = columns }

  mutating func add(_ row: some ReportRow) {
    guard let feature = row.feature, !row.findings.isEmpty else { return }
    waiting.append((feature, zip(row.findings, row.records).map { ($0, zip(columns, $1).map { Field($0, $1) }) }))
  }

  /// What was added since the last batch, with what the batch knows of the features.
  mutating func take(with batch: FeatureBatch?) -> [PlacedFinding] {
    defer { waiting = [] }
    var finder = batch.map { EdgeFinder($0.geometries) }
    return waiting.flatMap { feature, findings in
      let row = batch?.row(numbered: feature.row)
      let attributes = row.flatMap { batch?.attributes[$0] }
      let key = FeatureKey(feature, in: batch)
      return findings.map { finding, fields in
        PlacedFinding(
          finding: finding, feature: feature, key: key, fields: fields,
          properties: attributes?.properties ?? Array("null".utf8),
          edges: row.flatMap { finder?.edges(of: finding, row: $0) } ?? [])
      }
    }
  }
}

extension GeometryBuilder {
  /// A row of one point; nil = a null row.
  mutating func add(point: Edge.End?) throws(MeridianError) {
    guard let point else { return try null() }
    try begin(.point, .xy)
    add(point.x, point.y)
    try end()
  }

  /// A row of lines.
  mutating func add(lines: [Edge]) throws(MeridianError) {
    try begin(.multiLineString, .xy)
    for line in lines {
      try ring()
      add(line.start.x, line.start.y)
      add(line.end.x, line.end.y)
    }
    try end()
  }
}
