// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A ring at a point where it touches another one.
struct Incidence: BitwiseCopyable {
  var place: Place
  var chain: Int32
  /// The edge of the ring that begins there or goes through.
  var edge: Int32
}

extension PolygonCheck {
  /// The fourth phase, for polygons without other errors. Rings and the points where they touch are the nodes of a graph, a
  /// ring at a point is an edge of it; each edge that closes a cycle when points are taken in (x, y) order cuts a piece off
  /// the interior.
  mutating func judgeConnectedness(_ edges: EdgeSet) {
    guard let parts = partRoom.room(for: partCount) else { return }
    incidences.truncate(0)
    for index in firstIndex(ofRank: 2)..<contacts.count {
      let contact = contacts[index]
      incidences.append(Incidence(place: contact.place, chain: contact.chain, edge: contact.edge))
      incidences.append(Incidence(place: contact.place, chain: contact.otherChain, edge: contact.otherEdge))
    }
    incidences.sort {
      if $0.place != $1.place { return $0.place < $1.place }
      return $0.chain != $1.chain ? $0.chain < $1.chain : $0.edge < $1.edge
    }
    let count = edges.chainCount &+ incidences.count
    guard let memory = parents.room(for: count) else {
      failed = true
      return
    }
    let nodes = DisjointSets(memory, count: count)
    var point = edges.chainCount
    for index in 0..<incidences.count {
      let incidence = incidences[index]
      let chain = Int(incidence.chain)
      if index > 0 {
        let last = incidences[index &- 1]
        if last.place == incidence.place && last.chain == incidence.chain { continue }
        // A point is a node of each polygon that it is on.
        if last.place != incidence.place || edges.chains[Int(last.chain)].part != edges.chains[chain].part {
          point = edges.chainCount &+ index
        }
      }
      if parts[Int(edges.chains[chain].part)].isFaulty { continue }
      if !nodes.join(point, chain) {
        report(
          MRD_PROBLEM_DISCONNECTED_INTERIOR, MRD_JTS_DISCONNECTED_INTERIOR, ring: chain, at: Int(incidence.edge),
          other: nil, place: incidence.place, edges)
      }
      if poll.tick() || hasEnough { return }
    }
  }
}
