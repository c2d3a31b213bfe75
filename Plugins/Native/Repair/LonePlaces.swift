// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Counts the distinct places of points that are no vertices.
struct LonePlaces {
  private var vertices: ScratchList<Place>
  private var points: ScratchList<Place>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    vertices = ScratchList(call)
    points = ScratchList(call)
  }

  mutating func reset() {
    vertices.truncate(0)
    points.truncate(0)
  }

  mutating func addVertex(_ place: Place) throws(Stop) { try vertices.push(place) }
  mutating func addPoint(_ place: Place) throws(Stop) { try points.push(place) }

  /// How many there are; they are at hand as elements then.
  mutating func count() -> Int {
    vertices.sort { $0 < $1 }
    points.sort { $0 < $1 }
    var (lone, next) = (0, 0)
    var former = Place(x: .nan, y: .nan)
    for index in 0..<points.count {
      if points[index] == former { continue }
      former = points[index]
      while next < vertices.count && vertices[next] < points[index] { next += 1 }
      if next == vertices.count || vertices[next] != points[index] {
        points[lone] = points[index]
        lone += 1
      }
    }
    points.truncate(lone)
    return lone
  }

  subscript(index: Int) -> Place { points[index] }
}
