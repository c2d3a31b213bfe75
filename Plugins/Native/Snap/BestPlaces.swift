// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The places that rank first so far, each by its best candidate; few, and sorted.
struct BestPlaces {
  static let most = 32
  static let memory = (most + 1) * MemoryLayout<Candidate>.stride

  private let candidates: UnsafeMutablePointer<Candidate>
  private let wanted: Int
  private(set) var count = 0
  /// Rank and distance of the last place, once there are as many as are wanted: what ranks behind them does not matter any
  /// more.
  private(set) var lastRank = Int32.max
  private(set) var lastDistance = Double.infinity

  /// `memory` has `BestPlaces.memory` bytes. At least one place is wanted, and `most` at most.
  init(_ wanted: Int, _ memory: UnsafeMutableRawPointer) {
    candidates = memory.bindMemory(to: Candidate.self, capacity: BestPlaces.most + 1)
    self.wanted = max(1, min(wanted, BestPlaces.most))
  }

  subscript(index: Int) -> Candidate { candidates[index] }
  var isFull: Bool { count == wanted }

  mutating func removeAll() {
    count = 0
    lastRank = .max
    lastDistance = .infinity
  }

  /// Keeps a candidate if its place ranks among the best by it. True when they are full and changed.
  @inline(__always)
  mutating func offer(_ candidate: Candidate) -> Bool {
    if isFull && !Candidate.comesBefore(candidate, candidates[count &- 1]) { return false }
    return insert(candidate)
  }

  private mutating func insert(_ candidate: Candidate) -> Bool {
    var at = 0
    while at < count && candidates[at].place != candidate.place { at &+= 1 }
    if at < count {
      if !Candidate.comesBefore(candidate, candidates[at]) { return false }
    } else if !isFull {
      count &+= 1
    } else {
      at = count &- 1
    }
    while at > 0 && Candidate.comesBefore(candidate, candidates[at &- 1]) {
      candidates[at] = candidates[at &- 1]
      at &-= 1
    }
    candidates[at] = candidate
    guard isFull else { return false }
    lastRank = candidates[count &- 1].rank
    lastDistance = candidates[count &- 1].distance
    return true
  }
}
