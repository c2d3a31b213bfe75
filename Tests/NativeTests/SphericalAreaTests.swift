// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

#if arch(x86_64)
  /// Areas of rings on the sphere against triangles in 80 bits.
  @Suite struct SphericalAreaTests {
    private typealias Ring = [(x: Double, y: Double)]

    /// A star around a place, `size` radians in radius, whose corners are laid out as in a plane beside the place or the pole.
    private func star(_ random: inout TestRandom, size: Double) -> Ring {
      let (count, turn) = (Int.random(in: 3...12, using: &random), Double.random(in: -180...180, using: &random))
      let isPolar = size < 0.3 && Bool.random(using: &random)
      let sign = Bool.random(using: &random) ? 1.0 : -1.0
      // From the pole; some stars have it inside.
      let beside = size * pow(10, Double.random(in: -1...2, using: &random))
      let colatitude = isPolar ? beside : Double.random(in: 0.3...1.5, using: &random)
      return (0..<count).map { corner in
        let heading = 2 * Double.pi * (Double(corner) + Double.random(in: 0...0.7, using: &random)) / Double(count)
        let reach = size * Double.random(in: 0.4...1, using: &random)
        let (east, north) = (reach * sin(heading), reach * cos(heading))
        let x = isPolar ? atan2(east, colatitude - north) : east / sin(min(1.5, max(0.1, colatitude)))
        let y = min(.pi, isPolar ? hypot(east, colatitude - north) : colatitude - north)
        return (turn + x * 180 / .pi, sign * (90 - y * 180 / .pi))
      }
    }

    private func text(_ ring: Ring) -> String {
      "POLYGON((\((ring + ring.prefix(1)).map { "\($0.x) \($0.y)" }.joined(separator: ","))))"
    }

    /// From the distance to the nearer pole, which degrees have without rounding.
    private func cosine(latitude: Double) -> Float80 {
      Foundation.sin((90 - abs(Float80(latitude))) * Float80.pi / 180)
    }

    /// East, north and below of a place in the frame of another, in 80 bits; from differences of the coordinates.
    private func offset(
      _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)
    ) -> (e: Float80, n: Float80, d: Float80) {
      let radians = Float80.pi / 180
      let turn = (Float80(b.x) - Float80(a.x)) * radians
      let rise = (Float80(b.y) - Float80(a.y)) * radians
      let (halfTurn, halfRise) = (Foundation.sin(turn / 2), Foundation.sin(rise / 2))
      let (cosA, cosB) = (cosine(latitude: a.y), cosine(latitude: b.y))
      let sinA = Foundation.sin(Float80(a.y) * radians)
      return (
        cosB * Foundation.sin(turn), Foundation.sin(rise) + 2 * sinA * cosB * halfTurn * halfTurn,
        2 * (halfRise * halfRise + cosA * cosB * halfTurn * halfTurn)
      )
    }

    /// The triangles from the first corner (van Oosterom, Strackee 1983), and the perimeter, on the unit sphere.
    private func exact(_ ring: Ring) -> (area: Float80, perimeter: Float80) {
      var (area, perimeter): (Float80, Float80) = (0, 0)
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        let (p, q) = (offset(ring[0], a), offset(ring[0], b))
        let product = p.e * (q.n - p.n) - p.n * (q.e - p.e)
        let cosine = p.e * q.e + p.n * q.n + (1 - p.d) * (1 - q.d)
        area += 2 * Foundation.atan2(product, 1 + (1 - p.d) + (1 - q.d) + cosine)
        perimeter += 2 * Foundation.asin((offset(a, b).d / 2).squareRoot())
      }
      return (area, perimeter)
    }

    @Test func compactRingsFromMillimetresToContinentsAtAllLatitudes() throws {
      let seed = testSeed()
      var random = TestRandom(seed: seed)
      let radius = 6_371_008.8
      let rings = (0..<900).map { _ in star(&random, size: pow(10, Double.random(in: -9.5 ... -0.5, using: &random))) }
      var seen: [[[Double]]] = []
      for level in NativeLevels.runnable {
        let native = try MeasureRun(LoadedLibrary(level))
        for layout in TestLayout.allCases {
          let geoms = { (rings: [Ring]) in
            try TestGeoms(
              rings.map(text), edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, radius: radius, layout: layout)
          }
          let signed = native.measure(MRD_MEASURE_AREA_SIGNED, try geoms(rings)).column(0)
          let both = native.measure(MRD_MEASURE_PERIMETER_AREA, try geoms(rings), columns: 2)
          let perimeters = native.measure(MRD_MEASURE_PERIMETER, try geoms(rings)).column(0)
          #expect(both.isIntact && both.column(1) == signed.map(abs) && both.column(0) == perimeters, "seed \(seed)")
          seen.append([signed, perimeters])
        }
      }
      for other in seen { #expect(other == seen[0], "seed \(seed)") }
      var compact = 0
      for (row, ring) in rings.enumerated() {
        let (area, perimeter) = exact(ring)
        guard perimeter * perimeter <= 100 * abs(area) else { continue }
        compact += 1
        let right = area * Float80(radius) * Float80(radius)
        #expect(abs(Float80(seen[0][0][row]) - right) <= 1e-11 * abs(right), "seed \(seed): \(text(ring)) \(right)")
      }
      #expect(compact > 600, "seed \(seed)")
    }

    /// Over poles, along half turns, from pole to pole; the same backward. Shares of the whole sphere.
    @Test func edgesOverThePoles() throws {
      let cases: [(ring: [String], share: Double)] = [
        (["0 60", "180 60", "90 0"], -1.0 / 12), (["0 -60", "180 -60", "90 0"], 1.0 / 12),
        (["0 0", "90 0", "180 0"], 1.0 / 4), (["0 90", "30 0", "60 0"], 1.0 / 24),
        (["0 -90", "30 0", "60 0"], -1.0 / 24),
        // Half way between the longitudes of the poles.
        (["0 90", "20 -90", "60 0"], 5.0 / 36), (["350 90", "-10 -90", "370 0"], 1.0 / 18),
      ]
      let native = try MeasureRun(LoadedLibrary("MeridianNative"))
      for (ring, share) in cases {
        for (ring, share) in [(ring, share), (Array(ring.reversed()), -share)] {
          let wkt = "POLYGON((\((ring + ring.prefix(1)).joined(separator: ","))))"
          let geoms = try TestGeoms([wkt], edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, radius: 1)
          let area = native.measure(MRD_MEASURE_AREA_SIGNED, geoms).column(0)[0]
          #expect(abs(area - 4 * .pi * share) <= 4e-15, "\(wkt) \(area / 4 / .pi)")
        }
      }
      // A great circle over both poles, whose sides are equal.
      let circle = try TestGeoms(
        ["POLYGON((-90 0,90 0,0 -90,-90 0))"], edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, radius: 1)
      #expect(abs(native.measure(MRD_MEASURE_AREA, circle).column(0)[0] - 2 * .pi) <= 4e-15)
    }
  }
#endif
