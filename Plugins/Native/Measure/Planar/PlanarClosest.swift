// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Closest places in the plane. Whether edges meet and on which side of an edge a point lies is decided exactly; the
/// distance from an edge is its exact cross product over its length.
extension Plane: ClosestSurface {
  func positions(_ x: Lanes, _ y: Lanes) -> (x: Lanes, y: Lanes, z: Lanes) { (x, y, Lanes()) }

  var bend: Double { 0 }
  var tieMargin: Double { 0 }
  // Squares of what is below the first number are no normal numbers any more.
  func longestChord(_ distance: Double) -> Double { distance * (1 + 0x1p-46) + 0x1p-500 }
  func largestDistance(_ chord: Double) -> Double { chord * (1 + 0x1p-46) + 0x1p-500 }

  func pieceCount(chord: Double) -> Int { 1 }
  func mostPieces(_ a: Place, _ b: Place) -> Int { 1 }

  func feet(_ point: Place, _ batch: PieceBatch) -> InlineArray<16, EdgeFoot> {
    var feet = InlineArray<16, EdgeFoot>(repeating: EdgeFoot())
    for index in 0..<batch.count { feet[index] = foot(point, batch.pieces[index].start, batch.pieces[index].end) }
    return feet
  }

  private func foot(_ point: Place, _ a: Place, _ b: Place) -> EdgeFoot {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let forward = (point.x - a.x) * dx + (point.y - a.y) * dy
    let backward = (b.x - point.x) * dx + (b.y - point.y) * dy
    if !(forward > 0) { return EdgeFoot(distance: distance(point, a), place: a) }
    let length = distance(a, b)
    if !(backward > 0) {
      return EdgeFoot(distance: distance(point, b), place: b, along: length, kind: MRD_CLOSEST_END)
    }
    let along = length * (forward / (forward + backward))
    let place = place(on: line(a, b), at: along).place
    let distance = distance(point, fromLine: a, b)
    return EdgeFoot(
      distance: distance, place: distance == 0 ? point : place, along: along, kind: MRD_CLOSEST_INTERIOR)
  }

  /// Twice the area of the triangle over its base; products of tiny numbers are no normal numbers and are scaled up first.
  private func distance(_ point: Place, fromLine a: Place, _ b: Place) -> Double {
    let size = max(
      max(a.x.magnitude, a.y.magnitude), max(b.x.magnitude, b.y.magnitude), max(point.x.magnitude, point.y.magnitude))
    guard size < 0x1p-300 else { return exactSide(a, b, point).magnitude / distance(a, b) }
    func scaled(_ place: Place) -> Place { Place(x: place.x * 0x1p500, y: place.y * 0x1p500) }
    let (c, d) = (scaled(a), scaled(b))
    return exactSide(c, d, scaled(point)).magnitude / distance(c, d) * 0x1p-500
  }

  func doCross(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> Bool {
    // A line of one vertex is an edge without length.
    if a == b { return isOn(a, c, d) }
    if c == d { return isOn(c, a, b) }
    if case .apart = EdgeContact(a, b, c, d) { return false }
    return true
  }

  private func isOn(_ point: Place, _ a: Place, _ b: Place) -> Bool {
    min(a.x, b.x) <= point.x && point.x <= max(a.x, b.x) && min(a.y, b.y) <= point.y && point.y <= max(a.y, b.y)
      && orientation(a, b, point) == 0
  }

  func rayMeets(_ a: Place, _ b: Place, _ point: Place, south: Bool) -> Bool {
    guard (a.y > point.y) != (b.y > point.y) else { return false }
    let side = orientation(a, b, point)
    return side != 0 && (side > 0) == (b.y > a.y)
  }

  func holdsRayEnd(_ geoms: Geoms, _ path: Range<Int>, side: Int32, south: Bool, _ poll: inout CancelPoll) -> Bool {
    false
  }
}
