// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import TestSupport
import Testing

/// The native planar measures and GEOS's on the same figures. Both sum in doubles, so they part by rounding; the bounds
/// below are those of GEOS's plain sums, n terms of one ulp each.
@Suite(.enabled(if: Installed.offering("measure.area").contains("geos"))) struct PlanarAgreementPropertyTests {
  private static let ulp = 0x1p-52

  private func figures(_ figures: inout Figures, _ count: Int, of types: [GeometryType]) throws -> GeometrySet {
    var builder = GeometryBuilder()
    for _ in 0..<count { for type in types { try figures.append(type, to: &builder) } }
    return try builder.finish()
  }

  /// The operation by both kernels: one column a pair.
  private func both(_ operation: MeasureOperation, _ set: GeometrySet) throws -> (native: Measured, geos: Measured) {
    func measure(_ kernel: String) throws -> Measured {
      try Installed.host.measure(operation, set, run: Run(rules: "measure.\(operation.name)=\(kernel)"))
    }
    return (try measure("native"), try measure("geos"))
  }

  private func wkt(_ set: GeometrySet, _ row: Int) -> String { "\(NormalForm(set, row: row))" }

  @Test func lengthsAreasAndBounds() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    let set = try self.figures(&figures, Scale.times(60), of: GeometryType.each)
    let extents = (0..<set.count).map { Extent(set, row: $0) }
    for operation in [MeasureOperation.length, .perimeter] {
      let (native, geos) = try both(operation, set)
      for row in 0..<set.count {
        let (a, b) = (native.columns[0][row], geos.columns[0][row])
        let bound = Self.ulp * Double(extents[row].count + 2) * max(a, b)
        #expect(abs(a - b) <= bound, "seed \(seed): \(operation) \(a) \(b) of \(wkt(set, row))")
      }
    }
    let (native, geos) = try both(.area, set)
    for row in 0..<set.count {
      let (extent, a, b) = (extents[row], native.columns[0][row], geos.columns[0][row])
      // Each term is at most side x side, and each partial sum n of them.
      let terms = Double(extent.count * extent.count)
      #expect(
        abs(a - b) <= Self.ulp * terms * extent.side * extent.side, "seed \(seed): area \(a) \(b) of \(wkt(set, row))")
    }
    let bounds = try both(.bounds, set)
    for row in 0..<set.count {
      let (a, b) = (bounds.native.columns.map { $0[row] }, bounds.geos.columns.map { $0[row] })
      #expect(a == b, "seed \(seed): bounds of \(wkt(set, row))")
    }
  }

  /// Rings that cross themselves are left out: GEOS takes the sign of a ring from its highest vertex, M10 from its area.
  @Test func centroids() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    var builder = GeometryBuilder()
    for _ in 0..<Scale.times(60) {
      for type in [GeometryType.point, .multiPoint, .lineString, .multiLineString] {
        try figures.append(type, to: &builder)
      }
      for type in [GeometryType.polygon, .multiPolygon] { try figures.appendStars(type, to: &builder) }
    }
    let set = try builder.finish()
    let (native, geos) = try both(.centroid, set)
    let areas = try both(.area, set).native.columns[0]
    for row in 0..<set.count {
      let extent = Extent(set, row: row)
      let square = extent.side * extent.side
      let isFigure = [.polygon, .multiPolygon].contains(set.type(ofRow: row))
      // Where the area is next to nothing one kernel may see an area and the other a line.
      if isFigure && areas[row] != 0 && areas[row] < 1e-6 * square { continue }
      let weight = isFigure && areas[row] != 0 ? square / areas[row] : 1
      // GEOS adds n terms, triangles and midpoints alike, in the ordinates as they are: each sum rounds by an ulp of the
      // largest, and for areas the terms together are `weight` times what is left of them.
      let n = Double(extent.count)
      let bound = Self.ulp * weight * (n * n * extent.side + (n + 4) * extent.largest)
      for column in 0..<2 {
        let (a, b) = (native.columns[column][row], geos.columns[column][row])
        #expect(abs(a - b) <= bound, "seed \(seed): \(a) \(b) of \(wkt(set, row))")
      }
    }
  }

  /// The closest place of the native kernel is as far as GEOS says the geometry is.
  @Test(arguments: GeometryType.each) func distancesOfPoints(type: GeometryType) throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    var (a, b) = (GeometryBuilder(), GeometryBuilder())
    for _ in 0..<Scale.times(60) {
      let frame = figures.frame()
      try figures.append(.point, to: &a, in: frame)
      try figures.append(type, to: &b, in: frame)
    }
    let (points, others) = (try a.finish(), try b.finish())
    let closest = try Installed.host.measurePair(.closest, points, others, run: Run(rules: "measure.closest=native"))
    let geos = try Installed.host.measurePair(.distance, points, others, run: Run(rules: "measure.distance=geos"))
    for row in 0..<points.count {
      let (native, other) = (closest.columns[0][row], geos.columns[0][row])
      // Cross products over edges as long as the side, of coordinates that were subtracted first.
      let bound = 32 * Self.ulp * (Extent(points, row: row).largest + Extent(others, row: row).side)
      #expect(
        abs(native - other) <= bound,
        "seed \(seed): \(native) \(other) from \(wkt(points, row)) to \(wkt(others, row))")
    }
  }

  /// Douglas-Peucker on lines promises the same of both: input vertices, the ends among them, all others within reach.
  /// Which vertex splits may differ where distances tie.
  @Test func simplifiedLinesStayWithinReach() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    let set = try self.figures(&figures, Scale.times(120), of: [.lineString])
    let tolerance = 0.3
    for kernel in Installed.offering("simplify.douglas_peucker") {
      let simple = try Installed.host.simplify(
        .douglasPeucker, set, options: SimplifyOptions(tolerances: [tolerance]),
        run: Run(rules: "simplify.douglas_peucker=\(kernel)"))
      for row in 0..<set.count where simple.statuses[row] == .ok {
        let (before, after) = (Self.vertices(set, row), Self.vertices(simple.set, row))
        #expect(
          before.first == after.first && before.last == after.last,
          "seed \(seed): ends by \(kernel) of \(wkt(set, row))")
        let reach = tolerance + 8 * Self.ulp * Extent(set, row: row).largest
        for vertex in before {
          let nearest = zip(after, after.dropFirst()).map { Self.distance(vertex, $0, $1) }.min() ?? .infinity
          #expect(nearest <= reach, "seed \(seed): \(nearest) by \(kernel) of \(wkt(set, row))")
        }
      }
    }
  }

  private static func vertices(_ set: GeometrySet, _ row: Int) -> [SIMD2<Double>] {
    guard case .geometry(let number, let index) = set.place(ofRow: row) else { return [] }
    let array = set.arrays[number]
    return array.coordinates(ofRow: index).map { [array.x($0), array.y($0)] }
  }

  private static func distance(_ p: SIMD2<Double>, _ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    let (edge, way) = (b - a, p - a)
    let square = (edge * edge).sum()
    let along = square > 0 ? min(1, max(0, (edge * way).sum() / square)) : 0
    let rest = way - edge * along
    return (rest * rest).sum().squareRoot()
  }
}
