// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Writes one feature a line, each behind a record separator (RFC 8142) when that is wanted. The text of properties may
/// hold line ends, which JSON allows between its tokens; without separators they become spaces, since a line is a record.
public final class GeoJSONSeqWriter: StreamWriter {
  private let separated: Bool

  init(_ output: OutputFile, layer: Layer, separated: Bool) {
    self.separated = separated
    super.init(output, layer: layer)
  }

  override func writeRow(_ row: Int, of batch: FeatureBatch) {
    if separated { output.buffer.append(GeoJSONSeqReader.recordSeparator) }
    let start = output.buffer.count
    if let loss = GeoJSONText.appendFeature(row, of: batch, to: &output.buffer) {
      note(loss.reason, row: row, of: batch)
    }
    if !separated {
      for index in start..<output.buffer.count where [0x0A, 0x0D].contains(output.buffer[index]) {
        output.buffer[index] = 0x20
      }
    }
    output.buffer.append(UInt8(ascii: "\n"))
  }
}
