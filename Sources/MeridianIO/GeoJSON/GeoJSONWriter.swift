// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Writes a FeatureCollection, one feature a line. Ids, properties and foreign members are written byte for byte.
///
/// RFC 7946 knows longitude and latitude alone; coordinates of another system get the `crs` member of GeoJSON 2008, which
/// GDAL and QGIS read, rather than pass for degrees.
public final class GeoJSONWriter: StreamWriter {
  private var isFirst = true

  override func begin(with batch: FeatureBatch?) {
    output.buffer.append(text: #"{"type":"FeatureCollection","#)
    output.buffer.append(UInt8(ascii: "\n"))
    if case .other(let name) = layer.crs {
      let urn = layer.crs.srid.map { "urn:ogc:def:crs:EPSG::\($0)" } ?? name
      output.buffer.append(text: #""crs":{"type":"name","properties":{"name":"#)
      JSONText.appendString(urn.utf8, to: &output.buffer)
      output.buffer.append(text: "}},\n")
    }
    output.buffer.append(text: #""features":["#)
  }

  override func writeRow(_ row: Int, of batch: FeatureBatch) {
    output.buffer.append(text: isFirst ? "\n" : ",\n")
    isFirst = false
    if let loss = GeoJSONText.appendFeature(row, of: batch, to: &output.buffer) {
      note(loss.reason, row: row, of: batch)
    }
  }

  override func end() { output.buffer.append(text: "\n]}\n") }
}
