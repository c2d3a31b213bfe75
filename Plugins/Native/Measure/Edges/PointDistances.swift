// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Lengths that may come in two steps. Two short loops over a block keep a processor busier than a long one: more vectors
/// are under way at once.
protocol LengthMethod {
  /// True when lengths are still to be `finished`.
  static var isFinishedApart: Bool { get }
  func finished(_ lengths: Lanes) -> Lanes
}

extension LengthMethod {
  static var isFinishedApart: Bool { false }

  @inline(__always)
  func finished(_ lengths: Lanes) -> Lanes { lengths }
}

/// Distances between places on the globe, a vector of pairs at a time; to be `finished`.
protocol DistanceMethod: LengthMethod {
  func distances(_ lat1: Lanes, _ lon1: Lanes, _ lat2: Lanes, _ lon2: Lanes) -> Lanes
}

extension DistanceMethod {
  /// Writes the distances of a block; false when some place is outside of the globe's domain.
  func measure(_ block: PairBlock) -> Bool {
    var areGood = LaneMask(repeating: true)
    for vector in 0..<block.vectors {
      let (x1, y1) = (block.lanes(block.x1, vector), block.lanes(block.y1, vector))
      let (x2, y2) = (block.lanes(block.x2, vector), block.lanes(block.y2, vector))
      areGood = areGood .& block.areGood(x1, y1, x2, y2)
      distances(y1, x1, y2, x2).store(block.out, vector &* Lanes.scalarCount)
    }
    if Self.isFinishedApart {
      for vector in 0..<block.vectors {
        let at = vector &* Lanes.scalarCount
        finished(Lanes(block.out, at)).store(block.out, at)
      }
    }
    return all(areGood)
  }
}

/// Pairs of places, and where their distances go: `vectors` whole vectors, each column in one piece of memory.
struct PairBlock {
  let (x1, y1): (UnsafePointer<Double>, UnsafePointer<Double>)
  let (x2, y2): (UnsafePointer<Double>, UnsafePointer<Double>)
  let out: UnsafeMutablePointer<Double>
  let vectors: Int

  @inline(__always)
  func lanes(_ column: UnsafePointer<Double>, _ vector: Int) -> Lanes {
    UnsafeRawPointer(column + vector &* Lanes.scalarCount).loadUnaligned(as: Lanes.self)
  }

  /// True when the places of a vector are finite and have latitudes in [-90, 90].
  @inline(__always)
  func areGood(_ x1: Lanes, _ y1: Lanes, _ x2: Lanes, _ y2: Lanes) -> LaneMask {
    (magnitude(y1) .<= 90) .& (magnitude(y2) .<= 90) .& (magnitude(x1) .< .infinity) .& (magnitude(x2) .< .infinity)
  }
}

/// DISTANCE between points.
func pairPointDistances<Method: DistanceMethod>(
  _ method: Method, _ pairs: PairedGeoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard pairs.a.count > 0 else { return MRD_OK }
  guard let memory = PairMemory(pairs, call) else { return fail(call, MRD_E_MEMORY, "no memory for pairs") }
  let writer = PairWriter(pairs: pairs, columns: columns, call: call, width: 1)
  var poll = CancelPoll(call)
  var row = 0
  while row < pairs.a.count {
    let count = min(PairMemory.pairs, pairs.a.count &- row)
    if poll.tick(count) { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    let areGood = method.measure(memory.block(row, count, columns.column(0)))
    memory.copyOut(row, count, columns.column(0))
    call.setStatus(row, count: count, MRD_ITEM_OK)
    if pairs.haveNulls || !areGood {
      writer.overwriteBadRows(row, count, &poll)
      if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    }
    row &+= count
  }
  return MRD_OK
}

/// Makes blocks of the places of two arrays: they lie where they are when x and y are arrays of their own, else they are
/// copied.
private struct PairMemory {
  static var pairs: Int { 128 }

  private let pairs: PairedGeoms
  private let (firstA, firstB): (Int, Int)
  private let scratch: UnsafeMutablePointer<Double>

  init?(_ pairs: PairedGeoms, _ call: UnsafeMutablePointer<mrd_call>) {
    let numbers = 5 * PairMemory.pairs
    guard let memory = call.pointee.scratch(call, Int64(numbers * 8), 64) else { return nil }
    scratch = memory.bindMemory(to: Double.self, capacity: numbers)
    self.pairs = pairs
    (firstA, firstB) = (pairs.a.span(0).lowerBound, pairs.b.span(0).lowerBound)
    guard pairs.isBroadcast else { return }
    let place = pairs.b.place(firstB)
    (scratch + 2 * PairMemory.pairs).update(repeating: place.x, count: PairMemory.pairs)
    (scratch + 3 * PairMemory.pairs).update(repeating: place.y, count: PairMemory.pairs)
  }

  private func isWhole(_ count: Int) -> Bool { count % Lanes.scalarCount == 0 }

  func block(_ row: Int, _ count: Int, _ column: UnsafeMutablePointer<Double>?) -> PairBlock {
    let a = columns(pairs.a, firstA &+ row, count, 0)
    let b = pairs.isBroadcast ? copies(2) : columns(pairs.b, firstB &+ row, count, 2)
    let out = isWhole(count) ? column.map { $0 + row } : nil
    return PairBlock(
      x1: a.x, y1: a.y, x2: b.x, y2: b.y, out: out ?? scratch + 4 * PairMemory.pairs,
      vectors: (count &+ Lanes.scalarCount &- 1) / Lanes.scalarCount)
  }

  /// The results of a block that ends within a vector.
  func copyOut(_ row: Int, _ count: Int, _ column: UnsafeMutablePointer<Double>?) {
    guard let column, !isWhole(count) else { return }
    (column + row).update(from: scratch + 4 * PairMemory.pairs, count: count)
  }

  private func copies(_ first: Int) -> (x: UnsafePointer<Double>, y: UnsafePointer<Double>) {
    (UnsafePointer(scratch + first * PairMemory.pairs), UnsafePointer(scratch + (first + 1) * PairMemory.pairs))
  }

  private func columns(
    _ geoms: Geoms, _ first: Int, _ count: Int, _ copy: Int
  ) -> (x: UnsafePointer<Double>, y: UnsafePointer<Double>) {
    let strides = geoms.raw.coords.stride
    if isWhole(count), strides.0 == 8, strides.1 == 8, let x = geoms.raw.coords.v.0, let y = geoms.raw.coords.v.1 {
      return (x + first, y + first)
    }
    let (x, y) = (scratch + copy * PairMemory.pairs, scratch + (copy + 1) * PairMemory.pairs)
    for index in 0..<PairMemory.pairs {
      // The last place again, to the end of its vector.
      let place = geoms.place(first &+ min(index, count &- 1))
      (x[index], y[index]) = (place.x, place.y)
    }
    return (UnsafePointer(x), UnsafePointer(y))
  }
}
