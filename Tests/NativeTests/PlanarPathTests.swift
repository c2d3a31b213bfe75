// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// The vector loops of the plane: paths of every length, in every layout, on every level.
@Suite struct PlanarPathTests {
  private typealias Ring = [(x: Double, y: Double)]

  private func text(_ places: Ring) -> String { places.map { "\($0.x) \($0.y)" }.joined(separator: ",") }

  /// A star around a centre; closed.
  private func star(_ count: Int, _ random: inout TestRandom) -> Ring {
    let centre = (Double.random(in: -1e6...1e6, using: &random), Double.random(in: -1e6...1e6, using: &random))
    let size = exp2(Double.random(in: -10...20, using: &random))
    let ring: Ring = (0..<count).map { corner in
      let angle = (Double(corner) + Double.random(in: 0...0.9, using: &random)) * 2 * .pi / Double(count)
      let radius = size * Double.random(in: 0.5...1, using: &random)
      return (centre.0 + radius * cos(angle), centre.1 + radius * sin(angle))
    }
    return ring + [ring[0]]
  }

  /// Exactly enough: products of 80-bit numbers about a corner, 11 bits beyond a double.
  private func area(_ ring: Ring) -> Double {
    #if arch(x86_64)
      var twice: Float80 = 0
      let origin = ring[0]
      for (a, b) in zip(ring, ring.dropFirst()) {
        let (ax, ay) = (Float80(a.x) - Float80(origin.x), Float80(a.y) - Float80(origin.y))
        let (bx, by) = (Float80(b.x) - Float80(origin.x), Float80(b.y) - Float80(origin.y))
        twice += ax * by - ay * bx
      }
      return Double(twice / 2)
    #else
      return .nan
    #endif
  }

  private func length(_ ring: Ring) -> Double {
    zip(ring, ring.dropFirst()).map { hypot($1.x - $0.x, $1.y - $0.y) }.reduce(0, +)
  }

  @Test func pathsOfEveryLengthOnEveryLevelInEveryLayout() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let rings = (Array(3...40) + [700, 4095, 4097, 9000]).map { star($0, &random) }
    let polygons = rings.map { "POLYGON((\(text($0))))" }
    let lines = rings.map { "LINESTRING(\(text($0)))" }
    var seen: [[[Double]]] = []
    for level in NativeLevels.runnable {
      let native = try MeasureRun(LoadedLibrary(level))
      for layout in TestLayout.allCases {
        let shapes = try TestGeoms(polygons, layout: layout)
        let both = native.measure(MRD_MEASURE_PERIMETER_AREA, shapes, columns: 2)
        #expect(both.isIntact && both.statuses.allSatisfy { $0 == MRD_ITEM_OK })
        let signed = native.measure(MRD_MEASURE_AREA_SIGNED, shapes).columns
        let lengths = native.measure(MRD_MEASURE_LENGTH, try TestGeoms(lines, layout: layout)).columns
        let bounds = native.measure(MRD_MEASURE_BOUNDS, shapes, columns: 4).columns
        seen.append(both.columns + signed + lengths + bounds)
      }
    }
    for other in seen { #expect(other == seen[0], "seed \(seed)") }
    for (row, ring) in rings.enumerated() {
      let (perimeter, area) = (seen[0][0][row], seen[0][2][row])
      #expect(seen[0][1][row] == abs(area) && seen[0][3][row] == perimeter)
      #expect(abs(perimeter - length(ring)) <= 1e-13 * perimeter, "seed \(seed): row \(row)")
      #if arch(x86_64)
        let exact = self.area(ring)
        #expect(abs(area - exact) <= 1e-15 * abs(exact), "seed \(seed): row \(row) \(area) \(exact)")
      #endif
      let box = [
        ring.map(\.x).min(), ring.map(\.y).min(), ring.map(\.x).max(), ring.map(\.y).max(),
      ]
      #expect((4..<8).map { seen[0][$0][row] } == box.map { $0 ?? .nan }, "seed \(seed): row \(row)")
    }
  }

  @Test func oneBadNumberAnywhereMakesTheRowAnError() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    for count in [4, 8, 9, 10, 17, 25] {
      for at in 0..<count {
        for (bad, status) in [("nan", MRD_ITEM_NONFINITE), ("-inf", MRD_ITEM_NONFINITE), ("1e200", MRD_ITEM_DOMAIN)] {
          let places = (0..<count).map { $0 == at ? "\($0) \(bad)" : "\($0) \($0 * $0)" }
          let rows = ["LINESTRING(0 0,1 1)", "LINESTRING(\(places.joined(separator: ",")))", "LINESTRING(0 0,3 4)"]
          let lines = try TestGeoms(rows)
          let length = native.measure(MRD_MEASURE_LENGTH, lines)
          #expect(length.statuses == [MRD_ITEM_OK, status, MRD_ITEM_OK], "\(rows[1])")
          #expect(length.column(0)[1].isNaN && length.column(0)[2] == 5)
          let bounds = native.measure(MRD_MEASURE_BOUNDS, lines, columns: 4)
          let expected = status == MRD_ITEM_DOMAIN ? MRD_ITEM_OK : status
          #expect(bounds.statuses == [MRD_ITEM_OK, expected, MRD_ITEM_OK], "\(rows[1])")
          let rings = try TestGeoms(["POLYGON((\((places + [places[0]]).joined(separator: ","))))"])
          let area = native.measure(MRD_MEASURE_PERIMETER_AREA, rings, columns: 2)
          #expect(area.statuses == [status] && area.column(0)[0].isNaN && area.column(1)[0].isNaN, "\(places)")
        }
      }
    }
  }

  @Test func edgesThatSquaresWouldLoseAmongOthers() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let tiny = (0..<12).map { "\($0 % 2 == 0 ? "0" : "3e-200") \($0 % 2 == 0 ? "0" : "4e-200")" }
    let lines = try TestGeoms(["LINESTRING(\(tiny.joined(separator: ",")))", "LINESTRING(1 1,1 1,1 1,1 1)"])
    let length = native.measure(MRD_MEASURE_LENGTH, lines).column(0)
    #expect(abs(length[0] - 11 * 5e-200) <= 1e-215 && length[1] == 0)
  }
}
