// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// Tolerances in metres and pixels, protected vertices, refusals.
@Suite struct SimplifyUnitTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  private func run(_ wkt: String, _ options: SimplifyRun.Options) throws -> SimplifyRun {
    try SimplifyRun(library, try TestGeoms([wkt], edges: MRD_EDGES_PLANAR, metric: MRD_METRIC_ELLIPSOID), options)
  }

  /// A bump to the east of so many degrees at a latitude, and its height in metres by the parallel's radius.
  @Test(arguments: [0.0, 45, 60, 80, 89]) func metresAtEveryLatitude(latitude: Double) throws {
    let degrees = 1e-3
    let wkt = "LINESTRING(10 \(latitude - 0.01),\(10 + degrees) \(latitude),10 \(latitude + 0.01))"
    let (sine, cosine) = (sin(latitude * .pi / 180), cos(latitude * .pi / 180))
    let flattening = 1 / 298.257223563
    let eccentricity2 = flattening * (2 - flattening)
    let height = degrees * .pi / 180 * 6_378_137 * cosine / (1 - eccentricity2 * sine * sine).squareRoot()
    var options = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER, height * (1 - 1e-9))
    options.unit = MRD_TOLERANCE_METRES
    #expect(try run(wkt, options).paths[0].count == 3)
    options.tolerances = [height * (1 + 1e-9)]
    #expect(try run(wkt, options).paths[0].count == 2)
  }

  /// A bump to the north of so many pixels in the square of a zoom level.
  @Test(arguments: [0.0, 50, -70, 85]) func pixelsOfAZoomLevel(latitude: Double) throws {
    func ordinate(_ latitude: Double) -> Double { asinh(tan(latitude * .pi / 180)) / (2 * .pi) * 512 * pow(2, 10.5) }
    let wkt = "LINESTRING(10 \(latitude),10.5 \(latitude + 0.01),11 \(latitude))"
    let pixels = abs(ordinate(latitude + 0.01) - ordinate(latitude))
    var options = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER, pixels * (1 - 1e-9))
    options.unit = MRD_TOLERANCE_PIXELS
    options.zoom = 10.5
    #expect(try run(wkt, options).paths[0].count == 3)
    options.tolerances = [pixels * (1 + 1e-9)]
    #expect(try run(wkt, options).paths[0].count == 2)
  }

  @Test func protectedVerticesStay() throws {
    let wkt = "POLYGON((0 0,1 0.1,2 0,3 0.1,4 0,4 4,0 4,0 0))"
    for operation in [MRD_SIMPLIFY_DOUGLAS_PEUCKER, MRD_SIMPLIFY_VISVALINGAM, MRD_SIMPLIFY_TOPOLOGY_PRESERVING] {
      var options = SimplifyRun.Options(operation, 0.5)
      #expect(try !run(wkt, options).paths[0].contains(3), "operation \(operation)")
      options.protected = [0b1000]
      #expect(try run(wkt, options).paths[0].contains(3), "operation \(operation)")
    }
  }

  @Test func whatIsNotMeantIsRefused() throws {
    var metres = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER, 1)
    metres.unit = MRD_TOLERANCE_METRES
    let plain = try TestGeoms(["LINESTRING(0 0,1 1)"])
    #expect(try SimplifyRun(library, plain, metres).status == MRD_E_ARGUMENT)
    var zoom = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER, 1)
    zoom.unit = MRD_TOLERANCE_PIXELS
    zoom.zoom = -1
    #expect(try SimplifyRun(library, plain, zoom).status == MRD_E_ARGUMENT)
    for factor in [-1, 0x1p-33, 1e-300, 0x1p33, .nan] {
      var pixels = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER, 1)
      pixels.unit = MRD_TOLERANCE_PIXELS
      pixels.pixelFactor = factor
      #expect(try SimplifyRun(library, plain, pixels).status == MRD_E_ARGUMENT, "\(factor)")
    }
    var count = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER)
    count.tolerances = []
    count.targetCount = 3
    #expect(try SimplifyRun(library, plain, count).status == MRD_E_UNSUPPORTED)
    var flag = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER, 1)
    flag.flags = MRD_SIMPLIFY_WEIGHTED
    #expect(try SimplifyRun(library, plain, flag).status == MRD_E_UNSUPPORTED)
    var many = SimplifyRun.Options(MRD_SIMPLIFY_DOUGLAS_PEUCKER)
    many.tolerances = (0..<127).map(Double.init)
    #expect(try SimplifyRun(library, plain, many).status == MRD_E_LIMIT)
    let latitude = try SimplifyRun(
      library, try TestGeoms(["LINESTRING(0 0,1 91,2 2)"], metric: MRD_METRIC_ELLIPSOID), metres)
    #expect(latitude.call.statuses == [MRD_ITEM_DOMAIN])
  }
}
