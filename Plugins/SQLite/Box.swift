// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension Box {
  /// How many intervals of x the box is: 0 = it can never be hit, 2 = over the antimeridian (curved edges only).
  struct Shape {
    var box: Box
    var pieces: Int
  }

  /// The box as this index stores it. Planar edges: as it is. Curved edges: longitudes brought to [-180, 180], exactly.
  func shape(curved: Bool) -> Shape {
    // Written so that NaN fails.
    guard ymin <= ymax else { return Shape(box: self, pieces: 0) }
    guard curved else { return Shape(box: self, pieces: xmin <= xmax ? 1 : 0) }
    guard let (west, east) = circleInterval(xmin, xmax) else { return Shape(box: self, pieces: 0) }
    return Shape(box: Box(xmin: west, ymin: ymin, xmax: east, ymax: ymax), pieces: west <= east ? 1 : 2)
  }

  /// The intervals of x that a window asks for, from a box that `shape` gave, at most three. 180 and -180 are one
  /// meridian: a window that ends on it asks for both, so that plain comparison finds every box that touches it.
  func windowPieces(curved: Bool) -> [(Double, Double)] {
    guard curved else { return [(xmin, xmax)] }
    if xmin > xmax { return [(xmin, 180), (-180, xmax)] }
    var pieces = [(xmin, xmax)]
    if xmax == 180, xmin != -180 { pieces.append((-180, -180)) }
    if xmin == -180, xmax != 180 { pieces.append((180, 180)) }
    return pieces
  }
}

/// The longitudes from `west` eastward to `east`, both in [-180, 180], west > east over the antimeridian; nil when there
/// is no such interval: NaN, or an infinite end where the other does not follow it.
private func circleInterval(_ west: Double, _ east: Double) -> (Double, Double)? {
  if west <= east {
    if west == -.infinity || east == .infinity { return west == east ? nil : (-180, 180) }
    // west + 360 <= east in exact arithmetic: where the difference rounds to 360, its rounding error decides.
    let width = east - west
    if width > 360 || (width == 360 && differenceError(east, west, width) >= 0) { return (-180, 180) }
  } else if !(west > east && west.isFinite && east.isFinite) {
    return nil
  }
  // The IEEE remainder is exact and lies in [-180, 180].
  return (west.remainder(dividingBy: 360), east.remainder(dividingBy: 360))
}

/// a - b - fl(a - b), exactly (Knuth's two-sum).
private func differenceError(_ a: Double, _ b: Double, _ difference: Double) -> Double {
  let virtual = a - difference
  return (a - (difference + virtual)) + (virtual - b)
}

extension Double {
  /// The largest 32-bit float that is not above this value. SQLite's own rounding misses beyond the range of floats
  /// and among its denormals; a value that is a float already passes through it unchanged.
  var floatDown: Double {
    let near = Float(self)
    return Double(Double(near) > self ? near.nextDown : near)
  }
  /// The smallest 32-bit float that is not below this value.
  var floatUp: Double {
    let near = Float(self)
    return Double(Double(near) < self ? near.nextUp : near)
  }
}

extension BoxArray {
  /// Refuses edge models that the index knows no boxes of.
  init(known pointer: UnsafePointer<mrd_boxes>?) throws(Failure) {
    do throws(Fault) {
      try self.init(pointer)
    } catch {
      throw Failure(error.status, error.message)
    }
    switch edges {
    // The boxes of the three curved edge models are the same thing: intervals of longitude and of latitude.
    case MRD_EDGES_PLANAR, MRD_EDGES_GREAT_CIRCLE, MRD_EDGES_GEODESIC, MRD_EDGES_PLATE_CARREE: break
    default: throw Failure(MRD_E_UNSUPPORTED, "the index knows no boxes of this edge model")
    }
  }

  var curved: Bool { edges != MRD_EDGES_PLANAR }
}
