// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Which groups of blocks of a large row have contacts at all, looked at on all threads. In most data few have: these are gone
/// through once more in their order, so that what is found does not depend on threads.
struct BusyGroups {
  /// Blocks of a group; 16,384 edges.
  private static let shift = 10
  /// Fewer are not worth the threads.
  private static let least = 8
  private let marks: UnsafeMutablePointer<UInt8>

  @inline(__always)
  func isQuiet(_ block: Int) -> Bool { marks[block >> BusyGroups.shift] == 0 }

  /// nil: there is one thread, the row is not large, or there is no memory.
  static func find(
    _ edges: EdgeSet, _ blocks: EdgeBlocks, _ rule: ContactRule, _ room: inout ScratchRoom<UInt8>,
    _ call: UnsafeMutablePointer<mrd_call>
  ) -> BusyGroups? {
    let groups = (blocks.count &+ (1 << shift) &- 1) >> shift
    guard groups >= least, call.pointee.thread_budget > 1, let parallel = call.pointee.parallel_for,
      let marks = room.room(for: groups)
    else { return nil }
    // Groups that a cancelled call leaves out stay busy.
    marks.update(repeating: 1, count: groups)
    var search = GroupSearch(edges: edges, blocks: blocks, rule: rule, marks: marks, call: call)
    _ = withUnsafeMutablePointer(to: &search) { search in
      parallel(
        call,
        { context, begin, end in
          guard let search = context?.assumingMemoryBound(to: GroupSearch.self) else { return MRD_E_ARGUMENT }
          for group in Int(begin)..<Int(end) where search.pointee.isQuiet(group) { search.pointee.marks[group] = 0 }
          return mrd_cancelled(search.pointee.call) != 0 ? MRD_E_CANCELLED : MRD_OK
        }, search, Int64(groups), 1)
    }
    return BusyGroups(marks: marks)
  }

  /// What the threads share; nothing of it changes but each group's mark.
  private struct GroupSearch {
    let edges: EdgeSet
    let blocks: EdgeBlocks
    let rule: ContactRule
    let marks: UnsafeMutablePointer<UInt8>
    let call: UnsafeMutablePointer<mrd_call>

    /// False also where it takes too long to tell.
    func isQuiet(_ group: Int) -> Bool {
      let range = (group &<< BusyGroups.shift)..<min(blocks.count, (group &+ 1) &<< BusyGroups.shift)
      var looks = 32 &* range.count
      for block in range {
        if looks < 0 || (block & 63 == 0 && mrd_cancelled(call) != 0) { return false }
        let isQuiet = blocks.forEachPair(block: block, &looks) { edge, other in
          edges.contact(edge, other, rule) == nil
        }
        if !isQuiet { return false }
      }
      return true
    }
  }
}
