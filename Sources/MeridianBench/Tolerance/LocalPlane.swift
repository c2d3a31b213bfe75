// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// A plane of metres about a place on WGS84: x to the east along the parallel, y to the north along the meridian.
///
/// Within half a degree of the place the scale is off by less than 1% up to 60 degrees of latitude; a sweep over snapping
/// tolerances needs no more. Not a projection for results.
struct LocalPlane: Sendable {
  let longitude: Double
  let latitude: Double
  /// Metres a degree.
  let east: Double
  let north: Double

  init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
    let radii = Self.radii(latitude)
    east = radii.parallel * Double.pi / 180
    north = radii.meridian * Double.pi / 180
  }

  /// Radius of the parallel, N cos(latitude), and of curvature of the meridian, M, in metres.
  static func radii(_ latitude: Double) -> (parallel: Double, meridian: Double) {
    let (a, f) = (GeometryModel.wgs84.semiMajor, GeometryModel.wgs84.flattening)
    let e2 = f * (2 - f)
    let (sine, cosine) = (sin(latitude * Double.pi / 180), cos(latitude * Double.pi / 180))
    let w2 = 1 - e2 * sine * sine
    return (a / w2.squareRoot() * cosine, a * (1 - e2) / (w2 * w2.squareRoot()))
  }

  func x(_ longitude: Double) -> Double { (longitude - self.longitude) * east }
  func y(_ latitude: Double) -> Double { (latitude - self.latitude) * north }

  /// The same rows with their coordinates in the plane, Z and M left out.
  func flattened(_ set: GeometrySet) throws(MeridianError) -> GeometrySet {
    let arrays = try set.arrays.map { (array) throws(MeridianError) in try flattened(array) }
    guard let places = set.places else { return GeometrySet(arrays[0]) }
    return GeometrySet(arrays: arrays, places: places, collections: set.collections, model: .planar)
  }

  private func flattened(_ array: GeometryArray) throws(MeridianError) -> GeometryArray {
    let count = array.coordinateCount
    let (xs, ys) = (Buffer(), Buffer())
    guard xs.resize(count * 8), ys.resize(count * 8) else {
      throw MeridianError(.memory, "no memory for \(count) coordinates in the plane")
    }
    let (toX, toY) = (xs.values(Double.self), ys.values(Double.self))
    for index in 0..<count {
      toX[index] = x(array.x(index))
      toY[index] = y(array.y(index))
    }
    var geoms = array.geoms
    geoms.dims = Dimensions.xy.rawValue
    geoms.coords.v = (UnsafePointer(toX.baseAddress), UnsafePointer(toY.baseAddress), nil, nil)
    geoms.coords.stride = (8, 8, 8, 8)
    return GeometryArray(borrowing: geoms, model: .planar, owned: [xs, ys], owner: array)
  }
}
