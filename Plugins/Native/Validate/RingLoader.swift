// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension Geoms {
  /// Calls `body` with the number of each polygon of a row and its rings, entries of the innermost offset level, until it
  /// answers false. False = it did.
  @inline(__always)
  func forEachPart(_ row: Int, _ body: (_ part: Int, _ rings: Range<Int>) -> Bool) -> Bool {
    let span = span(row)
    if type == MRD_POLYGON { return body(0, span) }
    for (number, part) in span.enumerated() where !body(number, self.span(level: 1, part)) { return false }
    return true
  }
}

extension PolygonCheck {
  /// The row as it lies in memory when its rings are closed and long enough; nil when a closer look is needed. Ordinates
  /// that are not side by side are copied first.
  @inline(__always)
  mutating func loadPlain(_ row: Int) -> EdgeSet? {
    if let ring = loadRing(row) { return ring }
    let all = geoms.coordinates(row)
    guard all.count < Int(Int32.max) - 64 else { return nil }
    let rings = geoms.rings(row)
    guard let chains = chainRoom.room(for: rings.count), let source = ordinates(all) else { return nil }
    let level = Int(geoms.raw.n_offsets) &- 1
    var count = 0
    partCount = 0
    let isPlain = geoms.forEachPart(row) { part, partRings in
      partCount = part &+ 1
      for ring in partRings {
        let span = geoms.span(level: level, ring)
        let (first, last) = (span.lowerBound &- all.lowerBound, span.upperBound &- 1 &- all.lowerBound)
        guard span.count >= 4, source.x[first] == source.x[last], source.y[first] == source.y[last] else {
          return false
        }
        chains[count] = EdgeChain(
          first: Int32(truncatingIfNeeded: first), last: Int32(truncatingIfNeeded: last),
          part: Int32(truncatingIfNeeded: part), ring: Int32(truncatingIfNeeded: ring &- partRings.lowerBound),
          isClosed: true)
        count &+= 1
      }
      return !partRings.isEmpty
    }
    guard isPlain else { return nil }
    guard clearParts() else { return nil }
    return EdgeSet(x: source.x, y: source.y, count: all.count, chains: chains, chainCount: count, numbers: nil)
  }

  /// A polygon of one ring whose ordinates lie side by side.
  @inline(__always)
  private mutating func loadRing(_ row: Int) -> EdgeSet? {
    let coords = geoms.raw.coords
    let rings = geoms.span(row)
    guard geoms.type == MRD_POLYGON, rings.count == 1, coords.stride.0 == 8, coords.stride.1 == 8, let x = coords.v.0,
      let y = coords.v.1, let chains = chainRoom.room(for: 1), let parts = partRoom.room(for: 1)
    else { return nil }
    let span = geoms.span(level: 1, rings.lowerBound)
    let (first, last) = (span.lowerBound, span.upperBound &- 1)
    guard span.count >= 4, span.count < Int(Int32.max) - 64, x[first] == x[last], y[first] == y[last] else {
      return nil
    }
    chains[0] = EdgeChain(
      first: 0, last: Int32(truncatingIfNeeded: last &- first), part: 0, ring: 0, isClosed: true)
    parts[0] = PartFacts()
    partCount = 1
    return EdgeSet(x: x + first, y: y + first, count: span.count, chains: chains, chainCount: 1, numbers: nil)
  }

  /// x and y of the row's coordinates, each side by side.
  @inline(__always)
  private mutating func ordinates(_ all: Range<Int>) -> (x: UnsafePointer<Double>, y: UnsafePointer<Double>)? {
    let coords = geoms.raw.coords
    guard let x = coords.v.0, let y = coords.v.1 else { return nil }
    if coords.stride.0 == 8 && coords.stride.1 == 8 { return (x + all.lowerBound, y + all.lowerBound) }
    guard let xs = xRoom.room(for: all.count), let ys = yRoom.room(for: all.count) else { return nil }
    for index in 0..<all.count {
      xs[index] = geoms.x(all.lowerBound &+ index)
      ys[index] = geoms.y(all.lowerBound &+ index)
    }
    return (UnsafePointer(xs), UnsafePointer(ys))
  }

  mutating func clearParts() -> Bool {
    guard let parts = partRoom.room(for: partCount) else { return false }
    parts.update(repeating: PartFacts(), count: partCount)
    return true
  }

  /// Looks at each ring alone, reports what is wrong with it, and copies those that are fit for the other phases without
  /// consecutive equal vertices. nil = no memory.
  @inline(never)
  mutating func loadWithCare(_ row: Int) -> EdgeSet? {
    partCount = geoms.type == MRD_POLYGON ? 1 : geoms.span(row).count
    guard var loader = chainLoader(row), clearParts(), let parts = partRoom.room(for: partCount) else {
      failed = true
      return nil
    }
    let level = Int(geoms.raw.n_offsets) &- 1
    _ = geoms.forEachPart(row) { part, rings in
      for ring in rings {
        let span = geoms.span(level: level, ring)
        let number = ring &- rings.lowerBound
        if span.isEmpty {
          if number == 0 { parts[part].hasEmptyShell = true }
          continue
        }
        guard isFit(span, part, number) else {
          parts[part].lostRing = true
          parts[part].isFaulty = true
          continue
        }
        loader.add(geoms, span, part: part, ring: number)
      }
      return true
    }
    return loader.edges
  }

  /// With room for a row; nil = no memory.
  mutating func chainLoader(_ row: Int) -> ChainLoader? {
    let count = geoms.coordinates(row).count
    guard count < Int(Int32.max) - 64, let x = xRoom.room(for: count), let y = yRoom.room(for: count),
      let numbers = numberRoom.room(for: count), let chains = chainRoom.room(for: geoms.pathCount(row))
    else { return nil }
    return ChainLoader(x: x, y: y, numbers: numbers, chains: chains)
  }

  /// The first phase. A ring that is not fit is reported.
  private mutating func isFit(_ span: Range<Int>, _ part: Int, _ ring: Int) -> Bool {
    var isFinite = true
    let (first, last) = (geoms.place(span.lowerBound), geoms.place(span.upperBound &- 1))
    for index in span {
      let place = geoms.place(index)
      if place.x.isFinite && place.y.isFinite { continue }
      isFinite = false
      // The closing vertex is the first one again.
      if index == span.upperBound &- 1 && index > span.lowerBound && isSame(place, first) { continue }
      report(MRD_PROBLEM_NONFINITE, MRD_JTS_INVALID_COORDINATE, part, ring, index &- span.lowerBound, place)
    }
    guard isFinite else { return false }
    var isFit = !isSpherical || isOnSphere(span, part, ring)
    if first != last {
      report(MRD_PROBLEM_RING_NOT_CLOSED, MRD_JTS_RING_NOT_CLOSED, part, ring, 0, first)
      isFit = false
    }
    if !hasThreeVertices(span) {
      let least = span.reduce(span.lowerBound) { geoms.place($1) < geoms.place($0) ? $1 : $0 }
      report(
        MRD_PROBLEM_TOO_FEW_POINTS, MRD_JTS_TOO_FEW_POINTS, part, ring, least &- span.lowerBound, geoms.place(least))
      isFit = false
    }
    return isFit
  }

  private func isSame(_ a: Place, _ b: Place) -> Bool {
    (a.x == b.x || (a.x.isNaN && b.x.isNaN)) && (a.y == b.y || (a.y.isNaN && b.y.isNaN))
  }

  /// At least three after consecutive equal ones, and a last one that closes the ring, are taken as one.
  private func hasThreeVertices(_ span: Range<Int>) -> Bool {
    var count = 1
    for index in span.dropFirst() where geoms.place(index) != geoms.place(index &- 1) {
      count &+= 1
      if count > 3 { return true }
    }
    if count > 1 && geoms.place(span.upperBound &- 1) == geoms.place(span.lowerBound) { count &-= 1 }
    return count >= 3
  }

  mutating func report(
    _ code: Int32, _ jtsCode: Int32, _ part: Int, _ ring: Int, _ vertex: Int, _ place: Place
  ) {
    isInvalid = true
    findings.append(Finding(code: code, jtsCode: jtsCode, part: part, ring: ring, vertex: vertex, place: place))
  }
}
