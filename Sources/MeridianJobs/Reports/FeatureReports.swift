// SPDX-License-Identifier: Apache-2.0
import Meridian
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

  func endBatch(_ batch: FeatureBatch?) throws(JobError) {
    defer { properties = [] }
    guard let batch else { return }
    let attributes = zip(batch.attributes, properties).map { Attributes(id: $0.id, properties: $1) }
    let rows = FeatureBatch(geometries: batch.geometries, firstRow: batch.firstRow, attributes: attributes)
    try output.write(rows, of: .report)
  }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.finish()
    for line in summary?.lines ?? [] { messages.note(line) }
  }

  func abandon() { output.abandon() }
}

/// A GeoJSON map of places: a point for each problem, its attributes as properties. A problem without a place is a
/// feature without a geometry.
final class PlacesReport: Report {
  private let output: FeatureOutput
  private let messages: Messages
  private var places: [Place] = []
  private var written = 0

  init(_ output: FeatureOutput, _ messages: Messages) {
    self.output = output
    self.messages = messages
  }

  func add(_ row: some ReportRow) throws(JobError) { places += row.places }

  func endBatch(_ batch: FeatureBatch?) throws(JobError) {
    defer { places = [] }
    let set = try hosted { () throws(MeridianError) in try points() }
    var attributes: [Attributes] = []
    for place in places {
      var text: [UInt8] = []
      place.fields.appendJSON(to: &text)
      attributes.append(Attributes(properties: text))
    }
    try output.write(FeatureBatch(geometries: set, firstRow: written, attributes: attributes), of: .report)
    written += places.count
  }

  private func points() throws(MeridianError) -> GeometrySet {
    var builder = GeometryBuilder()
    for place in places {
      if place.x.isFinite, place.y.isFinite {
        try builder.begin(.point, .xy)
        builder.add(place.x, place.y)
        try builder.end()
      } else {
        try builder.null()
      }
    }
    return try builder.finish()
  }

  func finish(_ summary: Summary?) throws(JobError) {
    try output.finish()
    for line in summary?.lines ?? [] { messages.note(line) }
  }

  func abandon() { output.abandon() }
}

extension Source {
  /// Reports are GeoJSON, whatever the reference system of the input.
  fileprivate static let report = Source(file: "", layer: Layer())
}

/// What a GeoJSON report shows.
public enum MapContent: Sendable {
  case features, places
}

/// The report of a form, ready to take rows of the columns.
public func makeReport(
  _ format: ReportFormat, to path: String?, columns: [String], map: MapContent, _ messages: Messages
) throws(JobError) -> any Report {
  switch format {
  case .text: return TextReport(try ReportOutput(path))
  case .json: return JSONReport(try ReportOutput(path))
  case .csv: return try CSVReport(try ReportOutput(path), columns: columns, messages)
  case .geojson:
    let output = FeatureOutput(path, format: .geojson)
    return map == .features ? FeaturesReport(output, messages) : PlacesReport(output, messages)
  }
}
