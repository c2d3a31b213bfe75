// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Puts a batch together row by row. Readers add the geometry to `builder`, then `accept` the row, or `reject` it.
struct BatchAssembler {
  var builder: GeometryBuilder
  private(set) var attributes: [Attributes] = []
  private(set) var problems: [RowProblem] = []
  let firstRow: Int
  private let limit: BatchLimit
  /// nil = not kept.
  private var texts: [[UInt8]]?

  init(model: GeometryModel, firstRow: Int, limit: BatchLimit, keepsText: Bool = false) {
    texts = keepsText ? [] : nil
    builder = GeometryBuilder(model: model)
    self.firstRow = firstRow
    self.limit = limit
  }

  /// The row that is being read, counted from 0 in its layer.
  var row: Int { firstRow + attributes.count }

  var isFull: Bool {
    !attributes.isEmpty && (attributes.count >= limit.rows || builder.coordinateCount >= limit.coordinates)
  }

  /// Ends a row whose geometry is in the builder.
  mutating func accept(_ attributes: Attributes) { self.attributes.append(attributes) }

  /// Notes that the row that is being read loses something.
  mutating func note(_ problem: RowProblem) { problems.append(problem) }

  /// Ends a row that could not be read: its geometry is null.
  mutating func reject(_ problem: RowProblem, attributes: Attributes = Attributes()) {
    builder.abandonRow()
    // Cannot fail: nothing is open after `abandonRow`.
    try? builder.null()
    problems.append(problem)
    self.attributes.append(attributes)
  }

  /// Keeps the text of the row that was just ended, where texts are kept.
  mutating func keep(text: UnsafeRawBufferPointer) {
    guard texts != nil else { return }
    fillTexts(upTo: attributes.count - 1)
    texts?.append(Array(text))
  }

  private mutating func fillTexts(upTo count: Int) {
    while let kept = texts?.count, kept < count { texts?.append([]) }
  }

  /// The batch, or nil when no row was read.
  mutating func finish() -> FeatureBatch? {
    guard !attributes.isEmpty, let set = try? builder.finish() else { return nil }
    fillTexts(upTo: attributes.count)
    var batch = FeatureBatch(geometries: set, firstRow: firstRow, attributes: attributes, problems: problems)
    batch.texts = texts
    return batch
  }
}
