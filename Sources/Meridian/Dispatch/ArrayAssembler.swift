// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Puts rows of several arrays together in a new array: the same type, its multi type, or (where the rows have at most
/// one part) its single type. Polygons may also become lines, one a ring.
///
/// Coordinates are copied in runs; nothing is rounded or reordered.
final class ArrayAssembler {
  private let type: GeometryType
  private let dimensions: Dimensions
  private let model: GeometryModel
  private let offsets: [Buffer]
  private let ordinates: [Buffer]
  private let validity = Buffer()
  private var hasNulls = false
  private var coordinates = 0
  private(set) var count = 0

  init(_ type: GeometryType, _ dimensions: Dimensions, _ model: GeometryModel) {
    self.type = type
    self.dimensions = dimensions
    self.model = model
    offsets = (0..<type.offsetLevels).map { _ in Buffer() }
    ordinates = (0..<dimensions.count).map { _ in Buffer() }
    for buffer in offsets { buffer.append(Int64(0)) }
  }

  /// The rows `rows` of an array, in their order; neighbours are copied together.
  static func gather(_ array: GeometryArray, _ rows: [Int], as type: GeometryType? = nil) -> GeometryArray {
    let assembler = ArrayAssembler(type ?? array.type, array.dimensions, array.model)
    assembler.append(array, rows)
    return assembler.finish()
  }

  func append(_ array: GeometryArray, _ rows: [Int]) {
    var at = 0
    while at < rows.count {
      var end = at + 1
      while end < rows.count && rows[end] == rows[end - 1] + 1 { end += 1 }
      append(array, rows[at]..<(rows[at] + (end - at)))
      at = end
    }
  }

  func append(_ array: GeometryArray, _ rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    for row in rows { appendValidity(!array.isNull(row)) }
    switch array.type.offsetLevels - offsets.count {
    case 0: appendAlike(array, rows)
    case -1: appendPromoted(array, rows)
    default: appendFlattened(array, rows)
    }
  }

  func finish() -> GeometryArray {
    GeometryArray(
      type: type, dimensions: dimensions, count: count, offsets: offsets, ordinates: ordinates,
      validity: hasNulls ? validity : nil, model: model)
  }

  private func appendValidity(_ isPresent: Bool) {
    if count & 7 == 0 { validity.append(UInt8(0)) }
    if isPresent { validity.values(UInt8.self)[count >> 3] |= 1 << UInt8(count & 7) }
    hasNulls = hasNulls || !isPresent
    count += 1
  }

  /// Same levels: offsets are shifted.
  private func appendAlike(_ array: GeometryArray, _ rows: Range<Int>) {
    var span = (rows.lowerBound + Int(array.geoms.first))..<(rows.upperBound + Int(array.geoms.first))
    for level in 0..<offsets.count { span = appendShifted(array, level, span, to: level) }
    appendCoordinates(array, span)
  }

  /// Each row becomes the one part of a row; an empty row has no part.
  private func appendPromoted(_ array: GeometryArray, _ rows: Range<Int>) {
    if array.type == .point { return appendPointsAsParts(array, rows) }
    for row in rows {
      if !array.span(row).isEmpty { offsets[1].append(end(1) + Int64(array.span(row).count)) }
      offsets[0].append(Int64(offsets[1].count / 8 - 1))
    }
    var span = array.span(rows.lowerBound).lowerBound..<array.span(rows.upperBound - 1).upperBound
    for level in 1..<array.type.offsetLevels { span = appendShifted(array, level, span, to: level + 1) }
    appendCoordinates(array, span)
  }

  private func appendPointsAsParts(_ array: GeometryArray, _ rows: Range<Int>) {
    for row in rows {
      if !array.isEmpty(row) { appendCoordinates(array, array.span(row)) }
      offsets[0].append(Int64(coordinates))
    }
  }

  /// The parts of each row become its rings, lines or coordinate.
  private func appendFlattened(_ array: GeometryArray, _ rows: Range<Int>) {
    if type == .point { return appendPartsAsPoints(array, rows) }
    let base = end(0) - Int64(array.offset(1, array.span(rows.lowerBound).lowerBound))
    for row in rows { offsets[0].append(base + Int64(array.offset(1, array.span(row).upperBound))) }
    let parts = array.span(rows.lowerBound).lowerBound..<array.span(rows.upperBound - 1).upperBound
    var span = array.offset(1, parts.lowerBound)..<array.offset(1, parts.upperBound)
    for level in 2..<max(2, array.type.offsetLevels) { span = appendShifted(array, level, span, to: level - 1) }
    appendCoordinates(array, span)
  }

  private func appendPartsAsPoints(_ array: GeometryArray, _ rows: Range<Int>) {
    for row in rows {
      let span = array.span(row)
      if span.isEmpty {
        for buffer in ordinates { buffer.append(Double.nan) }
        coordinates += 1
      } else {
        appendCoordinates(array, span.lowerBound..<(span.lowerBound + 1))
      }
    }
  }

  /// Appends the entries `span` of a level of `array` to a level of the result; returns what they span below.
  private func appendShifted(_ array: GeometryArray, _ level: Int, _ span: Range<Int>, to target: Int) -> Range<Int> {
    let below = array.offset(level, span.lowerBound)..<array.offset(level, span.upperBound)
    let shift = end(target) - Int64(below.lowerBound)
    for index in span { offsets[target].append(Int64(array.offset(level, index + 1)) + shift) }
    return below
  }

  /// The last offset of a level.
  private func end(_ level: Int) -> Int64 {
    let values = offsets[level].values(Int64.self)
    return values[values.count - 1]
  }

  private func appendCoordinates(_ array: GeometryArray, _ span: Range<Int>) {
    for (index, dimension) in dimensions.ordinateNumbers.enumerated() {
      appendOrdinates(array, dimension, span, to: ordinates[index])
    }
    coordinates += span.count
  }

  private func appendOrdinates(_ array: GeometryArray, _ dimension: Int, _ span: Range<Int>, to buffer: Buffer) {
    let v = array.geoms.coords.v
    let s = array.geoms.coords.stride
    let (base, stride) =
      switch dimension {
      case 0: (v.0, s.0)
      case 1: (v.1, s.1)
      case 2: (v.2, s.2)
      default: (v.3, s.3)
      }
    if let base, stride == 8 {
      buffer.append(from: base + span.lowerBound, bytes: span.count * 8)
    } else {
      for coordinate in span { buffer.append(array.ordinate(dimension, coordinate)) }
    }
  }
}

extension Dimensions {
  /// The numbers (x 0, y 1, z 2, m 3) of the ordinates, in storage order.
  var ordinateNumbers: [Int] {
    switch self {
    case .xyz: [0, 1, 2]
    case .xym: [0, 1, 3]
    case .xyzm: [0, 1, 2, 3]
    default: [0, 1]
    }
  }
}
