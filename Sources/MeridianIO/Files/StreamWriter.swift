// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What the writers of byte streams have in common: a head, rows, a tail.
public class StreamWriter: FeatureWriter {
  let output: OutputFile
  let layer: Layer
  public private(set) var problems: [RowProblem] = []
  private var begun = false

  init(_ output: OutputFile, layer: Layer) {
    self.output = output
    self.layer = layer
  }

  public func write(_ batch: FeatureBatch) throws(FormatError) {
    if !begun { try begin(with: batch) }
    begun = true
    for row in 0..<batch.count {
      try writeRow(row, of: batch)
      try output.flushIfFull()
    }
  }

  public func finish() throws(FormatError) {
    if !begun { try begin(with: nil) }
    begun = true
    end()
    try output.finish()
  }

  public func abandon() { output.abandon() }

  /// Writes what stands before the rows; `batch` is the first one, nil when there is none.
  func begin(with batch: FeatureBatch?) throws(FormatError) {}
  func writeRow(_ row: Int, of batch: FeatureBatch) throws(FormatError) {}
  func end() {}

  /// Notes that a row was written with a loss.
  func note(_ reason: String, row: Int, of batch: FeatureBatch) {
    problems.append(RowProblem(row: batch.number(ofRow: row), reason: reason))
  }
}
