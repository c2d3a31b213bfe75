// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Closest places on geodesics: the few pieces that the bounds leave are solved as vectors by `GeodesicFeet`.
extension EllipsoidSurface: ClosestGlobe {
  func positions(_ x: Lanes, _ y: Lanes) -> (x: Lanes, y: Lanes, z: Lanes) {
    let (vertex, longitude) = (VertexLanes(latitude: y, geodesics), sineCosine(azimuth: x))
    let out = vertex.cosBeta * geodesics.a
    return (out * longitude.cos, out * longitude.sin, vertex.sinBeta * geodesics.b)
  }

  /// The least and the largest radius of curvature of any line on the surface are those of the meridian at the equator and
  /// at a pole.
  private var leastRadius: Double { min(geodesics.b * geodesics.f1, geodesics.a / geodesics.f1) }
  private var largestRadius: Double { max(geodesics.b * geodesics.f1, geodesics.a / geodesics.f1) }

  var bend: Double { 1.02 / (8 * leastRadius) }
  var tieMargin: Double { 1e-15 * geodesics.a }

  /// A geodesic bends at least as a circle of the largest radius; a ten-thousandth for its torsion.
  func longestChord(_ distance: Double) -> Double {
    let radius = 1.0001 * largestRadius
    guard distance < 3.14 * radius else { return .infinity }
    return 2 * radius * sin(distance / (2 * radius)) + 1e-13 * radius
  }

  /// It bends at most as one of the least radius (Schur's comparison of chords).
  func largestDistance(_ chord: Double) -> Double {
    let radius = leastRadius
    guard chord < 1.9 * radius else { return .infinity }
    return 2 * radius * atan2(chord, (4 * radius * radius - chord * chord).squareRoot()) + 1e-13 * radius
  }

  func pieceCount(chord: Double) -> Int { pieceCount(chord: chord, radius: leastRadius) }

  func feet(_ point: Place, _ batch: PieceBatch) -> InlineArray<16, EdgeFoot> {
    var (aX, aY, bX, bY) = (Lanes(), Lanes(), Lanes(), Lanes())
    var (first, last) = (Lanes(), Lanes())
    // A short vector repeats its last piece.
    for lane in 0..<Lanes.scalarCount {
      let piece = batch.pieces[min(lane, batch.count &- 1)]
      (aX[lane], aY[lane], bX[lane], bY[lane]) = (piece.start.x, piece.start.y, piece.end.x, piece.end.y)
      (first[lane], last[lane]) = (piece.first, piece.last)
    }
    let edge = GeodesicEdges(aX, aY, bX, bY, geodesics)
    let (pointX, pointY) = (Lanes(repeating: point.x), Lanes(repeating: point.y))
    let found = GeodesicFeet(pointX, pointY, edge, first, last, geodesics)
    var feet = InlineArray<16, EdgeFoot>(repeating: EdgeFoot())
    for lane in 0..<batch.count {
      feet[lane] = found.foot(lane, edge)
      if found.isFlat[lane] { feet[lane] = finely(point, batch.pieces[lane], feet[lane]) }
    }
    return feet
  }

  /// A quarter of the way round the distance hardly changes along an edge and may have several minima: sixteen smaller
  /// pieces.
  @inline(never)
  private func finely(_ point: Place, _ piece: EdgePiece, _ known: EdgeFoot) -> EdgeFoot {
    let edge = GeodesicEdges(
      Lanes(repeating: piece.start.x), Lanes(repeating: piece.start.y), Lanes(repeating: piece.end.x),
      Lanes(repeating: piece.end.y), geodesics)
    var best = known
    for part in stride(from: 0, to: 16, by: Lanes.scalarCount) {
      var (first, last) = (Lanes(), Lanes())
      for lane in 0..<Lanes.scalarCount {
        first[lane] = piece.first + (piece.last - piece.first) * (Double(part &+ lane) / 16)
        last[lane] =
          part &+ lane == 15 ? piece.last : piece.first + (piece.last - piece.first) * (Double(part &+ lane &+ 1) / 16)
      }
      let found = GeodesicFeet(
        Lanes(repeating: point.x), Lanes(repeating: point.y), edge, first, last, geodesics)
      for lane in 0..<Lanes.scalarCount {
        let foot = found.foot(lane, edge)
        if foot.distance < best.distance || (foot.distance == best.distance && foot.along < best.along) { best = foot }
      }
    }
    return best
  }

  /// Azimuths from a place to three others, by one vector.
  private func azimuths(_ from: Place, _ one: Place, _ two: Place, _ three: Place) -> Lanes {
    var (x, y) = (Lanes(repeating: one.x), Lanes(repeating: one.y))
    (x[1], y[1], x[2], y[2]) = (two.x, two.y, three.x, three.y)
    return geodesics.inverse(Lanes(repeating: from.y), Lanes(repeating: from.x), y, x).azimuth1
  }

  func doCross(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> Bool {
    let fromA = azimuths(a, b, c, d)
    let (cLeft, dLeft) = (isLeft(fromA[0], fromA[1]), isLeft(fromA[0], fromA[2]))
    guard cLeft != dLeft else { return false }
    let fromC = azimuths(c, d, a, b)
    let (aLeft, bLeft) = (isLeft(fromC[0], fromC[1]), isLeft(fromC[0], fromC[2]))
    return aLeft != bLeft && aLeft != cLeft
  }

  /// Azimuths run clockwise.
  private func isLeft(_ heading: Double, _ other: Double) -> Bool {
    (other - heading).remainder(dividingBy: 360) <= 0
  }

  /// Shortest lines from one place do not meet again, so along a meridian their azimuths ascend from north to south.
  func passesNorth(_ a: Place, _ b: Place, of point: Place) -> Bool {
    let directions = azimuths(a, b, point, point)
    return directions[0].magnitude < directions[1].magnitude
  }
}
