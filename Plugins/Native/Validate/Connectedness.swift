// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A ring at a point where it touches another one.
struct Incidence: BitwiseCopyable {
  var place: Place
  var chain: Int32
  /// The edge of the ring that begins there or goes through.
  var edge: Int32
  /// The ring, or the loop of it, in the graph.
  var node: Int32
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
      addIncidence(contact.place, contact.chain, contact.edge, edges)
      addIncidence(contact.place, contact.otherChain, contact.otherEdge, edges)
    }
    for index in 0..<stops.count { addIncidence(stops[index].place, stops[index].chain, stops[index].edge, edges) }
    incidences.sort {
      if $0.place != $1.place { return $0.place < $1.place }
      if $0.chain != $1.chain { return $0.chain < $1.chain }
      return $0.node != $1.node ? $0.node < $1.node : $0.edge < $1.edge
    }
    let first = edges.chainCount &+ loops.count
    let count = first &+ incidences.count
    guard let memory = parents.room(for: count) else {
      failed = true
      return
    }
    let nodes = DisjointSets(memory, count: count)
    var point = first
    for index in 0..<incidences.count {
      let incidence = incidences[index]
      let chain = Int(incidence.chain)
      if index > 0 {
        let last = incidences[index &- 1]
        if last.place == incidence.place && last.node == incidence.node { continue }
        // A point is a node of each polygon that it is on.
        if last.place != incidence.place || edges.chains[Int(last.chain)].part != edges.chains[chain].part {
          point = first &+ index
        }
      }
      if parts[Int(edges.chains[chain].part)].isFaulty { continue }
      if !nodes.join(point, Int(incidence.node)) {
        report(
          MRD_PROBLEM_DISCONNECTED_INTERIOR, MRD_JTS_DISCONNECTED_INTERIOR, ring: chain, at: Int(incidence.edge),
          other: nil, place: incidence.place, edges)
      }
      if poll.tick() || hasEnough { return }
    }
  }

  private mutating func addIncidence(_ place: Place, _ chain: Int32, _ edge: Int32, _ edges: EdgeSet) {
    incidences.append(Incidence(place: place, chain: chain, edge: edge, node: node(chain, edge, place, edges)))
  }
}
