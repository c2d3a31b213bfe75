// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// JOIN: the pairs of ids whose boxes meet, ascending; of one tree with itself each pair once, the lower id first.
func joinTrees(_ a: BoxTree, _ b: BoxTree?, _ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
  var join = TreeJoin(a: a, b: b, call: call, poll: CancelPoll(call))
  let isFine = join.run()
  if join.poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled") }
  return isFine ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the pairs")
}

/// Looks the boxes of `a` up leaf by leaf, which is along the curve, and puts what was found in the order of their ids.
private struct TreeJoin {
  let a: BoxTree
  let b: BoxTree?
  let call: UnsafeMutablePointer<mrd_call>
  var poll: CancelPoll

  /// False = no memory, or cancelled.
  mutating func run() -> Bool {
    guard let order = byID(), let found = scratch(call, a.count, of: UnsafeMutablePointer<UInt32>?.self),
      let counts = scratch(call, a.count, of: Int.self)
    else { return false }
    var store = HitStore(call)
    for place in 0..<a.count {
      store.begin()
      search(place, &store)
      if poll.tick() || store.failed { return false }
      found[place] = store.ids
      counts[place] = store.count
    }
    return put(order, found, counts)
  }

  /// Places of the boxes in the tree, whose ids ascend.
  private mutating func byID() -> UnsafeMutablePointer<UInt64>? {
    guard let keys = scratch(call, a.count, of: UInt64.self), let spare = scratch(call, a.count, of: UInt64.self),
      let counters = scratch(call, RadixSort.counters, of: UInt32.self)
    else { return nil }
    for place in 0..<a.count {
      keys[place] = UInt64(id(place)) << 32 | UInt64(place)
      if poll.tick() { return nil }
    }
    return a.count == 0 ? keys : RadixSort.sort(keys, spare, a.count, counters: counters)
  }

  private func id(_ place: Int) -> UInt32 { a.ids(place >> 4)[place & 15] }

  @inline(__always)
  private mutating func search(_ place: Int, _ store: inout HitStore) {
    let (other, id) = (b ?? a, id(place))
    other.search(a.box(place >> 4, place & 15)) { leaf, bits in
      let ids = other.ids(leaf)
      var wanted = bits
      if b == nil {
        for slot in 0..<TreeShape.fanout where ids[slot] <= id { wanted &= ~(1 << UInt32(slot)) }
      }
      store.add(ids, wanted)
      return !poll.tick(16) && !store.failed
    }
  }

  private mutating func put(
    _ order: UnsafeMutablePointer<UInt64>, _ found: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>?>,
    _ counts: UnsafeMutablePointer<Int>
  ) -> Bool {
    var pairs = ResultBuffer<Int64>(call, MRD_BUF_IDS)
    var total = 0
    for place in 0..<a.count { total &+= 2 &* counts[place] }
    pairs.extend(to: total)
    guard !pairs.failed else { return false }
    var next = 0
    for index in 0..<a.count {
      let place = CurveOrder.number(order[index])
      guard let ids = found[place] else { continue }
      var partners = UnsafeMutableBufferPointer(start: ids, count: counts[place])
      partners.sort()
      for partner in partners {
        pairs[next] = Int64(id(place))
        pairs[next &+ 1] = Int64(partner)
        next &+= 2
      }
      if poll.tick(counts[place]) { return false }
    }
    return pairs.finish()
  }
}
