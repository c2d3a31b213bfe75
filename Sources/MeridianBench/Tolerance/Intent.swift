// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What two hits have to share to be the same target.
package enum TargetIdentity: String, CaseIterable, Sendable {
  /// The same coordinates: for vertices that are told apart one by one.
  case place
  /// The same feature: a street is hit wherever it is hit.
  case feature
}

/// A place that a user means to hit, and the target that it is on.
struct Intent: Equatable, Sendable {
  let x: Double
  let y: Double
  /// Row of the target layer.
  let feature: Int
}

/// Draws places on the targets.
struct IntentSampler {
  /// One edge, or a vertex (of zero length).
  private struct Piece {
    let segment: Segment
    let feature: Int
  }

  private var pieces: [Piece] = []
  /// Sums of the weights up to and with each piece.
  private var sums: [Double] = []
  /// xmin, ymin, xmax, ymax of the targets.
  private(set) var bounds = (
    xmin: Double.infinity, ymin: Double.infinity, xmax: -Double.infinity, ymax: -Double.infinity
  )

  /// Vertices with equal weights, or edges by their lengths.
  init(_ set: GeometrySet, onVertices: Bool) {
    for (number, array) in set.arrays.enumerated() {
      for index in 0..<array.count where !array.isNull(index) {
        let feature = set.rows[number].map { $0[index] } ?? index
        guard feature >= 0 else { continue }
        for path in array.rings(ofRow: index) { add(array, path, feature, onVertices || array.isPuntal) }
      }
    }
  }

  private mutating func add(_ array: GeometryArray, _ path: Range<Int>, _ feature: Int, _ onVertices: Bool) {
    for index in path {
      let place = array.place(index)
      guard place.x.isFinite, place.y.isFinite else { continue }
      bounds = (
        min(bounds.xmin, place.x), min(bounds.ymin, place.y), max(bounds.xmax, place.x), max(bounds.ymax, place.y)
      )
      if onVertices {
        // The vertex that closes a ring is its first one.
        if array.type.single == .polygon, index > path.lowerBound, index == path.upperBound - 1 { continue }
        append(Piece(segment: Segment(place, place), feature: feature), weight: 1)
      } else if index + 1 < path.upperBound {
        let next = array.place(index + 1)
        guard next.x.isFinite, next.y.isFinite else { continue }
        append(Piece(segment: Segment(place, next), feature: feature), weight: place.distance(to: next))
      }
    }
  }

  private mutating func append(_ piece: Piece, weight: Double) {
    guard weight > 0 else { return }
    pieces.append(piece)
    sums.append((sums.last ?? 0) + weight)
  }

  var isEmpty: Bool { pieces.isEmpty }
  /// False when lengths or extents are beyond what doubles hold: nothing can be drawn then.
  var isMeasurable: Bool {
    (sums.last ?? 0).isFinite && (bounds.xmax - bounds.xmin).isFinite && (bounds.ymax - bounds.ymin).isFinite
  }

  func draw(_ random: inout SeededRandom) -> Intent {
    let piece = pieces[place(of: random.uniform(0, sums[sums.count - 1]))]
    let place = piece.segment.place(at: random.uniform())
    return Intent(x: place.x, y: place.y, feature: piece.feature)
  }

  /// The first piece whose sum is above `weight`.
  private func place(of weight: Double) -> Int {
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > weight { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The nearest place on a target, by looking at all of them; nil when none is within `reach`.
  func nearest(_ x: Double, _ y: Double, within reach: Double) -> Intent? {
    let position = Place(x, y)
    var best: Intent?
    var least = reach
    for piece in pieces {
      let foot = piece.segment.nearest(to: position)
      let distance = position.distance(to: foot)
      if distance <= least {
        least = distance
        best = Intent(x: foot.x, y: foot.y, feature: piece.feature)
      }
    }
    return best
  }
}

extension GeometryArray {
  var isPuntal: Bool { type == .point || type == .multiPoint }
}
