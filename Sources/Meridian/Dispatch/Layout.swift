// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension GeometryArray {
  /// Checks what kernels trust: offsets that do not go backward, begin at or above 0 and stay inside the level below,
  /// and columns for every coordinate. Reads every offset once. The host calls it for memory that it did not lay out
  /// itself: wrapped arrays and results of kernels.
  public func checkLayout() throws(MeridianError) {
    guard (1...6).contains(type.rawValue), (1...4).contains(dimensions.rawValue) else {
      throw MeridianError(.argument, "the geometry array has an unknown type or dimension")
    }
    let (end, overflow) = Int(geoms.first).addingReportingOverflow(count)
    guard count >= 0, geoms.first >= 0, !overflow, coordinateCount >= 0 else {
      throw MeridianError(.argument, "the geometry array has a negative length")
    }
    guard count > 0 else { return }
    var range = Int(geoms.first)..<end
    for level in 0..<type.offsetLevels { range = try checkOffsets(level, range) }
    guard range.upperBound <= coordinateCount else {
      throw MeridianError(.argument, "the geometry array has offsets that lead behind its coordinates")
    }
    try checkColumns()
  }

  /// Checks the entries `range` of a level and returns what they span below.
  private func checkOffsets(_ level: Int, _ range: Range<Int>) throws(MeridianError) -> Range<Int> {
    let base = level == 0 ? geoms.offsets.0 : level == 1 ? geoms.offsets.1 : geoms.offsets.2
    guard let base, base != emptyLevel || range == 0..<0 else {
      throw MeridianError(.argument, "the geometry array lacks offsets")
    }
    guard
      let (low, high) = geoms.offset_bits == 32
        ? monotoneBounds(base.assumingMemoryBound(to: Int32.self), range)
        : monotoneBounds(base.assumingMemoryBound(to: Int64.self), range)
    else {
      throw MeridianError(.argument, "the geometry array has offsets that go backward or below 0")
    }
    return low..<high
  }

  private func monotoneBounds<T: FixedWidthInteger>(
    _ offsets: UnsafePointer<T>, _ range: Range<Int>
  ) -> (Int, Int)? {
    var last = offsets[range.lowerBound]
    guard last >= 0 else { return nil }
    for index in range {
      let next = offsets[index + 1]
      if next < last { return nil }
      last = next
    }
    return (Int(offsets[range.lowerBound]), Int(last))
  }

  private func checkColumns() throws(MeridianError) {
    guard coordinateCount > 0 else { return }
    let v = geoms.coords.v
    guard v.0 != nil, v.1 != nil, !dimensions.hasZ || v.2 != nil, !dimensions.hasM || v.3 != nil else {
      throw MeridianError(.argument, "the geometry array lacks a column of ordinates")
    }
  }

  /// The coordinate that row `row` begins with; for `count` the end of the last row.
  func coordinateStart(ofRow row: Int) -> Int {
    var at = row + Int(geoms.first)
    for level in 0..<type.offsetLevels { at = offset(level, at) }
    return at
  }

  /// How much work an array is, for progress: coordinates and rows.
  var weight: Double {
    guard count > 0 else { return 0 }
    return Double(coordinateStart(ofRow: count) - coordinateStart(ofRow: 0)) + Double(count)
  }
}

/// How arrays are cut. The cut depends on the array alone, so results do too.
enum Chunks {
  /// Coordinates and rows after which a chunk ends.
  static let size = 65_536

  /// Ranges of rows that cover the array: each holds one row, or at most `size` coordinates and `size` rows.
  static func cut(_ array: GeometryArray, size: Int = size) -> [Range<Int>] {
    var chunks: [Range<Int>] = []
    var row = 0
    while row < array.count {
      let end = chunkEnd(array, from: row, size: size)
      chunks.append(row..<end)
      row = end
    }
    return chunks
  }

  /// The whole array as one piece; none when it is empty.
  static func whole(_ array: GeometryArray) -> [Range<Int>] { array.count > 0 ? [0..<array.count] : [] }

  /// `count` items in even pieces of at least `grain`, at most 256, for work whose items are alike.
  static func even(_ count: Int, grain: Int) -> [Range<Int>] {
    guard count > 0 else { return [] }
    let pieces = max(1, min(256, count / max(1, grain)))
    let (share, rest) = (count / pieces, count % pieces)
    var start = 0
    return (0..<pieces).map { piece in
      let end = start + share + (piece < rest ? 1 : 0)
      defer { start = end }
      return start..<end
    }
  }

  /// Binary search for the last row that still fits.
  private static func chunkEnd(_ array: GeometryArray, from row: Int, size: Int) -> Int {
    let limit = array.coordinateStart(ofRow: row) + size
    var (low, high) = (row + 1, min(array.count, row + size))
    while low < high {
      let middle = low + (high - low + 1) / 2
      if array.coordinateStart(ofRow: middle) <= limit { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
