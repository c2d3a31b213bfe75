// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Writes geometries one behind the other in binary, or one a line in hexadecimal. The format has no place for ids and
/// properties; a null row is the word `NULL` in hexadecimal and is left out of binary, which is reported.
public final class WKBFileWriter: StreamWriter {
  private let options: WKBWriter.Options
  private let hexadecimal: Bool

  init(_ output: OutputFile, layer: Layer, options: WKBWriter.Options, hexadecimal: Bool) {
    self.options = options
    self.hexadecimal = hexadecimal
    super.init(output, layer: layer)
  }

  override func writeRow(_ row: Int, of batch: FeatureBatch) {
    if hexadecimal { return writeLine(row, of: batch) }
    if !WKBWriter.append(row: row, of: batch.geometries, to: &output.buffer, options: options) {
      note("a null geometry has no place in binary WKB; the row was left out", row: row, of: batch)
    }
  }

  private func writeLine(_ row: Int, of batch: FeatureBatch) {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    if WKBWriter.append(row: row, of: batch.geometries, to: &bytes, options: options) {
      for byte in bytes {
        output.buffer.append(digits[Int(byte >> 4)])
        output.buffer.append(digits[Int(byte & 15)])
      }
    } else {
      output.buffer.append(text: "NULL")
    }
    output.buffer.append(UInt8(ascii: "\n"))
  }
}
