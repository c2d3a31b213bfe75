// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A format that files are read from and written to.
public enum Format: String, CaseIterable, Sendable {
  case geojson, geojsonseq, wkt, wkb, csv, gpkg
}

/// Why a file could not be read or written as a whole. A bad row is a `RowProblem` instead.
public struct FormatError: Error, Sendable {
  public var file: String
  public var layer: String?
  public var row: Int?
  public var byte: Int?
  public var line: Int?
  public var reason: String
  /// Nobody reads what is written any more.
  public var isBrokenPipe = false

  public init(
    file: String, layer: String? = nil, row: Int? = nil, byte: Int? = nil, line: Int? = nil, reason: String
  ) {
    self.file = file
    self.layer = layer
    self.row = row
    self.byte = byte
    self.line = line
    self.reason = reason
  }

  /// `file: layer roads: row 12: line 40: reason`, leaving out what is not known.
  public var description: String {
    var text = file
    if let layer { text += ": layer \(layer)" }
    if let row { text += ": row \(row)" }
    if let line { text += ": line \(line)" }
    if let byte { text += ": byte \(byte)" }
    return text + ": " + reason
  }
}

/// How large a batch may become: it ends at whichever comes first, after at least one feature.
public struct BatchLimit: Sendable {
  public var rows: Int
  public var coordinates: Int
  public init(rows: Int = 8192, coordinates: Int = 262_144) {
    self.rows = rows
    self.coordinates = coordinates
  }
}

/// Reads one layer in batches; memory is bounded by the largest batch. One thread at a time.
public protocol FeatureReader: AnyObject {
  /// Name as the user gave it; "-" for standard input.
  var file: String { get }
  var layer: Layer { get }
  /// Things the user should know that are no error: a `crs` member, a skipped BOM. Grows while reading.
  var warnings: [String] { get }
  /// Share of the input that was read, 0 to 1; nil when it is not known (standard input).
  var fractionRead: Double? { get }
  /// The next features, or nil at the end. After an error nothing more can be read.
  func next(_ limit: BatchLimit) throws(FormatError) -> FeatureBatch?
}

/// Writes one layer. The file appears under its name in `finish`, whole, or not at all: a temporary file beside it is
/// renamed; `abandon`, or letting the writer go, removes it. "-" writes to standard output as it goes.
public protocol FeatureWriter: AnyObject {
  func write(_ batch: FeatureBatch) throws(FormatError)
  func finish() throws(FormatError)
  func abandon()
  /// Rows that were written with a loss, because the format has no place for something: M without Z in GeoJSON.
  var problems: [RowProblem] { get }
}

/// A writer of a format that has layers.
package protocol LayeredWriter: FeatureWriter {
  /// Ends the layer before and begins another one in the same file.
  func startLayer(_ layer: Layer) throws(FormatError)
  /// Things the user should know that are no error.
  var warnings: [String] { get }
}

extension FeatureWriter {
  public var problems: [RowProblem] { [] }
}
