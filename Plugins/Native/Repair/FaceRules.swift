// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Which faces belong to the result, by the rules that look at winding numbers alone.
struct FaceRules {
  /// Whether a face is inside.
  var isInside: ScratchList<Bool>
  private var winding: ScratchList<Int64>
  private var queue: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    isInside = ScratchList(call)
    winding = ScratchList(call)
    queue = ScratchList(call)
  }

  /// By the sum of the winding numbers of all rings: odd, or not zero. A crossing of coincident edges of any directions
  /// changes the parity as often as there are edges.
  mutating func label(_ graph: PlanarGraph, _ faces: Faces, byParity: Bool) throws(Stop) {
    try winding.fill(faces.count, Int64.min)
    try isInside.fill(faces.count, false)
    try queue.resize(faces.count)
    queue[0] = 0
    winding[0] = 0
    var (next, end) = (0, 1)
    while next < end {
      let face = Int(queue[next])
      next += 1
      isInside[face] = byParity ? winding[face] & 1 != 0 : winding[face] != 0
      for index in Int(faces.start[face])..<Int(faces.start[face + 1]) {
        let half = Int(faces.halves[index])
        let other = faces.right(half)
        if winding[other] != Int64.min { continue }
        winding[other] = winding[face] - step(graph, half)
        queue[end] = Int32(truncatingIfNeeded: other)
        end += 1
      }
    }
  }

  @inline(__always)
  private func step(_ graph: PlanarGraph, _ half: Int) -> Int64 {
    var sum: Int64 = 0
    for index in graph.windingRange(half) { sum += Int64(graph.windings[index].step) }
    return half & 1 == 0 ? sum : -sum
  }
}
