// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport

/// One line of `Data/closest.csv`.
struct ClosestFact {
  let kind: String
  let flattening: Double
  let point: (lon: Double, lat: Double)
  let start: (lon: Double, lat: Double)
  let end: (lon: Double, lat: Double)
  /// As a sum of two doubles: the file has more digits than one holds.
  let distance: (head: Double, tail: Double)
  let along: Double
  let length: Double
  /// MRD_CLOSEST_*.
  let place: Int32
  let foot: (lon: Double, lat: Double)
  /// The second derivative of the distance along the edge, 1/m.
  let slope: Double
  let text: String

  init(_ line: Substring) throws {
    let fields = line.split(separator: ",")
    let numbers = fields.compactMap { Double($0) }
    let kinds = ["start": MRD_CLOSEST_START, "interior": MRD_CLOSEST_INTERIOR, "end": MRD_CLOSEST_END]
    guard fields.count == 15, numbers.count == 13, let place = kinds[String(fields[11])] else {
      throw TestFailure("no fact: \(line)")
    }
    kind = String(fields[0])
    flattening = numbers[0]
    point = (numbers[1], numbers[2])
    start = (numbers[3], numbers[4])
    end = (numbers[5], numbers[6])
    let whole = fields[8].prefix { $0 != "." }
    distance = (Double(whole) ?? .nan, Double("0" + fields[8].dropFirst(whole.count)) ?? .nan)
    (along, length) = (numbers[8], numbers[9])
    self.place = place
    foot = (numbers[10], numbers[11])
    slope = numbers[12]
    text = String(line)
  }

  func distanceError(_ value: Double) -> Double { abs((value - distance.head) - distance.tail) }

  var edge: String { "LINESTRING(\(start.lon) \(start.lat),\(end.lon) \(end.lat))" }

  /// All facts, by flattening.
  static func all() throws -> [[ClosestFact]] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Data/closest.csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(grouping: try lines.map(ClosestFact.init), by: \.flattening).values.sorted {
      $0[0].flattening < $1[0].flattening
    }
  }
}
