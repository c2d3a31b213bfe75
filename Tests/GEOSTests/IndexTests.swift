// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import Testing

typealias TestBox = [Double]

/// A box array in the interleaved layout.
final class TestBoxes {
  let pointer = UnsafeMutablePointer<mrd_boxes>.allocate(capacity: 1)
  private let values: Block<Double>
  let count: Int

  init(_ boxes: [TestBox]) {
    values = Block(boxes.flatMap { $0 })
    count = boxes.count
    var raw = mrd_boxes()
    raw.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
    raw.length = Int64(count)
    let base = UnsafePointer(values.base)
    raw.v = (base, base + 1, base + 2, base + 3)
    raw.stride = (32, 32, 32, 32)
    pointer.initialize(to: raw)
  }

  deinit { pointer.deallocate() }
}

/// An index of the adapter.
final class TestIndex: @unchecked Sendable {
  private(set) var handle: OpaquePointer?

  init(_ boxes: [TestBox]) {
    let call = TestCall(rows: boxes.count)
    let array = TestBoxes(boxes)
    let status = withExtendedLifetime(array) {
      Adapter.index.build?(array.pointer, nil, &handle, call.pointer) ?? -1
    }
    precondition(status == MRD_OK, call.message)
  }

  deinit { Adapter.index.release?(handle) }

  var facts: mrd_index_facts {
    var facts = mrd_index_facts()
    facts.struct_size = UInt32(MemoryLayout<mrd_index_facts>.size)
    _ = Adapter.index.facts?(handle, &facts, nil)
    return facts
  }

  func window(_ windows: [TestBox], _ change: (inout mrd_window_options) -> Void = { _ in }) -> (
    ids: [[Int]], call: TestCall
  ) {
    let call = TestCall(rows: windows.count)
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    options.flags = UInt32(MRD_WINDOW_ASCENDING)
    change(&options)
    let array = TestBoxes(windows)
    let status = withExtendedLifetime(array) { Adapter.index.window?(handle, array.pointer, &options, call.pointer) }
    #expect(status == MRD_OK)
    if options.mode != MRD_WINDOW_IDS { return (call.values(MRD_BUF_IDS, as: Int64.self).map { [Int($0)] }, call) }
    return (lists(call), call)
  }

  func nearest(_ queries: [TestBox], _ change: (inout mrd_nearest_options) -> Void) -> (ids: [[Int]], values: [Double])
  {
    let call = TestCall(rows: queries.count)
    var options = mrd_nearest_options()
    options.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
    change(&options)
    let array = TestBoxes(queries)
    let status = withExtendedLifetime(array) { Adapter.index.nearest?(handle, array.pointer, &options, call.pointer) }
    #expect(status == MRD_OK)
    return (lists(call), call.values(MRD_BUF_VALUES, as: Double.self))
  }

  func join(_ other: TestIndex?) -> [[Int]] {
    let call = TestCall(rows: 0)
    #expect(Adapter.index.join?(handle, other?.handle, call.pointer) == MRD_OK)
    let ids = call.values(MRD_BUF_IDS, as: Int64.self).map(Int.init)
    return stride(from: 0, to: ids.count, by: 2).map { [ids[$0], ids[$0 + 1]] }
  }

  private func lists(_ call: TestCall) -> [[Int]] {
    let rows = call.values(MRD_BUF_ROWS, as: Int64.self).map(Int.init)
    let ids = call.values(MRD_BUF_IDS, as: Int64.self).map(Int.init)
    return zip(rows, rows.dropFirst()).map { Array(ids[$0..<$1]) }
  }
}

private func meets(_ a: TestBox, _ b: TestBox) -> Bool {
  a[0] <= a[2] && a[1] <= a[3] && b[0] <= b[2] && b[1] <= b[3] && a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3]
    && b[1] <= a[3]
}

private func square(_ a: TestBox, _ b: TestBox) -> Double {
  let dx = max(a[0] - b[2], 0, b[0] - a[2])
  let dy = max(a[1] - b[3], 0, b[1] - a[3])
  return dx * dx + dy * dy
}

@Suite struct IndexTests {
  /// Boxes on a coarse grid, so that touching and equal distances are frequent; some NaN, inverted or infinite.
  private func boxes(_ count: Int, _ random: inout SplitMix) -> [TestBox] {
    (0..<count).map { _ in
      let x = Double(random.integer(20))
      let y = Double(random.integer(20))
      switch random.integer(12) {
      case 0: return [x, y, .nan, y]
      case 1: return [x + 1, y, x, y]
      case 2: return [-.infinity, y, x, y]
      default: return [x, y, x + Double(random.integer(3)), y + Double(random.integer(3))]
      }
    }
  }

  @Test func windowsAndJoinsEqualComparisonOfAllBoxes() {
    for seed in 0..<60 {
      var random = SplitMix(seed: UInt64(seed))
      let items = boxes(seed * 2, &random)
      let windows = boxes(25, &random) + [[-.infinity, -.infinity, .infinity, .infinity]]
      let index = TestIndex(items)
      let expected = windows.map { window in items.indices.filter { meets(items[$0], window) } }
      #expect(index.window(windows).ids == expected, "seed \(seed)")
      #expect(
        index.window(windows) { $0.mode = MRD_WINDOW_COUNT }.ids == expected.map { [$0.count] }, "seed \(seed)")
      #expect(index.window(windows) { $0.mode = MRD_WINDOW_FIRST }.ids == expected.map { [$0.first ?? -1] })
      var pairs: [[Int]] = []
      for i in items.indices {
        for j in items.indices where j > i && meets(items[i], items[j]) { pairs.append([i, j]) }
      }
      #expect(index.join(nil) == pairs, "seed \(seed)")
      let other = TestIndex(windows)
      let cross = items.indices.flatMap { i in windows.indices.filter { meets(items[i], windows[$0]) }.map { [i, $0] } }
      #expect(index.join(other) == cross, "seed \(seed)")
      #expect(Int(index.facts.never_hit) == items.filter { !meets($0, $0) }.count)
    }
  }

  @Test(arguments: [MRD_TIES_LOWEST_ID, MRD_TIES_ALL])
  func nearestEqualsSorting(ties: Int32) {
    for seed in 0..<60 {
      var random = SplitMix(seed: UInt64(seed) &+ 1000)
      let items = boxes(seed * 2, &random)
      let queries = boxes(15, &random).filter { meets($0, $0) } + [[500, 500, 500, 500]]
      let k = 1 + seed % 7
      let most = seed % 3 == 0 ? 2.0 : 0
      let found = TestIndex(items).nearest(queries) {
        $0.k = Int64(k)
        $0.ties = ties
        $0.max_distance_coord = most
      }
      let expected = queries.map { query -> [Int] in
        let live = items.indices.filter { meets(items[$0], items[$0]) }
          .filter { most == 0 || square(items[$0], query) <= most * most }
          .sorted { (square(items[$0], query), $0) < (square(items[$1], query), $1) }
        guard live.count > k, ties == MRD_TIES_ALL else { return Array(live.prefix(k)) }
        let last = square(items[live[k - 1]], query)
        return live.filter { square(items[$0], query) <= last }
      }
      #expect(found.ids == expected, "seed \(seed)")
      let squares = zip(expected, queries).flatMap { ids, query in ids.map { square(items[$0], query).squareRoot() } }
      #expect(found.values == squares, "seed \(seed)")
    }
  }

  @Test func distancesThatOverflowWhenSquaredAreOrdered() {
    let index = TestIndex([[1e300, 0, 1e300, 0], [-8e299, 0, -8e299, 0], [3, 4, 3, 4]])
    let found = index.nearest([[0, 0, 0, 0]]) { $0.k = 3 }
    #expect(found.ids == [[2, 1, 0]])
    #expect(found.values == [5, 8e299, 1e300])
    // Differences that overflow by themselves.
    let limit = Double.greatestFiniteMagnitude
    let ends = TestIndex([[-limit, 0, -limit, 0], [-1e307, 0, -1e307, 0], [1e308, 0, 1e308, 0]])
    #expect(ends.nearest([[limit, 0, limit, 0]]) { $0.k = 3 }.ids == [[2, 1, 0]])
  }

  @Test func limitExclusionAndVisitor() {
    let index = TestIndex([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]])
    let cut = index.window([[0, 0, 1, 1]]) { $0.limit = 2 }
    #expect(cut.ids == [[0, 1]] && cut.call.status(0) == MRD_ITEM_WARN_TRUNCATED)
    let exclude = Block([Int64(0)])
    let others = withExtendedLifetime(exclude) {
      index.nearest([[0, 0, 0, 0]]) { $0.exclude = UnsafePointer(exclude.base) }.ids
    }
    #expect(others == [[1]])
    let seen = Block([Int64(0)])
    _ = index.window([[0, 0, 1, 1]]) {
      $0.visitor_context = UnsafeMutableRawPointer(seen.base)
      $0.visitor = { context, _, id in
        context?.assumingMemoryBound(to: Int64.self).pointee += 1
        return id == 1 ? 1 : 0
      }
    }
    #expect(seen.base.pointee == 2)
  }

  @Test func queriesRunConcurrently() {
    var random = SplitMix(seed: 42)
    let items = boxes(2000, &random)
    let windows = boxes(200, &random)
    let index = TestIndex(items)
    let expected = index.window(windows).ids
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      #expect(index.window(windows).ids == expected)
    }
  }

  @Test func whatATreeInMemoryCannotDoIsRefused() {
    var handle: OpaquePointer?
    let call = TestCall(rows: 0)
    var options = mrd_index_options()
    options.struct_size = UInt32(MemoryLayout<mrd_index_options>.size)
    let path = strdup("x.index")
    options.path = UnsafePointer(path)
    let none = TestBoxes([])
    let status = withExtendedLifetime(none) {
      Adapter.index.build?(none.pointer, &options, &handle, call.pointer)
    }
    #expect(status == MRD_E_UNSUPPORTED)
    free(path)
    #expect(Adapter.index.insert == nil && Adapter.index.save == nil && Adapter.index.info?(MRD_INDEX_INSERT) == nil)
    #expect(TestIndex([]).nearest([[0, 0, 0, 0]]) { $0.k = 3 }.ids == [[]])
  }
}
