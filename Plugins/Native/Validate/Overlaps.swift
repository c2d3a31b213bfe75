// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// An end of an overlap, by the number of the overlap in its group.
struct OverlapEnd: BitwiseCopyable {
  var place: Place
  var overlap: Int32
}

/// A stretch along which a pair of rings overlaps.
struct OverlapStretch: BitwiseCopyable {
  let pair: UInt64
  let from: Place
  let to: Place
  /// The greatest end of the pair's stretches up to this one in the order of their lesser ends.
  var reach: Place
}

extension PolygonCheck {
  /// Lists the overlaps by pairs and places, for `isOnOverlap`.
  mutating func gatherStretches(_ overlaps: Range<Int>) {
    stretches.truncate(0)
    for index in overlaps {
      let contact = contacts[index]
      stretches.append(
        OverlapStretch(pair: contact.pair, from: contact.place, to: contact.end, reach: contact.end))
      if poll.tick() { return }
    }
    stretches.sort { $0.pair != $1.pair ? $0.pair < $1.pair : $0.from < $1.from }
    for index in 1..<max(1, stretches.count) where stretches[index].pair == stretches[index &- 1].pair {
      let before = stretches[index &- 1].reach
      if stretches[index].reach < before { stretches[index].reach = before }
    }
  }

  /// True when a vertex lies on a stretch along which a pair of rings overlaps.
  mutating func isOnOverlap(_ vertex: Place, _ pair: UInt64) -> Bool {
    // Behind those that begin at the vertex or before it.
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low &+ high) >> 1
      let stretch = stretches[middle]
      if stretch.pair < pair || (stretch.pair == pair && stretch.from <= vertex) {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    while low > 0 && stretches[low &- 1].pair == pair && vertex <= stretches[low &- 1].reach {
      low &-= 1
      let stretch = stretches[low]
      if vertex <= stretch.to && orientation(stretch.from, stretch.to, vertex) == 0 { return true }
      if poll.tick() { return false }
    }
    return false
  }

  /// Overlaps of one pair of rings: runs that hang together at their ends are one problem, at the least end; a run in which
  /// an edge turns back is a spike at each of its tips instead.
  mutating func judgeOverlaps(_ group: Range<Int>, _ edges: EdgeSet) {
    guard let parents = parents.room(for: group.count), let marks = marks.room(for: group.count) else {
      failed = true
      return
    }
    let runs = DisjointSets(parents, count: group.count)
    marks.update(repeating: 0, count: group.count)
    ends.truncate(0)
    for index in 0..<group.count {
      let overlap = contacts[group.lowerBound &+ index]
      ends.append(OverlapEnd(place: overlap.place, overlap: Int32(truncatingIfNeeded: index)))
      ends.append(OverlapEnd(place: overlap.end, overlap: Int32(truncatingIfNeeded: index)))
    }
    ends.sort { $0.place != $1.place ? $0.place < $1.place : $0.overlap < $1.overlap }
    for index in 1..<max(1, ends.count) where ends[index].place == ends[index &- 1].place {
      _ = runs.join(Int(ends[index].overlap), Int(ends[index &- 1].overlap))
    }
    for index in 0..<group.count where contacts[group.lowerBound &+ index].tip >= 0 { marks[runs.root(of: index)] = 1 }
    let isWhole = isDuplicate(group, edges)
    // In the order of places, so the first end of a run is its least one.
    for index in 0..<ends.count {
      let overlap = contacts[group.lowerBound &+ Int(ends[index].overlap)]
      let run = runs.root(of: Int(ends[index].overlap))
      if marks[run] == 0 {
        marks[run] = 2
        report(
          isWhole ? MRD_PROBLEM_DUPLICATE_RING : MRD_PROBLEM_EDGE_OVERLAP, MRD_JTS_SELF_INTERSECTION, overlap,
          ends[index].place, edges)
      }
    }
    reportTips(group, edges)
  }

  private mutating func reportTips(_ group: Range<Int>, _ edges: EdgeSet) {
    ends.truncate(0)
    for index in group where contacts[index].tip >= 0 {
      let tip = contacts[index].tip
      ends.append(OverlapEnd(place: edges.place(Int(tip)), overlap: Int32(truncatingIfNeeded: index)))
    }
    let list = contacts
    ends.sort {
      $0.place != $1.place ? $0.place < $1.place : list[Int($0.overlap)].tip < list[Int($1.overlap)].tip
    }
    for index in 0..<ends.count where index == 0 || ends[index].place != ends[index &- 1].place {
      let contact = contacts[Int(ends[index].overlap)]
      report(
        MRD_PROBLEM_SPIKE, MRD_JTS_SELF_INTERSECTION, contact, ends[index].place, edges, vertex: Int(contact.tip))
    }
  }

  /// True when the overlaps of two rings that do not meet themselves are all of both rings: every one ends where another
  /// begins. `ends` are theirs, in the order of places.
  private func isDuplicate(_ group: Range<Int>, _ edges: EdgeSet) -> Bool {
    let contact = contacts[group.lowerBound]
    var facts = ringRoom
    guard !contact.isOfOneChain, ends.count & 1 == 0, let rings = facts.room(for: edges.chainCount),
      !rings[Int(contact.chain)].isFaulty, !rings[Int(contact.otherChain)].isFaulty
    else { return false }
    for index in stride(from: 0, to: ends.count, by: 2) where ends[index].place != ends[index &+ 1].place {
      return false
    }
    return true
  }
}
