// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// Points, column by column.
struct Places: Sendable {
  var x: [Double] = []
  var y: [Double] = []
  var count: Int { x.count }
  subscript(_ number: Int) -> Place { Place(x[number], y[number]) }

  mutating func append(_ place: Place) {
    x.append(place.x)
    y.append(place.y)
  }

  /// Longitudes and latitudes that are uniform on the sphere.
  static func onSphere(_ count: Int, _ random: inout SeededRandom) -> Places {
    var places = Places()
    places.y = (0..<count).map { _ in asin(random.uniform(-1, 1)) * 180 / .pi }
    places.x = (0..<count).map { _ in random.uniform(-180, 180) }
    return places
  }

  /// Uniform in a rectangle.
  static func uniform(
    _ count: Int, x: ClosedRange<Double>, y: ClosedRange<Double>, _ random: inout SeededRandom
  ) -> Places {
    var places = Places()
    for _ in 0..<count {
      places.x.append(random.uniform(x.lowerBound, x.upperBound))
      places.y.append(random.uniform(y.lowerBound, y.upperBound))
    }
    return places
  }

  /// One point a row.
  func set() throws(MeridianError) -> GeometrySet {
    GeometrySet(
      GeometryArray(
        type: .point, dimensions: .xy, count: x.count, offsets: [], ordinates: try [column(x), column(y)]))
  }

  private func column(_ values: [Double]) throws(MeridianError) -> Buffer {
    let buffer = Buffer()
    guard buffer.resize(values.count * 8) else { throw MeridianError(.memory, "no memory for \(values.count) points") }
    values.withUnsafeBytes { source in
      if let start = source.baseAddress { buffer.pointer?.copyMemory(from: start, byteCount: source.count) }
    }
    return buffer
  }
}
