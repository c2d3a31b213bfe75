// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Distances of boxes on the globe, in metres, a vector of geodesics at a time.
///
/// Two meridians that do not cross are nearest at an end of one of them. So a distance is the least of those from the ends
/// of either box's side to the other's side, which is a geodesic: `GeodesicFeet` solves a vector of such.
struct GlobeDistances {
  static var most: Int { 16 }

  private let geodesics: Geodesics
  /// What was found for each of the boxes.
  private var least = InlineArray<16, Double>(repeating: .infinity)
  private(set) var count = 0
  private var owners = InlineArray<16, Int>(repeating: 0)
  private var lanes = 0
  private var (pointY, turn) = (Lanes(), Lanes())
  private var (fromY, toY) = (Lanes(), Lanes())

  init(_ geodesics: Geodesics) { self.geodesics = geodesics }

  var isFull: Bool { count == GlobeDistances.most }
  subscript(index: Int) -> Double { least[index] }

  mutating func removeAll() {
    solve()
    count = 0
  }

  /// Adds two boxes, whose distance is there after `solve`.
  mutating func add(_ gap: GlobeGap) {
    least[count] = .infinity
    if gap.turn == 0 {
      // Their latitudes meet, or a meridian leads from one to the other.
      if gap.rise == 0 { least[count] = 0 } else { addMeridian(gap) }
    } else {
      addSides(gap)
    }
    count &+= 1
  }

  private mutating func addMeridian(_ gap: GlobeGap) {
    let (from, to) = gap.south.1 > gap.north.0 ? (gap.north.0, gap.south.1) : (gap.north.1, gap.south.0)
    add(from, 0, to, to)
  }

  private mutating func addSides(_ gap: GlobeGap) {
    addSide(gap.south.0, gap.turn, gap.south.1, gap.north.1)
    if gap.north.0 != gap.south.0 { addSide(gap.north.0, gap.turn, gap.south.1, gap.north.1) }
    guard gap.north.0 != gap.south.0 else { return }
    addSide(gap.south.1, gap.turn, gap.south.0, gap.north.0)
    if gap.north.1 != gap.south.1 { addSide(gap.north.1, gap.turn, gap.south.0, gap.north.0) }
  }

  /// Pieces are short enough for the search along them: where the distance may be a quarter of the way round, at which it
  /// hardly changes, shorter ones.
  private mutating func addSide(_ latitude: Double, _ turn: Double, _ south: Double, _ north: Double) {
    let isFar = turn + max((south - latitude).magnitude, (north - latitude).magnitude) > 80
    let pieces = max(1, ((north - south) / (isFar ? 1.5 : 20)).rounded(.up))
    var from = south
    var number = 1.0
    while number <= pieces {
      let to = number == pieces ? north : south + (north - south) * (number / pieces)
      add(latitude, turn, from, to)
      from = to
      number += 1
    }
  }

  private mutating func add(_ latitude: Double, _ turn: Double, _ from: Double, _ to: Double) {
    for lane in lanes..<(lanes == 0 ? Lanes.scalarCount : lanes &+ 1) {
      (pointY[lane], self.turn[lane], fromY[lane], toY[lane]) = (latitude, turn, from, to)
    }
    owners[lanes] = count
    lanes &+= 1
    if lanes == Lanes.scalarCount { solve() }
  }

  mutating func solve() {
    guard lanes > 0 else { return }
    let edges = GeodesicEdges(turn, fromY, turn, toY, geodesics)
    let feet = GeodesicFeet(Lanes(), pointY, edges, Lanes(), Lanes(repeating: 1), geodesics)
    for lane in 0..<lanes {
      let owner = owners[lane]
      least[owner] = min(least[owner], feet.foot(lane, edges).distance)
    }
    lanes = 0
  }
}
