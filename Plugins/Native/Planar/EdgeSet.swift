// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// A line or ring in an `EdgeSet`: vertices `first` to `last`. The last vertex of a ring is its first one again.
struct EdgeChain: BitwiseCopyable {
  var first: Int32
  var last: Int32
  /// The polygon or line in its row.
  var part: Int32
  /// The ring in its polygon; -1 for lines.
  var ring: Int32
  var isClosed: Bool

  var edges: Range<Int> { Int(first)..<Int(last) }
}

/// The edges of one geometry: chains of vertices, one behind the other in one array. Edge k runs from vertex k to vertex
/// k + 1; the last vertex of a chain begins no edge. Consecutive vertices differ, and all are finite. The memory is not
/// its own.
struct EdgeSet: BitwiseCopyable {
  let x: UnsafePointer<Double>
  let y: UnsafePointer<Double>
  let count: Int
  /// In the order of their vertices.
  let chains: UnsafePointer<EdgeChain>
  let chainCount: Int
  /// For each vertex its number in the ring or line as it was given; nil where that is the distance from the first one.
  let numbers: UnsafePointer<Int32>?

  @inline(__always)
  func place(_ vertex: Int) -> Place { Place(x: x[vertex], y: y[vertex]) }

  /// The chain that holds a vertex.
  @inline(__always)
  func chain(of vertex: Int) -> Int {
    if chainCount == 1 { return 0 }
    var (low, high) = (0, chainCount)
    while high &- low > 1 {
      let middle = (low &+ high) >> 1
      if Int(chains[middle].first) <= vertex { low = middle } else { high = middle }
    }
    return low
  }

  /// The number of a vertex in its ring or line as it was given.
  func number(_ vertex: Int, in chain: Int) -> Int {
    numbers.map { Int($0[vertex]) } ?? vertex &- Int(chains[chain].first)
  }

  /// The vertex before the start of edge `edge`, round the ring; nil at the start of an open line.
  @inline(__always)
  func vertexBefore(_ edge: Int, in chain: Int) -> Int? {
    let chain = chains[chain]
    if edge != Int(chain.first) { return edge &- 1 }
    return chain.isClosed ? Int(chain.last) &- 1 : nil
  }

  /// True when one of two edges of a chain, the lower one first, begins where the other ends, as neighbours do.
  @inline(__always)
  func areNeighbours(_ edge: Int, _ other: Int, in chain: Int) -> Bool {
    let chain = chains[chain]
    return other == edge &+ 1 || (chain.isClosed && edge == Int(chain.first) && other == Int(chain.last) &- 1)
  }
}
