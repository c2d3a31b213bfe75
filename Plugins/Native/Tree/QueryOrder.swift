// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The order in which a batch of queries is answered: along the tree's curve, so that each finds in the caches what the
/// last one left there. Small batches, and trees that fit into a cache, go as they come.
struct QueryOrder {
  /// Below this the sorting costs more than it saves.
  private static let leastQueries = 128
  private static let leastItems = 8_192

  private let keys: UnsafeMutablePointer<UInt64>?
  let count: Int
  var isSorted: Bool { keys != nil }

  /// `box`: the box of a query. nil = no memory, or cancelled.
  init?(
    _ count: Int, _ tree: NodeTree, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll,
    _ box: (Int) -> Box
  ) {
    self.count = count
    guard count >= QueryOrder.leastQueries, count <= Int(UInt32.max), tree.shape.count >= QueryOrder.leastItems else {
      keys = nil
      return
    }
    guard let keys = CurveOrder.keys(count, tree.frame, call, &poll, box) else { return nil }
    self.keys = keys
  }

  /// The number of the query that comes at `place`.
  @inline(__always)
  subscript(place: Int) -> Int { keys.map { CurveOrder.number($0[place]) } ?? place }
}
