// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Where a job's features go: one layer of one file, opened when the first layer of the input is known.
public final class FeatureOutput {
  private let path: String
  private let format: Format
  private var writer: (any FeatureWriter)?
  /// What the format had no place for, in sentences; complete after `finish`.
  private(set) var losses: [String] = []
  private var losesAttributes = false
  /// Rows that are told one by one; the others are counted.
  private static let mostRows = 20

  /// `path` nil = standard output. `format` nil = by the file's name, else GeoJSON.
  public init(_ path: String?, format: Format?) {
    self.path = path ?? "-"
    self.format = format ?? Format(fileName: self.path) ?? .geojson
  }

  func write(_ batch: FeatureBatch, of source: Source) throws(JobError) {
    let open = if let writer { writer } else { try open(source.layer) }
    writer = open
    tellLostAttributes(of: batch)
    try formatted { () throws(FormatError) in try open.write(batch) }
  }

  private func tellLostAttributes(of batch: FeatureBatch) {
    guard !format.carriesAttributes, !losesAttributes else { return }
    let nothing = [Array("null".utf8), Array("{}".utf8)]
    guard batch.attributes.contains(where: { $0.id != nil || !nothing.contains($0.properties) }) else { return }
    losesAttributes = true
    losses.append("\(path): \(format.rawValue) has no place for properties and ids")
  }

  private func open(_ layer: Layer) throws(JobError) -> any FeatureWriter {
    if !format.says(layer.crs), case .other(let name) = layer.crs {
      let taken = format == .geojsonseq ? "; whoever reads it takes longitude and latitude" : ""
      losses.append("\(path): \(format.rawValue) has no place for the reference system \(name)\(taken)")
    }
    return try formatted { () throws(FormatError) in try openWriter(path, format: format, layer: layer) }
  }

  /// Gives the file its name. Nothing was read = nothing is written.
  func finish() throws(JobError) {
    guard let writer else { return }
    try formatted { () throws(FormatError) in try writer.finish() }
    let rows = writer.problems
    losses += rows.prefix(Self.mostRows).map { "\(path): row \($0.row): \($0.reason)" }
    if rows.count > Self.mostRows { losses.append("\(path): \(rows.count - Self.mostRows) more rows with such losses") }
  }

  func abandon() { writer?.abandon() }
}
