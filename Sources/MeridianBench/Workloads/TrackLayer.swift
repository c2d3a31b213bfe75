// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// A layer of short tracks over a square, with windows that a screen of 1,000 points shows.
struct TrackLayer: Sendable {
  static let vertices = 10

  let set: GeometrySet
  let boxes: Boxes
  let windows: Boxes
  /// Size of a screen point in coordinate units.
  let pixel: Double

  static func make(_ count: Int, seed: UInt64) throws(MeridianError) -> TrackLayer {
    var random = SeededRandom(seed: seed, stream: "layer")
    var builder = GeometryBuilder()
    var boxes = Boxes()
    // A window of `side` shows 500 of `count` tracks in a square of side 1.
    let side = (500 / Double(count)).squareRoot()
    let step = side / 200
    for _ in 0..<count {
      try builder.begin(.lineString, .xy)
      var (x, y, heading) = (random.uniform(), random.uniform(), random.uniform(0, 2 * .pi))
      var bounds = Bounds()
      for _ in 0..<vertices {
        builder.add(x, y)
        bounds.add(x, y)
        heading += 0.5 * random.normal()
        x += step * cos(heading)
        y += step * sin(heading)
      }
      try builder.end()
      boxes.append(bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax)
    }
    var windows = Boxes()
    for _ in 0..<500 {
      let (x, y) = (random.uniform(0, 1 - min(side, 1)), random.uniform(0, 1 - min(side, 1)))
      windows.append(x, y, x + side, y + side)
    }
    return TrackLayer(set: try builder.finish(), boxes: boxes, windows: windows, pixel: side / 1000)
  }

  private struct Bounds {
    var (xmin, ymin) = (Double.infinity, Double.infinity)
    var (xmax, ymax) = (-Double.infinity, -Double.infinity)

    mutating func add(_ x: Double, _ y: Double) {
      (xmin, ymin) = (min(xmin, x), min(ymin, y))
      (xmax, ymax) = (max(xmax, x), max(ymax, y))
    }
  }
}
