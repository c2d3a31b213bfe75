// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import MeridianABI
import TestSupport
import Testing

/// PROJ's geodesics with flattening 0 and the native great circles on one sphere, from nanometres to antipodes.
@Suite(.enabled(if: Installed.offering("measure.inverse").contains("proj"))) struct SphereAgreementPropertyTests {
  private static let sphere = GeometryModel(
    edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, semiMajor: 6_371_008.8, flattening: 0)
  private static let kernels = ["proj", "native"]

  /// Places that formulas dislike among random ones: poles, the antimeridian, longitudes of another turn.
  private func place(_ figures: inout Figures) -> (Double, Double) {
    switch figures.integer(0...9) {
    case 0: (figures.number(-180...180), figures.integer(0...1) == 0 ? -90 : 90)
    case 1: (figures.integer(0...1) == 0 ? -180 : 180, figures.number(-90...90))
    case 2: (figures.number(180...540), figures.number(-90...90))
    case 3: (figures.number(-180...180), 0)
    default: (figures.number(-180...180), figures.number(-90...90))
    }
  }

  /// Another place: at any distance from it, the same one and nearly opposite ones among them.
  private func partner(of a: (Double, Double), _ figures: inout Figures) -> (Double, Double) {
    switch figures.integer(0...5) {
    case 0: return a
    case 1:
      let size = pow(10, figures.number(-12...0))
      return (a.0 + size * figures.number(-1...1), min(90, max(-90, a.1 + size * figures.number(-1...1))))
    case 2: return (a.0 + 180 - 1e-3 * figures.number(-1...1), min(90, max(-90, -a.1 + 1e-3 * figures.number(-1...1))))
    default: return place(&figures)
    }
  }

  private func points(_ places: [(Double, Double)]) throws -> GeometrySet {
    var builder = GeometryBuilder(model: Self.sphere)
    for (x, y) in places {
      try builder.begin(.point, .xy)
      builder.add(x, y)
      try builder.end()
    }
    return try builder.finish()
  }

  private func both(_ operation: String, _ measure: (Run) throws -> Measured) rethrows -> (Measured, Measured) {
    (try measure(Run(rules: "measure.\(operation)=proj")), try measure(Run(rules: "measure.\(operation)=native")))
  }

  private func turn(_ a: Double, _ b: Double) -> Double { abs((a - b).remainder(dividingBy: 360)) }

  @Test func inverse() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    let a = (0..<Scale.times(400)).map { _ in place(&figures) }
    let b = a.map { partner(of: $0, &figures) }
    let (from, to) = (try points(a), try points(b))
    let (proj, native) = try both("inverse") { try Installed.host.measurePair(.inverse, from, to, run: $0) }
    for row in a.indices {
      let distance = native.columns[0][row]
      #expect(abs(proj.columns[0][row] - distance) <= 30e-9, "seed \(seed): \(a[row]) \(b[row])")
      // An azimuth is known to 15 nm over the reduced length, by each of the two.
      let reduced = abs(Self.sphere.semiMajor * sin(distance / Self.sphere.semiMajor))
      guard reduced > 1, abs(a[row].1) < 89.999, abs(b[row].1) < 89.999 else { continue }
      let bound = (60e-9 / reduced + 1e-15) * 180 / .pi + 1e-13
      for column in 1...2 {
        #expect(
          turn(proj.columns[column][row], native.columns[column][row]) <= bound,
          "seed \(seed): \(a[row]) \(b[row]) \(proj.columns[column][row]) \(native.columns[column][row])")
      }
    }
  }

  @Test func direct() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    let places = (0..<Scale.times(300)).map { _ in place(&figures) }
    let azimuths = places.map { _ in figures.number(-180...540) }
    let distances = places.map { _ in figures.number(-1...1) * pow(10, figures.number(-3...7.3)) }
    let from = try points(places)
    let (proj, native) = try both("direct") {
      try Installed.host.measureDirect(from, azimuths: azimuths, distances: distances, run: $0)
    }
    let (ends, others) = (zip(proj.columns[0], proj.columns[1]), zip(native.columns[0], native.columns[1]))
    let apart = try Installed.host.measurePair(.distance, points(Array(ends)), points(Array(others)))
    for row in places.indices {
      #expect(
        apart.columns[0][row] <= 30e-9, "seed \(seed): \(places[row]) \(azimuths[row]) \(distances[row])")
    }
  }

  private func lines(_ figures: inout Figures, _ count: Int) throws -> GeometrySet {
    var builder = GeometryBuilder(model: Self.sphere)
    for _ in 0..<count {
      try builder.begin(.lineString, .xy)
      var at = place(&figures)
      for _ in 0..<figures.integer(2...9) {
        builder.add(at.0, at.1)
        at = partner(of: at, &figures)
      }
      try builder.end()
    }
    return try builder.finish()
  }

  @Test func lengths() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    let set = try lines(&figures, Scale.times(150))
    let (proj, native) = try both("length") { try Installed.host.measure(.length, set, run: $0) }
    for row in 0..<set.count {
      let bound = 30e-9 * Double(Extent(set, row: row).count)
      #expect(abs(proj.columns[0][row] - native.columns[0][row]) <= bound, "seed \(seed): \(NormalForm(set, row: row))")
    }
  }

  @Test func placesAlongLines() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    // Points not nearly opposite: there a line's way hangs on the last bits of its ends.
    var builder = GeometryBuilder(model: Self.sphere)
    let count = Scale.times(100)
    for _ in 0..<count {
      try builder.begin(.lineString, .xy)
      let (x, y) = (figures.number(-180...180), figures.number(-70...70))
      for _ in 0..<figures.integer(2...6) { builder.add(x + figures.number(-40...40), y + figures.number(-19...19)) }
      try builder.end()
    }
    let set = try builder.finish()
    var options = MeasureOptions()
    options.atFraction = (0..<count).map { $0 % 10 == 0 ? 0 : $0 % 10 == 1 ? 1 : figures.number(0...1) }
    let (proj, native) = try both("interpolate") {
      try Installed.host.measure(.interpolate, set, options: options, run: $0)
    }
    let apart = try Installed.host.measurePair(
      .distance, points(Array(zip(proj.columns[0], proj.columns[1]))),
      points(Array(zip(native.columns[0], native.columns[1]))))
    for row in 0..<count {
      #expect(apart.columns[0][row] <= 6 * 60e-9, "seed \(seed): \(NormalForm(set, row: row))")
    }
    options.atFraction = nil
    options.maxEdgeMetres = 500_000
    let dense = try Self.kernels.map {
      try Installed.host.densify(set, options: options, run: Run(rules: "measure.densify=\($0)")).set
    }
    for row in 0..<count {
      let forms = dense.map { NormalForm($0, row: row) }
      #expect(forms[0].equals(forms[1], tolerance: 1e-11), "seed \(seed): \(NormalForm(set, row: row))")
    }
  }

  @Test func areasAndBounds() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    var builder = GeometryBuilder(model: Self.sphere)
    let count = Scale.times(60)
    for _ in 0..<count {
      let (x, y, size) = (figures.number(-180...180), figures.number(-89...89), pow(10, figures.number(-6...1.9)))
      try builder.begin(.polygon, .xy)
      try builder.ring()
      let ring = (0..<figures.integer(3...9)).map { _ in
        (x + size * figures.number(-1...1), min(90, max(-90, y + size * figures.number(-1...1))))
      }
      for (x, y) in ring + ring.prefix(1) { builder.add(x, y) }
      try builder.end()
    }
    let set = try builder.finish()
    let (proj, native) = try both("area_signed") { try Installed.host.measure(.areaSigned, set, run: $0) }
    for row in 0..<count {
      let (a, b) = (proj.columns[0][row], native.columns[0][row])
      let bound = 0.1 * Double(Extent(set, row: row).count) + 5e-14 * abs(a)
      #expect(abs(a - b) <= bound, "seed \(seed): \(a) \(b) \(NormalForm(set, row: row))")
    }
    let bounds = try both("bounds") { try Installed.host.measure(.bounds, set, run: $0) }
    for row in 0..<count where abs(native.columns[0][row]) > 10 {
      for column in 0..<4 {
        let (a, b) = (bounds.0.columns[column][row], bounds.1.columns[column][row])
        #expect(abs(a - b) < 1e-11, "seed \(seed): \(a) \(b) \(NormalForm(set, row: row))")
      }
    }
  }
}
