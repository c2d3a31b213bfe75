// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import Testing

@Suite struct IndexQueryTests {
  private func numbered(_ boxes: [TestBox]) -> [Int64: TestBox] {
    Dictionary(uniqueKeysWithValues: boxes.enumerated().map { (Int64($0.offset), $0.element) })
  }

  @Test func declarationsSayWhatTheKernelCan() throws {
    let kernel = Kernel.shared
    #expect(String(cString: kernel.plugin.pointee.id) == "meridian.sqlite")
    #expect(kernel.plugin.pointee.get_family("meridian.measure/1") == nil)
    for operation in MRD_INDEX_BUILD...MRD_INDEX_OPEN {
      let info = try #require(kernel.family.info(operation))
      #expect(info.pointee.flags & MRD_OP_EXACT_PREDICATES != 0)
      #expect(info.pointee.method != nil)
    }
    #expect(kernel.family.info(99) == nil)
    let nearest = try #require(kernel.family.info(MRD_INDEX_NEAREST))
    #expect(nearest.pointee.metric_mask == 1 << UInt32(MRD_METRIC_COORD))
    #expect(nearest.pointee.edges_mask == 1 << UInt32(MRD_EDGES_PLANAR))
  }

  @Test(arguments: 0..<12) func windowsEqualBruteForce(seed: Int) throws {
    var random = SeededGenerator(UInt64(seed))
    let curved = seed % 3 == 0
    let boxes = randomBoxes(300, &random, curved: curved)
    let windows = randomBoxes(120, &random, curved: curved)
    let index = try TestIndex(boxes, edges: curved ? MRD_EDGES_GEODESIC : MRD_EDGES_PLANAR)
    let expected = windows.map { Oracle.window(numbered(boxes), $0, curved: curved) }
    #expect(try index.window(windows).ids == expected, "seed \(seed)")
    let counts = expected.map { [Int64($0.count)] }
    #expect(try index.window(windows, mode: MRD_WINDOW_COUNT).ids == counts, "seed \(seed)")
    #expect(try index.window(windows, mode: MRD_WINDOW_FIRST).ids == expected.map { [$0.first ?? -1] }, "seed \(seed)")
    let facts = try index.facts()
    #expect(facts.boxes == 300)
    #expect(Int(facts.never_hit) == boxes.count { !Oracle.canHit($0, curved: curved) }, "seed \(seed)")
  }

  @Test(arguments: 0..<8) func neighboursEqualBruteForce(seed: Int) throws {
    var random = SeededGenerator(UInt64(1000 + seed))
    let boxes = randomBoxes(250, &random)
    let queries = randomBoxes(60, &random)
    let index = try TestIndex(boxes)
    for (k, ties, maximum) in [
      (1, MRD_TIES_LOWEST_ID, 0.0), (7, MRD_TIES_ALL, 0), (300, MRD_TIES_ALL, 2), (5, MRD_TIES_LOWEST_ID, 0.5),
    ] {
      let exclude = queries.map { _ in Int64.random(in: -1..<250, using: &random) }
      let found = try index.nearest(queries, k: Int64(k), ties: ties, maximum: maximum, exclude: exclude)
      for (row, query) in queries.enumerated() {
        let expected = Oracle.nearest(
          numbered(boxes), query, k: k, all: ties == MRD_TIES_ALL, maximum: maximum, exclude: exclude[row])
        let same = found[row].elementsEqual(expected) { $0.0 == $1.0 && $0.1 == $1.1 }
        #expect(same, "seed \(seed), query \(row), k \(k): \(found[row]) and not \(expected)")
      }
    }
  }

  @Test(arguments: 0..<6) func joinsEqualBruteForce(seed: Int) throws {
    var random = SeededGenerator(UInt64(2000 + seed))
    let curved = seed % 2 == 0
    let edges = curved ? MRD_EDGES_GREAT_CIRCLE : MRD_EDGES_PLANAR
    let (a, b) = (randomBoxes(120, &random, curved: curved), randomBoxes(90, &random, curved: curved))
    let (first, second) = (try TestIndex(a, edges: edges), try TestIndex(b, edges: edges))
    var expected: [[Int64]] = []
    for (i, box) in a.enumerated() {
      for j in Oracle.window(numbered(b), box, curved: curved) { expected.append([Int64(i), j]) }
    }
    #expect(try first.join(second) == expected, "seed \(seed)")
    var own: [[Int64]] = []
    for (i, box) in a.enumerated() {
      for j in Oracle.window(numbered(a), box, curved: curved) where j > i { own.append([Int64(i), j]) }
    }
    #expect(try first.join() == own, "seed \(seed)")
  }

  /// Doubles beyond the range of floats, and below their smallest: outward rounding must still hold them.
  @Test func boxesBeyondFloatsAreFound() throws {
    let big = Double.greatestFiniteMagnitude
    let boxes = [
      TestBox(1e300, 1e300, 2e300, 2e300), TestBox(-2e300, -2e300, -1e300, -1e300),
      TestBox(0x2p-1064, 0x2p-1064, 0x4p-1064, 0x4p-1064),
      TestBox(-.infinity, -.infinity, .infinity, .infinity), TestBox(.infinity, 0, .infinity, 0),
      TestBox(big, big, big, big),
    ]
    let windows = [
      TestBox(1.5e300, 1.5e300, 1.5e300, 1.5e300), TestBox(-1e300, -1e300, 0, 0), TestBox(0x3p-1064, 0x3p-1064, 1, 1),
      TestBox(0, 0, 0, 0), TestBox(0x5p-1064, 0x5p-1064, 0x5p-1064, 0x5p-1064), TestBox(big, -1, .infinity, 1),
      TestBox(3e300, 3e300, .infinity, .infinity),
    ]
    let index = try TestIndex(boxes)
    #expect(try index.window(windows).ids == [[0, 3], [1, 3], [2, 3], [3], [3], [3, 4], [3, 5]])
    // The squares overflow; order and distance must not.
    let far = try index.nearest([TestBox(-3e300, 0, -3e300, 0)], k: 4)[0]
    #expect(far.map(\.1) == [3, 1, 2, 0])
    #expect(abs(far[1].0 / (2.0.squareRoot() * 1e300) - 1) < 1e-15)
    #expect(abs(far[3].0 / (17.0.squareRoot() * 1e300) - 1) < 1e-15)
  }

  /// A point in metres: its 32-bit box reaches half a metre too far north (opengeospatial/geopackage#532).
  @Test func fineBoxesAreExact() throws {
    let index = try TestIndex([TestBox(610_123.37, 5_801_234.56, 610_123.37, 5_801_234.56)])
    let windows = [
      TestBox(610_122.37, 5_801_235.0, 610_124.37, 5_801_235.2),
      TestBox(610_123.36, 5_801_234.55, 610_123.38, 5_801_234.57),
      TestBox(610_123.37, 5_801_234.56, 610_123.37, 5_801_234.56),
      TestBox(610_123.37.nextUp, 5_801_234.56, 610_124, 5_801_235),
    ]
    #expect(try index.window(windows).ids == [[], [0], [0], []])
  }

  @Test func theAntimeridianIsOneMeridian() throws {
    let boxes = [
      TestBox(170, 0, -170, 1), TestBox(-180, 0, -175, 1), TestBox(175, 0, 180, 1), TestBox(0, 0, 1, 1),
      TestBox(530, 0, 550, 1),
      TestBox(-180, 2, 180, 3), TestBox(-1000, 2, 1000, 3),
    ]
    let index = try TestIndex(boxes, edges: MRD_EDGES_PLATE_CARREE)
    let windows = [
      TestBox(179, 0, 180, 1), TestBox(-180, 0, -179, 1), TestBox(361, 0, 370, 1), TestBox(179, 0, -179, 1),
      TestBox(-180, 0, 180, 1), TestBox(90, 2, 91, 2),
    ]
    let answer = try index.window(windows).ids
    #expect(answer == [[0, 1, 2, 4], [0, 1, 2, 4], [3], [0, 1, 2, 4], [0, 1, 2, 3, 4], [5, 6]])
    #expect(throws: CallError.self) { try index.window(windows, edges: MRD_EDGES_PLANAR) }
  }

  @Test func limitsAndVisitorsCut() throws {
    let index = try TestIndex((0..<20).map { TestBox(Double($0), 0, 100, 1) })
    let all = TestBox(0, 0, 100, 1)
    let cut = try index.window([all, TestBox(0, 0, 2, 1)], limit: 3)
    #expect(cut.ids == [[0, 1, 2], [0, 1, 2]])
    #expect(cut.statuses == [MRD_ITEM_WARN_TRUNCATED, 0])

    final class Seen { var ids: [Int64] = [] }
    let seen = Seen()
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    options.visitor_context = Unmanaged.passUnretained(seen).toOpaque()
    options.visitor = { context, window, id in
      guard let context else { return 1 }
      let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
      seen.ids.append(window * 100 + id)
      return id == 4 ? 1 : 0
    }
    try withBoxes([all, all]) { array in
      _ = try call(rows: 2) { Kernel.shared.family.window(index.handle, array, &options, $0) }
    }
    #expect(seen.ids == [0, 1, 2, 3, 4, 100, 101, 102, 103, 104])
  }

  @Test func refusalsHaveReasons() throws {
    let index = try TestIndex([TestBox(0, 0, 1, 1)])
    func status(_ body: () throws -> Void) -> Int32 {
      do {
        try body()
        return MRD_OK
      } catch let error as CallError {
        #expect(!error.message.isEmpty)
        return error.status
      } catch { return -1 }
    }
    let point = [TestBox(0, 0, 0, 0)]
    #expect(status { _ = try index.nearest(point, k: 1, metric: MRD_METRIC_ELLIPSOID) } == MRD_E_UNSUPPORTED)
    #expect(status { _ = try index.nearest(point, k: 1, metric: MRD_METRIC_SPHERE) } == MRD_E_UNSUPPORTED)
    #expect(status { _ = try index.nearest(point, k: -1) } == MRD_E_ARGUMENT)
    #expect(status { _ = try index.nearest(point, k: 1, maximum: .nan) } == MRD_E_ARGUMENT)
    #expect(status { _ = try index.window(point, mode: 7) } == MRD_E_ARGUMENT)
    #expect(status { _ = try index.window(point, limit: -1) } == MRD_E_ARGUMENT)
    #expect(status { _ = try index.window(point, cancelled: true) } == MRD_E_CANCELLED)
    #expect(status { _ = try TestIndex(point, cancelled: true) } == MRD_E_CANCELLED)
    #expect(status { _ = try TestIndex(point, edges: MRD_EDGES_RHUMB) } == MRD_E_UNSUPPORTED)
    #expect(status { _ = try TestIndex(point, edges: MRD_EDGES_GEODESIC).nearest(point, k: 1) } == MRD_E_UNSUPPORTED)
  }

  @Test func noMemoryIsAnErrorAtEveryRequest() throws {
    let index = try TestIndex((0..<200).map { TestBox(Double($0 % 10), 0, 100, 1) })
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    withBoxes([TestBox(0, 0, 1, 1)]) { array in
      for request in 0..<4 {
        let memory = CallMemory()
        memory.failAt = request
        let error = #expect(throws: CallError.self) {
          _ = try call(memory, rows: 1) { Kernel.shared.family.window(index.handle, array, &options, $0) }
        }
        #expect(error?.status == MRD_E_MEMORY)
      }
    }
  }

  @Test func concurrentQueriesAgree() async throws {
    var random = SeededGenerator(77)
    let boxes = randomBoxes(400, &random)
    let windows = randomBoxes(100, &random)
    let expected = windows.map { Oracle.window(numbered(boxes), $0, curved: false) }
    nonisolated(unsafe) let index = try TestIndex(boxes)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try index.join()
          return try index.window(windows).ids == expected
        }
      }
      for try await same in group { #expect(same) }
    }
  }
}
