// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Writes one geometry a line; a null row is the word `NULL`. The format has no place for ids and properties.
public final class WKTFileWriter: StreamWriter {
  override func writeRow(_ row: Int, of batch: FeatureBatch) {
    if !WKTWriter.append(row: row, of: batch.geometries, to: &output.buffer) { output.buffer.append(text: "NULL") }
    output.buffer.append(UInt8(ascii: "\n"))
  }
}
