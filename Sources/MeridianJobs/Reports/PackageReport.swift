// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// A GeoPackage of findings: the table `problems` has a point for each, with the properties of its feature in columns that
/// begin with `feature_`; the table `edges` has the edges of those in which two take part, and `problem` names the point.
/// Where the next input has another reference system, a second pair of tables follows.
final class PackageReport: Report {
  private let path: String
  private let messages: Messages
  private var collected: FindingCollector
  private var writer: (any LayeredWriter)?
  private var crs: CoordinateReference?
  private var edges: [EdgeRow] = []
  /// Points that were written to the table that is open.
  private var written = 0

  /// One row of the table `edges`: kept until the points are all written, since tables are written one after the other.
  private struct EdgeRow {
    let lines: [Edge]
    let problem: Int
    let feature: FeatureName
    let code: String
  }

  init(_ path: String?, columns: [String], _ messages: Messages) throws(JobError) {
    guard let path else { throw .argument("a GeoPackage is a database and needs a file: -o FILE.gpkg") }
    try ReportOutput.check(path)
    self.path = path
    self.messages = messages
    collected = FindingCollector(columns: columns)
  }

  func add(_ row: some ReportRow) throws(JobError) { collected.add(row) }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) {
    let findings = collected.take(with: batch)
    guard !findings.isEmpty else { return }
    let writer = try open(source?.layer.crs ?? .unknown)
    let set = try hosted { () throws(MeridianError) in
      var builder = GeometryBuilder()
      for finding in findings { try builder.add(point: finding.point) }
      return try builder.finish()
    }
    let attributes = findings.map { Attributes(properties: Self.properties(of: $0)) }
    try formatted { () throws(FormatError) in
      try writer.write(FeatureBatch(geometries: set, firstRow: written, attributes: attributes))
    }
    for (index, finding) in findings.enumerated() where !finding.edges.isEmpty {
      // Ids of features count from 1 in a table whose rows bring none.
      edges.append(
        EdgeRow(
          lines: finding.edges, problem: written + index + 1, feature: finding.feature, code: finding.finding.code))
    }
    written += findings.count
  }

  func finish(_ summary: Summary?) throws(JobError) {
    _ = try open(crs ?? .lonLat)
    try writeEdges()
    try formatted { () throws(FormatError) in try writer?.finish() }
    messages.note(summary)
  }

  func abandon() { writer?.abandon() }

  // MARK: - Tables

  private func open(_ crs: CoordinateReference) throws(JobError) -> any LayeredWriter {
    if let writer, self.crs == crs { return writer }
    try writeEdges()
    self.crs = crs
    written = 0
    let layer = Layer(name: "problems", crs: crs)
    let open = try formatted { () throws(FormatError) -> any LayeredWriter in
      guard let writer else { return try createGeoPackage(path, layer: layer) }
      try writer.startLayer(layer)
      return writer
    }
    writer = open
    return open
  }

  private func writeEdges() throws(JobError) {
    guard let writer, let crs, !edges.isEmpty else { return }
    let rows = edges
    edges = []
    let set = try hosted { () throws(MeridianError) in
      var builder = GeometryBuilder()
      for row in rows { try builder.add(lines: row.lines) }
      return try builder.finish()
    }
    let attributes = rows.map { row in
      var text: [UInt8] = []
      ([Field("problem", .integer(row.problem))] + row.feature.fields + [Field("code", .text(row.code))])
        .appendJSON(to: &text)
      return Attributes(properties: text)
    }
    try formatted { () throws(FormatError) in
      try writer.startLayer(Layer(name: "edges", crs: crs))
      try writer.write(FeatureBatch(geometries: set, firstRow: 0, attributes: attributes))
    }
  }

  /// The columns of the report, and the feature's properties under names of their own.
  private static func properties(of finding: PlacedFinding) -> [UInt8] {
    var text: [UInt8] = []
    finding.fields.appendJSON(to: &text)
    text.removeLast()
    for member in StrictJSON.members(finding.properties) ?? [] {
      text.append(UInt8(ascii: ","))
      JSONText.append("feature_" + member.name, to: &text)
      text.append(UInt8(ascii: ":"))
      text += finding.properties[member.value]
    }
    text.append(UInt8(ascii: "}"))
    return text
  }
}
