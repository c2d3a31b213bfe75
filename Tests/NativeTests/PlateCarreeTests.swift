// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// Edges straight in longitude and latitude, laid on the sphere and the ellipsoid: against `Data/plate_carree.csv`, 40
/// digits of another program, and against the geodesics of their pieces.
@Suite struct PlateCarreeTests {
  private static let flattening = 1 / 298.257223563

  private func laid(
    _ wkt: [String?], flattening: Double = flattening, layout: TestLayout = .separated
  ) throws -> TestGeoms {
    try TestGeoms(
      wkt, edges: MRD_EDGES_PLATE_CARREE, metric: flattening == 0 ? MRD_METRIC_SPHERE : MRD_METRIC_ELLIPSOID,
      flattening: flattening, layout: layout)
  }

  /// A line of the file without its kind.
  private struct Fact {
    let flattening: Double
    let fields: [Substring]

    func number(_ index: Int) -> Double { Double(fields[index]) ?? .nan }

    /// `value` less the number in the file, which has more digits than a double.
    func difference(_ value: Double, _ index: Int) -> Double {
      let whole = fields[index].prefix { $0 != "." }
      let isNegative = whole.hasPrefix("-")
      let head = Double(whole) ?? .nan
      let tail = Double("0" + fields[index].dropFirst(whole.count)) ?? .nan
      return (value - head) - (isNegative ? -tail : tail)
    }
  }

  private func facts(_ kind: String) throws -> [[Fact]] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Data/plate_carree.csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix(kind + ",") }
    let all = lines.map { line in
      let fields = line.split(separator: ",")
      return Fact(flattening: Double(fields[1]) ?? .nan, fields: Array(fields.dropFirst(2)))
    }
    return Dictionary(grouping: all, by: \.flattening).values.sorted { $0[0].flattening < $1[0].flattening }
  }

  @Test(arguments: NativeLevels.runnable) func edgesAgreeWithFortyDigits(_ level: String) throws {
    let native = try MeasureRun(LoadedLibrary(level))
    for facts in try facts("edge") {
      let lines = try laid(
        facts.map { "LINESTRING(\($0.fields[0]) \($0.fields[1]),\($0.fields[2]) \($0.fields[3]))" },
        flattening: facts[0].flattening)
      let lengths = native.measure(MRD_MEASURE_LENGTH, lines)
      let places = native.measure(
        MRD_MEASURE_INTERPOLATE, lines, columns: 3, fraction: facts.map { $0.number(5) })
      #expect(lengths.status == MRD_OK && places.status == MRD_OK && lengths.isIntact && places.isIntact)
      for (row, fact) in facts.enumerated() {
        let length = lengths.column(0)[row]
        #expect(abs(fact.difference(length, 4)) <= 15e-9 + 1e-15 * length, "\(fact) \(length)")
        guard length > 0 else { continue }
        try checkPlace(fact, places, row)
      }
    }
  }

  /// The place within 60 nm, the azimuth within what that turns the edge.
  private func checkPlace(_ fact: Fact, _ places: MeasureRun.Result, _ row: Int) throws {
    let latitude = fact.number(7)
    let (dx, dy) = (fact.difference(places.column(0)[row], 6), fact.difference(places.column(1)[row], 7))
    let metres = 111_700.0
    let gap = hypot(dx * metres * cos(latitude * .pi / 180), dy * metres)
    // Half an ulp of longitude and latitude, and where edges wind around a pole, of the place along them.
    let rounding = 180.0.ulp * metres
    #expect(gap <= 60e-9 + rounding, "\(fact) \(gap)")
    let turn = (places.column(2)[row] - fact.number(8)).remainder(dividingBy: 360)
    let toPole = max(1e-9, (90 - abs(latitude)) * metres)
    #expect(abs(turn) <= 1e-12 + 180 / .pi * 100e-9 / toPole, "\(fact) \(places.column(2)[row])")
  }

  @Test(arguments: NativeLevels.runnable) func ringsAgreeWithFortyDigits(_ level: String) throws {
    let native = try MeasureRun(LoadedLibrary(level))
    for facts in try facts("ring") {
      let wkt = facts.map { fact in
        let numbers = fact.fields[2].split(separator: " ")
        let places = stride(from: 0, to: numbers.count, by: 2).map { "\(numbers[$0]) \(numbers[$0 + 1])" }
        return (count: places.count, text: "POLYGON((\((places + [places[0]]).joined(separator: ","))))")
      }
      let rings = try laid(wkt.map(\.text), flattening: facts[0].flattening)
      let signed = native.measure(MRD_MEASURE_AREA_SIGNED, rings).column(0)
      let left = native.measure(MRD_MEASURE_AREA_SIGNED, rings, side: MRD_SIDE_LEFT).column(0)
      let both = native.measure(MRD_MEASURE_PERIMETER_AREA, rings, columns: 2)
      #expect(both.isIntact && both.column(1) == signed.map(abs) && left == signed)
      #expect(both.column(0) == native.measure(MRD_MEASURE_PERIMETER, rings).column(0))
      for (row, fact) in facts.enumerated() {
        let (perimeter, area) = (both.column(0)[row], signed[row])
        let n = Double(wkt[row].count)
        #expect(abs(fact.difference(perimeter, 0)) <= 15e-9 * n + 1e-15 * perimeter, "\(fact) \(perimeter)")
        let isCompact = perimeter * perimeter <= 100 * abs(area)
        let bound = isCompact ? min(1e-11 * abs(area), 1e-4 * n + 5e-14 * abs(area)) : 0.1 * n + 5e-14 * abs(area)
        #expect(abs(fact.difference(area, 1)) <= bound, "\(fact) \(area)")
      }
    }
  }

  @Test func theWorldRectangleIsTheEarth() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let world = try laid([
      "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))", "POLYGON((-180 -90,-180 90,180 90,180 -90,-180 -90))",
      "POLYGON((0 0,360 0,360 90,0 90,0 0))", "POLYGON((170 10,190 10,190 20,170 20,170 10))",
      "POLYGON((170 10,-170 10,-170 20,170 20,170 10))",
    ])
    let signed = native.measure(MRD_MEASURE_AREA_SIGNED, world)
    let whole = 510_065_621_724_088.44
    #expect(abs(signed.column(0)[0] - whole) <= 0.1 && abs(signed.column(0)[1] + whole) <= 0.1)
    #expect(abs(signed.column(0)[2] - whole / 2) <= 0.1)
    // Longitudes are plain numbers: over the antimeridian with 190, the long way round with -170.
    #expect(signed.column(0)[3] > 0 && abs(signed.column(0)[4] + 17 * signed.column(0)[3]) <= 0.1)
    #expect(signed.statuses.allSatisfy { $0 == MRD_ITEM_OK })
    let bounds = native.measure(MRD_MEASURE_BOUNDS, world, columns: 4)
    #expect(bounds.columns.map { $0[3] } == [170, 10, 190, 20] && bounds.columns.map { $0[4] } == [-170, 10, 170, 20])
  }

  /// The geodesics between near places of an edge tend to the edge itself: another kernel's lengths and areas.
  @Test func piecesMeasuredAsGeodesicsComeNear() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<12 {
      let centre = (Double.random(in: -150...150, using: &random), Double.random(in: -70...70, using: &random))
      let size = exp2(Double.random(in: -6...4, using: &random))
      let corners = (0..<3).map { corner in
        let angle = (Double(corner) + Double.random(in: 0...0.8, using: &random)) * 2 * .pi / 3
        return (x: centre.0 + size * cos(angle), y: centre.1 + size * sin(angle))
      }
      let pieces = 400
      let dense = corners.indices.flatMap { index in
        let (a, b) = (corners[index], corners[(index + 1) % 3])
        return (0..<pieces).map { piece in
          let share = Double(piece) / Double(pieces)
          return (x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
        }
      }
      func ring(_ places: [(x: Double, y: Double)]) -> String {
        "POLYGON((\((places + [places[0]]).map { "\($0.x) \($0.y)" }.joined(separator: ","))))"
      }
      let ours = native.measure(MRD_MEASURE_PERIMETER_AREA, try laid([ring(corners)]), columns: 2)
      let theirs = native.measure(
        MRD_MEASURE_PERIMETER_AREA,
        try TestGeoms([ring(dense)], edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID), columns: 2)
      // Edge and geodesic part by L^2 tan phi / 8R at most; lengths differ by the square of that turn.
      let piece = 2 * size / Double(pieces) * .pi / 180
      let steepest = corners.map { abs(tan($0.y * .pi / 180)) }.reduce(0, max)
      let (length, otherLength) = (ours.column(0)[0], theirs.column(0)[0])
      #expect(
        abs(length - otherLength) <= (piece * piece * (1 + steepest * steepest) + 1e-11) * length,
        "seed \(seed): \(corners) \(length) \(otherLength)")
      let gap = piece * piece * 6_400_000 * steepest / 8
      #expect(
        abs(ours.column(1)[0] - theirs.column(1)[0]) <= (gap + 1e-8) * length,
        "seed \(seed): \(corners) \(ours.column(1)[0]) \(theirs.column(1)[0])")
    }
  }

  @Test func piecesHaveEqualLengthAndKeepTheirLongitudes() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let run = native.densify(try laid(["LINESTRING(100 10,300 80)", nil, "LINESTRING(0 0,0 0)"]), metres: 1_000_000)
    #expect(run.status == MRD_OK && run.call.isIntact)
    let (x, y) = (run.call.values(MRD_BUF_X, Double.self), run.call.values(MRD_BUF_Y, Double.self))
    let line = zip(x, y).map { (x: $0, y: $1) }.dropLast(2)
    #expect(line.count > 15 && line.first?.x == 100 && line.last?.x == 300 && line.last?.y == 80)
    let steps = zip(line, line.dropFirst()).map { "LINESTRING(\($0.x) \($0.y),\($1.x) \($1.y))" }
    let lengths = native.measure(MRD_MEASURE_LENGTH, try laid(steps)).column(0)
    for (index, place) in line.enumerated() {
      #expect(abs(lengths[min(index, lengths.count - 1)] - lengths[0]) < 1e-6)
      // New vertices lie on the straight line of the map.
      #expect(abs((place.x - 100) * 70 - (place.y - 10) * 200) < 1e-11 * 200)
    }
  }

  @Test func whatCannotBeMeasuredSaysSo() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let lines = try laid([
      "LINESTRING(0 91,1 1)", nil, "LINESTRING EMPTY", "LINESTRING(0 nan,1 1)", "LINESTRING(inf 0,1 1)",
      "LINESTRING(0 0,180 0)", "LINESTRING(1e308 0,-1e308 80)", "LINESTRING(0 90,1e300 89)", "LINESTRING(3 4)",
      "LINESTRING(0 90,1e15 89.99999999999999)",
    ])
    let result = native.measure(MRD_MEASURE_LENGTH, lines)
    #expect(
      result.statuses == [
        MRD_ITEM_DOMAIN, MRD_ITEM_NULL, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE, MRD_ITEM_NONFINITE, MRD_ITEM_OK,
        MRD_ITEM_OK, MRD_ITEM_OK, MRD_ITEM_OK, MRD_ITEM_OK,
      ])
    #expect(abs(result.column(0)[5] - .pi * 6_378_137) <= 15e-9 && result.column(0)[8] == 0)
    #expect(!result.column(0)[6].isFinite && result.column(0)[9].isFinite)
    let points = try laid(["POINT(0 0)"])
    #expect(native.pair(MRD_MEASURE_DISTANCE, points, points, columns: 1).status == MRD_E_UNSUPPORTED)
    #expect(native.direct(points, azimuth: [0], distance: [0]).status == MRD_E_UNSUPPORTED)
    #expect(native.measure(MRD_MEASURE_CENTROID, lines, columns: 2).status == MRD_E_UNSUPPORTED)
    let flat = try laid(["LINESTRING(0 0,1 1)"], flattening: 1.0 / 40)
    #expect(native.measure(MRD_MEASURE_LENGTH, flat).status == MRD_E_UNSUPPORTED)
  }

  @Test func everyLevelAndLayoutGivesTheSameBits() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let wkt = (0..<120).map { row in
      let size = exp2(Double(row % 24) - 16)
      let lat = Double.random(in: -89...89, using: &random)
      let places = (0..<(3 + row % 5)).map { _ in
        let x = Double.random(in: -180...180, using: &random)
        let y = max(-90, min(90, lat + Double.random(in: -size...size, using: &random)))
        return "\(x * size) \(y)"
      }
      return "POLYGON((\((places + [places[0]]).joined(separator: ","))))"
    }
    var seen: [[[Double]]] = []
    for level in NativeLevels.runnable {
      let native = try MeasureRun(LoadedLibrary(level))
      for layout in TestLayout.allCases {
        let result = native.measure(MRD_MEASURE_PERIMETER_AREA, try laid(wkt, layout: layout), columns: 2)
        seen.append(result.columns)
      }
    }
    for other in seen { #expect(other == seen[0], "seed \(seed)") }
  }
}
