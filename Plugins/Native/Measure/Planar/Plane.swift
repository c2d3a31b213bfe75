// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The plane: straight edges in stored x and y, Euclidean lengths in coordinate units, azimuths clockwise from the y axis.
struct Plane: ShortestLineSurface {
  struct Line {
    let start: Place
    let end: Place
    let length: Double
    let azimuth: Double
  }

  var domain: CoordinateDomain { .plane }
  var isGlobe: Bool { false }

  /// |error| <= 4 u of the exact distance, u = 2^-53, as long as the squares stay normal numbers; far smaller distances
  /// are scaled up first.
  @inline(__always)
  func distance(_ a: Place, _ b: Place) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let squared = dx * dx + dy * dy
    if squared >= 0x1p-900 || squared == 0 && dx == 0 && dy == 0 { return squared.squareRoot() }
    let (scaledX, scaledY) = (dx * 0x1p600, dy * 0x1p600)
    return (scaledX * scaledX + scaledY * scaledY).squareRoot() * 0x1p-600
  }

  func inverse(_ a: Place, _ b: Place) -> (distance: Double, azimuth1: Double, azimuth2: Double) {
    let direction = azimuth(east: b.x - a.x, north: b.y - a.y)
    return (distance(a, b), direction, direction)
  }

  func direct(_ a: Place, azimuth: Double, distance: Double) -> (place: Place, azimuth: Double) {
    let (sin, cos) = sineCosine(degrees: azimuth)
    let turned = azimuth.remainder(dividingBy: 360)
    return (Place(x: a.x + distance * sin, y: a.y + distance * cos), turned <= -180 ? 180 : turned)
  }

  func line(_ a: Place, _ b: Place) -> Line {
    let (distance, azimuth, _) = inverse(a, b)
    return Line(start: a, end: b, length: distance, azimuth: azimuth)
  }
  func length(_ line: Line) -> Double { line.length }

  func place(on line: Line, at distance: Double) -> (place: Place, azimuth: Double) {
    let share = line.length > 0 ? distance / line.length : 0
    // From the nearer end, so that both ends come out exact.
    let place =
      share <= 0.5
      ? Place(
        x: line.start.x + (line.end.x - line.start.x) * share, y: line.start.y + (line.end.y - line.start.y) * share)
      : Place(
        x: line.end.x - (line.end.x - line.start.x) * (1 - share),
        y: line.end.y - (line.end.y - line.start.y) * (1 - share))
    return (place, line.azimuth)
  }
}
