// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What the readers of byte streams have in common: batches are filled row by row, and an error that ends the reading is
/// told after the rows before it were handed out.
public class StreamReader: FeatureReader {
  let source: ByteSource
  public internal(set) var layer: Layer
  var notes: [String] = []
  private var row = 0
  private var failure: FormatError?
  /// What the first row said of its reference; nil = there was no row yet.
  private var firstSRID: Int32??
  private let chosenModel: GeometryModel?
  /// Batches have the text of each feature, in formats of GeoJSON.
  var keepsText = false

  init(_ source: ByteSource, layer: Layer, model: GeometryModel?) {
    self.source = source
    self.layer = layer
    chosenModel = model
  }

  public var file: String { source.file }
  public var fractionRead: Double? { source.fractionRead }
  public var warnings: [String] { notes }

  /// The user's model, or else geodesic for longitude and latitude and planar for everything else.
  private var model: GeometryModel { chosenModel ?? (layer.crs == .lonLat ? .wgs84 : .planar) }

  public func next(_ limit: BatchLimit = BatchLimit()) throws(FormatError) -> FeatureBatch? {
    if let failure { throw failure }
    var batch = BatchAssembler(model: model, firstRow: row, limit: limit, keepsText: keepsText)
    do {
      while !batch.isFull, try readRow(into: &batch) {}
    } catch {
      batch.builder.abandonRow()
      failure = error
    }
    row = batch.row
    if let filled = batch.finish() { return filled }
    if let failure { throw failure }
    return nil
  }

  /// Reads one row, good or bad, into the batch; false at the end of the input.
  func readRow(into batch: inout BatchAssembler) throws(FormatError) -> Bool { false }

  /// Tells when a row of EWKB or EWKT names another reference than the first one did.
  func track(_ srid: Int32?, row: Int) {
    if let first = firstSRID, first != srid {
      note("the SRID changes at row \(row) and perhaps again; the first one counts")
    }
    if firstSRID == nil { firstSRID = .some(srid) }
  }

  /// Adds a warning once.
  func note(_ warning: String) {
    if !notes.contains(warning) { notes.append(warning) }
  }
}
