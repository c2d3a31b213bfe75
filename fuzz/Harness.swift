// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The bytes of a fuzzer's input as a source. The first byte chooses the size of the window, from one byte on, so that
/// every item is also seen across the borders of windows.
func fuzzedSource(_ data: UnsafeRawBufferPointer) -> ByteSource {
  let window = Int(data.first ?? 0)
  return ByteSource(Array(data.dropFirst()), file: "input", windowSize: window < 128 ? window + 1 : 1 << 16)
}

/// Reads all rows in small batches and checks what holds for every reader: row numbers go on without gaps, problems are
/// about rows of their batch, attributes are JSON, and geometries survive WKB bit by bit.
func drain(_ open: () throws(FormatError) -> any FeatureReader) {
  do throws(FormatError) {
    let reader = try open()
    var rows = 0
    while let batch = try reader.next(BatchLimit(rows: 3, coordinates: 64)) {
      precondition(batch.firstRow == rows && batch.count == batch.attributes.count && batch.count > 0)
      rows += batch.count
      precondition(batch.problems.allSatisfy { (batch.firstRow..<rows).contains($0.row) })
      for row in 0..<batch.count { check(batch, row) }
    }
  } catch {
    precondition(!error.description.isEmpty)
  }
}

private func check(_ batch: FeatureBatch, _ row: Int) {
  let attributes = batch.attributes[row]
  let object = ByteSource(attributes.properties, file: "properties", windowSize: attributes.properties.count)
  _ = try? object.more()
  precondition(object.jsonProblem(0..<attributes.properties.count) == nil)
  var text: [UInt8] = []
  _ = GeoJSONText.appendFeature(row, of: batch, to: &text)
  _ = WKTWriter.append(row: row, of: batch.geometries, to: &text)
  var bytes: [UInt8] = []
  guard WKBWriter.append(row: row, of: batch.geometries, to: &bytes) else { return }
  var builder = GeometryBuilder()
  guard case .success(let result) = bytes.withUnsafeBytes({ WKBReader.attempt($0, into: &builder) }),
    let again = try? builder.finish()
  else { preconditionFailure("WKB that was written is not read") }
  precondition(result.length == bytes.count)
  var copy: [UInt8] = []
  precondition(WKBWriter.append(row: 0, of: again, to: &copy) && copy == bytes)
}
