// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Noding where thousands of edges coincide, so that the pairs of them would be too many: one edge of each place looks for
/// contacts, and what it meets is cut into all.
extension Noding {
  /// `blocks` holds the edges that stand for others afterwards.
  ///
  /// - Parameter movedOnly: whether pairs of which neither was moved by the last round are known.
  mutating func searchUnique(
    _ rings: inout RepairRings, _ blocks: inout BoxedEdges, _ geoms: Geoms, movedOnly: Bool, _ poll: inout CancelPoll
  ) throws(Stop) {
    try unique.build(rings)
    let (unique, places) = (self.unique, rings.places)
    try blocks.build(unique.count) { group in
      let edge = unique.edge(group)
      return (places[edge], places[edge + 1])
    }
    try isMoved.fill(unique.count, !movedOnly)
    for group in 0..<unique.count {
      if poll.tick() { throw .cancelled }
      let edge = unique.edge(group)
      let isAlone = unique.isAlone(edge)
      if !isAlone { findings.hasCrossing = true }
      try unique.forEachMember(of: edge) { (member: Int) throws(Stop) in
        if rings.marks[member].contains(.moved) { isMoved[group] = true }
        if isAlone { return }
        rings.mark(member, .node)
        rings.mark(member + 1, .node)
      }
    }
    try blocks.forEachPair(&poll) { (one: Int, two: Int) throws(Stop) in
      let (edge, other) = (unique.edge(one), unique.edge(two))
      // Groups are in the order of their edges; edges that follow each other meet in their common vertex alone, or are
      // spikes, which were found before.
      if other == edge + 1 || !(isMoved[one] || isMoved[two]) { return }
      try meet(edge, other, &rings, geoms)
    }
    try spread(&rings, &poll)
  }

  /// What an edge that stands for others was cut by is put into those as well.
  private mutating func spread(_ rings: inout RepairRings, _ poll: inout CancelPoll) throws(Stop) {
    let unique = self.unique
    for index in 0..<insertions.count {
      let insertion = insertions[index]
      let edge = Int(insertion.edge)
      if unique.isAlone(edge) { continue }
      let bends = rings.marks[edge].contains(.bends)
      if poll.tick() { throw .cancelled }
      try unique.forEachMember(of: edge) { (member: Int) throws(Stop) in
        if member == edge { return }
        if bends { bend(member, &rings) }
        try insert(insertion.place, insertion.source, in: member, &rings)
      }
    }
  }
}
