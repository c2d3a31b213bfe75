// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// How two boxes of longitude and latitude, whose sides are meridians and parallels, lie to each other on the globe: their
/// latitudes, and how far apart their nearest meridians are.
///
/// The distance of two places grows with their difference in longitude, up to half a turn. So what counts is the lesser way
/// round between the boxes, and there the two meridians alone: a place inside a parallel is nearest to nothing.
struct GlobeGap {
  let south: (Double, Double)
  let north: (Double, Double)
  /// Degrees between the nearest meridians, 0 where the longitudes meet, at most 180.
  let turn: Double

  /// nil for a box that has no latitude of the globe.
  init?(_ a: Box, _ b: Box) {
    south = (max(-90, a.ymin), max(-90, b.ymin))
    north = (min(90, a.ymax), min(90, b.ymax))
    guard south.0 <= north.0, south.1 <= north.1 else { return nil }
    turn = GlobeGap.turn(a, b)
  }

  private static func turn(_ a: Box, _ b: Box) -> Double {
    let (own, other) = (width(a), width(b))
    if a.xmin <= a.xmax && b.xmin <= b.xmax && a.xmin <= b.xmax && b.xmin <= a.xmax { return 0 }
    guard own < 360, other < 360 else { return 0 }
    if eastwardWay(a.xmin, b.xmin) <= own || eastwardWay(b.xmin, a.xmin) <= other { return 0 }
    return min(180, eastwardWay(a.xmax, b.xmin), eastwardWay(b.xmax, a.xmin))
  }

  /// Degrees of longitude that a box takes; xmin > xmax is over the antimeridian.
  private static func width(_ box: Box) -> Double {
    box.xmin <= box.xmax ? box.xmax - box.xmin : eastwardWay(box.xmin, box.xmax)
  }

  /// Degrees of latitude between the boxes, 0 where their latitudes meet.
  var rise: Double { max(0, south.1 - north.0, south.0 - north.1) }

  /// No more than the distance: the chord of the sphere of the least radius of curvature, with the least that a difference
  /// of longitude can mean at these latitudes.
  func leastDistance(_ geodesics: Geodesics) -> Double {
    let (a, b) = (geodesics.a, geodesics.b)
    let radius = min(min(a, b), b * geodesics.f1, a / geodesics.f1)
    func cosine(_ south: Double, _ north: Double) -> Double { sineCosine(degrees: max(-south, north)).cos }
    let (halfRise, halfTurn) = (sineCosine(degrees: rise / 2).sin, sineCosine(degrees: turn / 2).sin)
    let square = halfRise * halfRise + cosine(south.0, north.0) * cosine(south.1, north.1) * (halfTurn * halfTurn)
    return 2 * radius * square.squareRoot() * (1 - 1e-12)
  }
}
