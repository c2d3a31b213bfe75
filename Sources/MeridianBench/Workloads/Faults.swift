// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// G4: the rings of G2, a tenth of them damaged in one of four ways whose verdicts are known by construction.
package struct FaultyPolygons: Sendable {
  /// What was done to a row.
  package enum Kind: String, CaseIterable, Sendable {
    case valid
    /// Two vertices changed places: edges cross.
    case bowtie
    /// A hole beside the shell.
    case holeOutside = "hole_outside"
    /// The ring goes out from a vertex and comes back to it: it touches itself.
    case selfTouch = "self_touch"
    /// Two equal holes.
    case duplicateHoles = "dup_holes"

    /// By the rules of OGC Simple Features.
    package var isValid: Bool { self == .valid }
    /// Vertices that a row has more than its ring of G2.
    package var extraVertices: Int {
      switch self {
      case .valid, .bowtie: 0
      case .holeOutside: 13
      case .selfTouch: 3
      case .duplicateHoles: 26
      }
    }
  }

  package let set: GeometrySet
  /// One a row.
  package let kinds: [Kind]

  /// Rows of each kind of damage: a fortieth each, at least one.
  package static func damaged(of rows: Int) -> Int { max(1, rows / 40) }

  /// Vertices of all rows, known before they are made.
  static func vertices(_ size: WorkloadSize) -> Int {
    let extra = Kind.allCases.reduce(0) { $0 + $1.extraVertices } * damaged(of: size.rings)
    return size.rings * size.ringVertices + extra
  }

  static func make(_ size: WorkloadSize, seed: UInt64) throws(MeridianError) -> FaultyPolygons {
    var random = SeededRandom(seed: seed, stream: "G4")
    let order = random.permutation(size.rings)
    var kinds = [Kind](repeating: .valid, count: size.rings)
    let share = damaged(of: size.rings)
    for (number, kind) in Kind.allCases.filter({ $0 != .valid }).enumerated() {
      for row in order[(number * share)..<((number + 1) * share)] { kinds[row] = kind }
    }
    var builder = GeometryBuilder()
    for (row, kind) in kinds.enumerated() {
      let (star, ring) = Rings.star(row, size, seed: seed)
      try builder.polygon(try damage(ring, of: star, kind, &random))
    }
    return FaultyPolygons(set: try builder.finish(), kinds: kinds)
  }

  /// The rows that are not valid alone, for repair.
  func invalidRows() throws(MeridianError) -> GeometrySet {
    let array = set.arrays[0]
    var builder = GeometryBuilder()
    for (row, kind) in kinds.enumerated() where !kind.isValid {
      try builder.polygon(array.rings(ofRow: row).map { Ring(array, $0) })
    }
    return try builder.finish()
  }

  private static func damage(
    _ ring: Ring, of star: Star, _ kind: Kind, _ random: inout SeededRandom
  ) throws(MeridianError) -> [Ring] {
    switch kind {
    case .valid: return [ring]
    case .bowtie: return [try bowtie(ring, &random)]
    case .holeOutside: return [ring, .circle(star.x + 4 * star.size, star.y, 0.1 * star.size)]
    case .selfTouch: return [touching(ring, star, at: margin + random.index(below: ring.count - 3 * margin - 1))]
    case .duplicateHoles:
      let hole = Ring.circle(star.x, star.y, 0.02 * star.size)
      return [ring, hole, hole]
    }
  }

  /// Vertices at either end of a ring that stay as they are, and the distance of two that change places.
  private static let (margin, swapped) = (10, 40)

  /// Swaps two vertices forty apart. Where the new edges happen to cross nothing, which takes a ring that is smooth there,
  /// the next place is tried.
  static func bowtie(_ ring: Ring, _ random: inout SeededRandom) throws(MeridianError) -> Ring {
    let places = ring.count - swapped - 5 * margin - 1
    guard places > 0 else { throw MeridianError(.argument, "a ring of \(ring.count) vertices is too short to damage") }
    let start = random.index(below: places)
    for attempt in 0..<places {
      let first = margin + (start + attempt) % places
      var damaged = ring
      damaged.x.swapAt(first, first + swapped)
      damaged.y.swapAt(first, first + swapped)
      if damaged.crossesItself(around: (first - 1)..<(first + swapped + 2)) { return damaged }
    }
    throw MeridianError(.argument, "a ring crosses itself nowhere, whichever two of its vertices change places")
  }

  /// Leaves the ring at vertex `vertex` outward, goes around a thin triangle and comes back to it.
  private static func touching(_ ring: Ring, _ star: Star, at vertex: Int) -> Ring {
    let (x, y) = (ring.x[vertex] - star.x, ring.y[vertex] - star.y)
    // Narrower than the smallest step between two vertices, so nothing is in its way.
    let half = 0.05 * 2 * Double.pi / Double(ring.count - 1)
    var touching = Ring()
    for number in 0..<ring.count {
      touching.append(ring.x[number], ring.y[number])
      guard number == vertex else { continue }
      for turn in [-half, half] {
        touching.append(
          star.x + 1.3 * (cos(turn) * x - sin(turn) * y), star.y + 1.3 * (sin(turn) * x + cos(turn) * y))
      }
      touching.append(ring.x[number], ring.y[number])
    }
    return touching
  }
}

extension Ring {
  /// A ring of an array.
  init(_ array: GeometryArray, _ coordinates: Range<Int>) {
    x = coordinates.map { array.x($0) }
    y = coordinates.map { array.y($0) }
  }

  /// True when two edges that begin in `vertices` cross in their interiors.
  fileprivate func crossesItself(around vertices: Range<Int>) -> Bool {
    func place(_ number: Int) -> Place { Place(x[number], y[number]) }
    for one in vertices {
      for two in vertices where two > one + 1 {
        if Segment(place(one), place(one + 1)).crosses(Segment(place(two), place(two + 1))) { return true }
      }
    }
    return false
  }
}
