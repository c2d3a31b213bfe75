// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport

/// One line of `Data/geodesics.csv`.
struct GeodesicFact {
  let kind: String
  let flattening: Double
  let (lat1, lon1, lat2, lon2): (Double, Double, Double, Double)
  /// The distance as a sum of two doubles: the file has more digits than one holds.
  let distance: (head: Double, tail: Double)
  let azimuth1: Double
  let azimuth2: Double
  let reducedLength: Double
  let text: String

  init(_ line: Substring) throws {
    let fields = line.split(separator: ",")
    let numbers = fields.dropFirst().compactMap { Double($0) }
    guard fields.count == 10, numbers.count == 9 else { throw TestFailure("no fact: \(line)") }
    kind = String(fields[0])
    flattening = numbers[0]
    (lat1, lon1, lat2, lon2) = (numbers[1], numbers[2], numbers[3], numbers[4])
    // Whole metres are exact, and so is the fraction to 1e-17.
    let whole = fields[6].prefix { $0 != "." }
    distance = (Double(whole) ?? .nan, Double("0" + fields[6].dropFirst(whole.count)) ?? .nan)
    (azimuth1, azimuth2, reducedLength) = (numbers[6], numbers[7], numbers[8])
    text = String(line)
  }

  func distanceError(_ value: Double) -> Double { abs((value - distance.head) - distance.tail) }

  /// All facts, by flattening.
  static func all() throws -> [[GeodesicFact]] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Data/geodesics.csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(grouping: try lines.map(GeodesicFact.init), by: \.flattening).values.sorted {
      $0[0].flattening < $1[0].flattening
    }
  }

  static func points(_ places: [(lon: Double, lat: Double)], flattening: Double) throws -> TestGeoms {
    try TestGeoms(
      places.map { "POINT(\($0.lon) \($0.lat))" }, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID,
      flattening: flattening)
  }
}
