// SPDX-License-Identifier: Apache-2.0

/// A box as the user asked for it, or a point without extent.
public struct QueryBox: Sendable, Equatable {
  /// xmin, ymin, xmax, ymax.
  public let bounds: [Double]

  /// "xmin,ymin,xmax,ymax", nil when it is no box: a minimum above its maximum would meet nothing, without a word.
  public init?(window text: String) {
    guard let numbers = Self.numbers(text, count: 4), numbers[0] <= numbers[2], numbers[1] <= numbers[3]
    else { return nil }
    bounds = numbers
  }

  /// "x,y"
  public init?(point text: String) {
    guard let numbers = Self.numbers(text, count: 2) else { return nil }
    bounds = numbers + numbers
  }

  private static func numbers(_ text: String, count: Int) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.filter { $0 != " " }) }
    return numbers.count == count && parts.count == count && !numbers.contains { $0.isNaN } ? numbers : nil
  }

  func text(_ count: Int) -> String { bounds.prefix(count).map { JSONText.numberText($0) }.joined(separator: ",") }
  func list(_ count: Int) -> Value { .list(bounds.prefix(count).map { .number($0) }) }
}

/// A row whose box meets a window.
public struct WindowRow: ReportRow {
  let window: QueryBox
  let row: Int64
  public static let columns = ["window", "row"]
  public var fields: [Field] { [Field("window", window.list(4)), Field("row", .integer(Int(row)))] }
  public var records: [[Value]] { [[.text(window.text(4)), .integer(Int(row))]] }
  public var lines: [String] { ["\(row)"] }
}

/// How many boxes meet a window.
public struct CountRow: ReportRow {
  let window: QueryBox
  let count: Int
  public static let columns = ["window", "count"]
  public var fields: [Field] { [Field("window", window.list(4)), Field("count", .integer(count))] }
  public var records: [[Value]] { [[.text(window.text(4)), .integer(count)]] }
  public var lines: [String] { ["\(count)"] }
}

/// A neighbour of a point; rank 0 is the nearest.
public struct NearestRow: ReportRow {
  let point: QueryBox
  let rank: Int
  let row: Int64
  let distance: Double
  public static let columns = ["point", "rank", "row", "distance"]
  public var fields: [Field] {
    [
      Field("point", point.list(2)), Field("rank", .integer(rank)), Field("row", .integer(Int(row))),
      Field("distance", .number(distance)),
    ]
  }
  public var records: [[Value]] { [[.text(point.text(2)), .integer(rank), .integer(Int(row)), .number(distance)]] }
  public var lines: [String] { ["\(row)  \(JSONText.numberText(distance))"] }
}
