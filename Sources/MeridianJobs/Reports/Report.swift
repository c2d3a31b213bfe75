// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// One row of results, as each form of report wants it.
public protocol ReportRow {
  /// The columns of a table of these rows.
  static var columns: [String] { get }
  /// The JSON object.
  var fields: [Field] { get }
  /// Records of a table, a value a column: usually one, for problems as many as there are, at least one.
  var records: [[Value]] { get }
  /// Lines for people; none = nothing to say.
  var lines: [String] { get }
  /// Points for a map, with their attributes.
  var places: [Place] { get }
}

extension ReportRow {
  public var records: [[Value]] { [fields.map(\.value)] }
  public var places: [Place] { [] }
}

/// A point on a map.
public struct Place: Sendable {
  public let x: Double
  public let y: Double
  public let fields: [Field]
}

/// The forms of a report.
public enum ReportFormat: String, Sendable {
  case text, json, csv, geojson

  /// The form that the extension of a file name promises, in any case; nil when it promises none of them.
  public init?(fileName: String) {
    switch fileExtension(fileName) {
    case "txt": self = .text
    case "json", "jsonl", "ndjson": self = .json
    case "csv": self = .csv
    case "geojson": self = .geojson
    default: return nil
    }
  }
}

/// Takes rows and writes them in one form.
public protocol Report {
  func add(_ row: some ReportRow) throws(JobError)
  /// The batch whose rows were just added has ended. `batch` nil = the rows belong to no features.
  func endBatch(_ batch: FeatureBatch?) throws(JobError)
  /// Writes the summary, where one is wanted, and the end. The file gets its name here.
  func finish(_ summary: Summary?) throws(JobError)
  func abandon()
}
