// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Counts the connected pieces of a row's linework that enclose nothing: spikes, and rings without area.
struct Collapsed {
  private var sets: ScratchList<Int32>
  private var isSeen: ScratchList<Bool>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    sets = ScratchList(call)
    isSeen = ScratchList(call)
  }

  /// `isOpen`: whether an arc, which stands for itself, encloses nothing.
  @inline(__always)
  mutating func count(_ graph: PlanarGraph, isOpen: (_ arc: Int) -> Bool) throws(Stop) -> Int {
    var isAny = false
    for arc in 0..<graph.arcs.count where graph.stands(arc) && isOpen(arc) { isAny = true }
    guard isAny else { return 0 }
    let connected = try sets.disjointSets(graph.nodes)
    for arc in 0..<graph.arcs.count where graph.stands(arc) && isOpen(arc) {
      _ = connected.join(Int(graph.arcs[arc].start), Int(graph.arcs[arc].end))
    }
    try isSeen.fill(graph.nodes, false)
    var pieces = 0
    for arc in 0..<graph.arcs.count where graph.stands(arc) && isOpen(arc) {
      let root = connected.root(of: Int(graph.arcs[arc].start))
      if !isSeen[root] { pieces += 1 }
      isSeen[root] = true
    }
    return pieces
  }
}

extension PlanarGraph {
  /// Every ring that runs along the arc runs back as often.
  func isRunBack(_ arc: Int) -> Bool {
    for index in windingRange(2 * arc) where windings[index].step != 0 { return false }
    return true
  }
}
