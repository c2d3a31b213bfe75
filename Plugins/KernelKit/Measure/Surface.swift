// SPDX-License-Identifier: Apache-2.0

/// A surface with edges on it: the plane, a sphere, an ellipsoid. The loops over rows, lines and pairs are written once
/// over it; a kernel brings the formulas.
public protocol Surface {
  /// An edge between two places, prepared so that many places on it are cheap.
  associatedtype Line

  var domain: CoordinateDomain { get }
  /// Whether a longitude difference of half a turn exists here and is to be reported.
  var isGlobe: Bool { get }

  /// Length of the edge, in the unit of the metric; the same bits both ways.
  func distance(_ a: Place, _ b: Place) -> Double

  func line(_ a: Place, _ b: Place) -> Line
  func length(_ line: Line) -> Double
  /// The place at `distance` from the start of the line, and the azimuth there.
  func place(on line: Line, at distance: Double) -> (place: Place, azimuth: Double)

  /// `line` of the edges from coordinate `start` on to the next ones, `count` of them.
  func lines(_ geoms: Geoms, _ start: Int, _ count: Int, _ lines: UnsafeMutablePointer<Line>)
  /// `place(on:at:)` of `count` lines, without the azimuth.
  func places(
    _ lines: UnsafePointer<Line>, _ distances: UnsafePointer<Double>, _ count: Int,
    _ places: UnsafeMutablePointer<Place>)
}

/// A surface whose edges are its shortest lines.
public protocol ShortestLineSurface: Surface {
  /// Distance, and the forward azimuths at both ends in (-180, 180]; all 0 for coincident places.
  func inverse(_ a: Place, _ b: Place) -> (distance: Double, azimuth1: Double, azimuth2: Double)
  /// Where one comes to, and the azimuth there.
  func direct(_ a: Place, azimuth: Double, distance: Double) -> (place: Place, azimuth: Double)
}

// One at a time; a surface with vectors brings its own.
extension Surface {
  public func lines(_ geoms: Geoms, _ start: Int, _ count: Int, _ lines: UnsafeMutablePointer<Line>) {
    for index in 0..<count {
      (lines + index).initialize(to: line(geoms.place(start &+ index), geoms.place(start &+ index &+ 1)))
    }
  }

  public func places(
    _ lines: UnsafePointer<Line>, _ distances: UnsafePointer<Double>, _ count: Int,
    _ places: UnsafeMutablePointer<Place>
  ) {
    for index in 0..<count { places[index] = place(on: lines[index], at: distances[index]).place }
  }
}

extension Surface {
  /// True when the edge is ambiguous: the ends lie exactly half a turn apart in longitude.
  @inline(__always)
  func isAmbiguous(_ a: Place, _ b: Place) -> Bool { isGlobe && isHalfTurn(a.x, b.x) }
}
