// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The coordinates of an array by the names that the sphere has for them: longitudes in [-180, 180), 0 at the poles; and where
/// places that differ have one unit vector, the least of them. So places are equal exactly when vectors are.
struct CanonicalPlaces {
  private var vectors: ScratchList<Numbered>

  private struct Numbered: BitwiseCopyable {
    var vector: Vector
    var index: Int
  }

  /// The array with its x and y in the memory of the call; nil = no memory, or cancelled.
  static func of(_ geoms: Geoms, _ poll: inout CancelPoll, _ call: UnsafeMutablePointer<mrd_call>) -> Geoms? {
    var places = CanonicalPlaces(vectors: ScratchList(call))
    return geoms.withPlaces(call) { x, y, first in
      for row in 0..<geoms.count where !geoms.isNull(row) {
        if !places.fill(geoms, geoms.coordinates(row), x - first, y - first, &poll) { return false }
      }
      return true
    }
  }

  /// One row.
  private mutating func fill(
    _ geoms: Geoms, _ coordinates: Range<Int>, _ x: UnsafeMutablePointer<Double>, _ y: UnsafeMutablePointer<Double>,
    _ poll: inout CancelPoll
  ) -> Bool {
    vectors.truncate(0)
    for index in coordinates {
      let given = geoms.place(index)
      let isOnGlobe = given.x.isFinite && given.y.magnitude <= 90
      let place = isOnGlobe ? canonicalPlace(given) : given
      (x[index], y[index]) = (place.x, place.y)
      if isOnGlobe {
        vectors.append(Numbered(vector: Vector(longitude: place.x, latitude: place.y), index: index))
      }
      if poll.tick() { return false }
    }
    vectors.sort { $0.vector < $1.vector }
    var start = 0
    while start < vectors.count {
      var end = start &+ 1
      while end < vectors.count && vectors[end].vector == vectors[start].vector { end &+= 1 }
      var least = Place(x: .infinity, y: .infinity)
      for index in start..<end {
        let place = Place(x: x[vectors[index].index], y: y[vectors[index].index])
        if place < least { least = place }
      }
      for index in start..<end { (x[vectors[index].index], y[vectors[index].index]) = (least.x, least.y) }
      if poll.tick(end &- start) { return false }
      start = end
    }
    return !vectors.failed
  }
}

extension Geoms {
  /// The array with other x and y, which `fill` sets in the memory of the call: those of its rows, from coordinate `first` on.
  /// nil = no memory, or `fill` said false.
  func withPlaces(
    _ call: UnsafeMutablePointer<mrd_call>,
    _ fill: (_ x: UnsafeMutablePointer<Double>, _ y: UnsafeMutablePointer<Double>, _ first: Int) -> Bool
  ) -> Geoms? {
    guard count > 0 else { return self }
    let span = coordinates(0).lowerBound..<coordinates(count &- 1).upperBound
    guard let x = scratch(call, span.count, of: Double.self), let y = scratch(call, span.count, of: Double.self),
      fill(x, y, span.lowerBound)
    else { return nil }
    /// Where coordinate 0 would be, of which those from `first` on are there.
    func column(_ values: UnsafeMutablePointer<Double>) -> UnsafePointer<Double>? {
      UnsafePointer(bitPattern: UInt(bitPattern: values) &- UInt(bitPattern: span.lowerBound &* 8))
    }
    var changed = raw
    (changed.coords.v.0, changed.coords.v.1) = (column(x), column(y))
    (changed.coords.stride.0, changed.coords.stride.1) = (8, 8)
    changed.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    return Geoms(&changed, call)
  }
}
