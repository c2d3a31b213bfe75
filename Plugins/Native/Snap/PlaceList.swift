// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Candidates of one query point, and the places that they make: those at one place side by side, the places in the order
/// of their best.
struct PlaceList {
  var candidates: ScratchList<Candidate>
  var places: ScratchList<CandidatePlace>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    candidates = ScratchList(call)
    places = ScratchList(call)
  }

  /// True when memory ran out; the lists are then not complete.
  var failed: Bool { candidates.failed || places.failed }

  mutating func removeAll() {
    candidates.truncate(0)
    places.truncate(0)
  }

  /// Sorts the candidates by place and the places by their best.
  mutating func formPlaces() {
    places.truncate(0)
    candidates.sort(by: Candidate.byPlace)
    var begin = 0
    while begin < candidates.count {
      var end = begin + 1
      while end < candidates.count && candidates[end].place == candidates[begin].place { end += 1 }
      places.append(CandidatePlace(best: candidates[begin], begin: begin, end: end))
      begin = end
    }
    places.sort { Candidate.comesBefore($0.best, $1.best) }
  }

  /// True when the candidates, all that lie within `reach` among them, hold the best places that are wanted: what is
  /// farther away cannot rank before the last of those any more.
  mutating func isSettled(within reach: Double, _ options: QueryOptions) -> Bool {
    guard candidates.count >= options.wanted else { return false }
    formPlaces()
    defer { places.truncate(0) }
    guard places.count >= options.wanted else { return false }
    let last = places[options.wanted - 1].best
    return last.distance <= reach && options.reachBefore(last.rank) <= reach
  }
}

/// Candidates at one place, as a range of the list.
struct CandidatePlace: BitwiseCopyable {
  let best: Candidate
  let begin: Int
  let end: Int
}
