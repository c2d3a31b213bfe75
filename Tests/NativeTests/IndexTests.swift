// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// The native index against the plain loop over all boxes.
@Suite struct IndexTests {
  let table: mrd_family_index
  init() throws { table = try LoadedLibrary("MeridianNative").index() }

  private typealias Box = (xmin: Double, ymin: Double, xmax: Double, ymax: Double)

  private func withBoxes<R>(_ boxes: [Box], _ body: (UnsafePointer<mrd_boxes>) -> R) -> R {
    let flat: [Double] = boxes.flatMap { box -> [Double] in [box.xmin, box.ymin, box.xmax, box.ymax] } + [0]
    return flat.withUnsafeBufferPointer { flat in
      var array = mrd_boxes()
      array.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
      array.length = Int64(boxes.count)
      if let base = flat.baseAddress { array.v = (base, base + 1, base + 2, base + 3) }
      array.stride = (32, 32, 32, 32)
      return body(&array)
    }
  }

  private func build(_ boxes: [Box]) throws -> OpaquePointer {
    var index: OpaquePointer?
    let call = GuardedCall(rows: boxes.count)
    let status = withBoxes(boxes) { boxes in call.run { table.build(boxes, nil, &index, $0) } }
    #expect(status == MRD_OK && call.isIntact, "\(call.message)")
    return try #require(index)
  }

  private func meets(_ a: Box, _ b: Box) -> Bool {
    a.xmin <= b.xmax && b.xmin <= a.xmax && a.ymin <= b.ymax && b.ymin <= a.ymax && a.xmin <= a.xmax
      && a.ymin <= a.ymax && b.xmin <= b.xmax && b.ymin <= b.ymax
  }

  private func randomBoxes(_ count: Int, _ random: inout TestRandom) -> [Box] {
    (0..<count).map { _ in
      let (x, y) = (Double(Int.random(in: 0...30, using: &random)), Double(Int.random(in: 0...30, using: &random)))
      switch Int.random(in: 0..<30, using: &random) {
      case 0: return (.nan, y, x, y)
      case 1: return (x + 1, y, x, y)
      case 2: return (-.infinity, y, x, .infinity)
      default:
        return (
          x, y, x + Double(Int.random(in: 0...3, using: &random)), y + Double(Int.random(in: 0...3, using: &random))
        )
      }
    }
  }

  @Test(arguments: [0, 1, 16, 17, 300])
  func answersEqualThePlainLoop(_ count: Int) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let boxes = randomBoxes(count, &random)
    let windows = randomBoxes(20, &random)
    let index = try build(boxes)
    defer { table.release(index) }

    // Windows.
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    options.flags = MRD_WINDOW_ASCENDING
    var call = GuardedCall(rows: windows.count)
    #expect(withBoxes(windows) { windows in call.run { table.window(index, windows, &options, $0) } } == MRD_OK)
    #expect(call.isIntact)
    var expected: [Int64] = []
    var rows: [Int64] = [0]
    for window in windows {
      expected += boxes.indices.filter { meets(boxes[$0], window) }.map(Int64.init)
      rows.append(Int64(expected.count))
    }
    #expect(call.values(MRD_BUF_IDS, Int64.self) == expected, "seed \(seed)")
    #expect(call.values(MRD_BUF_ROWS, Int64.self) == rows, "seed \(seed)")

    // Joins.
    call = GuardedCall(rows: 0)
    #expect(call.run { table.join(index, nil, $0) } == MRD_OK)
    var pairs: [Int64] = []
    for i in boxes.indices {
      for j in boxes.indices where j > i && meets(boxes[i], boxes[j]) { pairs += [Int64(i), Int64(j)] }
    }
    #expect(call.values(MRD_BUF_IDS, Int64.self) == pairs, "seed \(seed)")

    // Neighbours, with and without all ties.
    for ties in [MRD_TIES_LOWEST_ID, MRD_TIES_ALL] {
      var nearest = mrd_nearest_options()
      nearest.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
      nearest.k = 5
      nearest.ties = ties
      call = GuardedCall(rows: windows.count)
      #expect(withBoxes(windows) { windows in call.run { table.nearest(index, windows, &nearest, $0) } } == MRD_OK)
      var ids: [Int64] = []
      for window in windows where window.xmin <= window.xmax && window.ymin <= window.ymax {
        func gap(_ a: Double, _ b: Double) -> Double { a > 0 ? a : b > 0 ? b : 0 }
        var all = boxes.indices.filter { boxes[$0].xmin <= boxes[$0].xmax && boxes[$0].ymin <= boxes[$0].ymax }.map {
          id -> (Double, Int) in
          let dx = gap(boxes[id].xmin - window.xmax, window.xmin - boxes[id].xmax)
          let dy = gap(boxes[id].ymin - window.ymax, window.ymin - boxes[id].ymax)
          return (dx * dx + dy * dy, id)
        }
        all.sort { $0 < $1 }
        if all.count > 5 {
          let bound = all[4].0
          all = ties == MRD_TIES_ALL ? all.filter { $0.0 <= bound } : Array(all.prefix(5))
        }
        ids += all.map { Int64($0.1) }
      }
      #expect(call.values(MRD_BUF_IDS, Int64.self) == ids, "seed \(seed)")
    }
  }

  /// Where many boxes fall into one cell of the curve the order goes on inside of it: clusters stand together, and so do
  /// neighbours in a cluster. Few boxes a cluster, many, and one far outlier beside a single cluster.
  @Test(arguments: [(200, 12), (60, 40), (3, 2000), (1, 3000)])
  func crowdsAreOrderedInside(_ clusters: Int, _ size: Int) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let middles = (0..<clusters).map { _ in
      (Double.random(in: 0...1000, using: &random), Double.random(in: 0...1000, using: &random))
    }
    // Along a line from west to east the curve of a cluster's own frame does not turn.
    var places = middles.enumerated().flatMap { cluster, middle in
      (0..<size).map { (cluster: cluster, x: middle.0 + Double($0) * 1e-9, y: middle.1) }
    }
    places.append((cluster: clusters, x: 5000, y: 4000))
    places.shuffle(using: &random)
    let index = try build(places.map { ($0.x, $0.y, $0.x, $0.y) })
    defer { table.release(index) }
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    let call = GuardedCall(rows: 1)
    let status = withBoxes([(-1, -1, 9999, 9999)]) { windows in call.run { table.window(index, windows, &options, $0) }
    }
    #expect(status == MRD_OK && call.isIntact, "\(call.message)")
    let found = call.values(MRD_BUF_IDS, Int64.self).map { places[Int($0)] }
    try #require(found.count == places.count, "seed \(seed)")
    let changes = zip(found, found.dropFirst()).filter { $0.cluster != $1.cluster }.count
    #expect(changes == clusters, "seed \(seed): clusters are torn")
    // Up to a node's worth of equals are in no order.
    if size > 16 {
      let turns = zip(found, found.dropFirst()).filter { $0.cluster == $1.cluster && $0.x > $1.x }.count
      #expect(turns == 0, "seed \(seed)")
    }
  }

  /// Boxes keep their places along the curve when all of them are moved alike, far from the origin too: there they once fell
  /// into one cell, and queries looked at nearly everything.
  @Test func aShiftLeavesTheOrder() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let boxes = (0..<900).map { _ -> Box in
      let (x, y) = (Double.random(in: 0...64, using: &random), Double.random(in: 0...64, using: &random))
      // Multiples of 2^-20 are moved without rounding.
      let (left, low) = ((x * 0x1p20).rounded() * 0x1p-20, (y * 0x1p20).rounded() * 0x1p-20)
      return (left, low, left + 0.25, low + 0.125)
    }
    func order(_ dx: Double, _ dy: Double) throws -> [Int64] {
      let index = try build(boxes.map { ($0.xmin + dx, $0.ymin + dy, $0.xmax + dx, $0.ymax + dy) })
      defer { table.release(index) }
      let call = GuardedCall(rows: 1)
      let status = withBoxes([(-1e9, -1e9, 1e9, 1e9)]) { windows in
        var options = mrd_window_options()
        options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
        return call.run { table.window(index, windows, &options, $0) }
      }
      #expect(status == MRD_OK && call.isIntact, "\(call.message)")
      return call.values(MRD_BUF_IDS, Int64.self)
    }
    let plain = try order(0, 0)
    #expect(plain.count == 900 && plain != plain.sorted())
    for (dx, dy) in [(4096.0, 8192.0), (-4096, 512), (10, 45), (-180, -90)] {
      #expect(try order(dx, dy) == plain, "seed \(seed), moved by \(dx) \(dy)")
    }
  }

  /// Squares of such distances are beyond the doubles, and of some the differences are as well.
  @Test func hugeDistancesAreOrdered() throws {
    let limit = Double.greatestFiniteMagnitude
    let places = [1e300, -8e299, 3, -1e300, 1e308, -limit, 9e299, limit]
    let index = try build(places.map { ($0, 0, $0, 0) })
    defer { table.release(index) }
    var options = mrd_nearest_options()
    options.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
    func neighbours(_ x: Double, k: Int64, ties: Int32 = MRD_TIES_LOWEST_ID) -> (ids: [Int64], distances: [Double]) {
      let call = GuardedCall(rows: 1)
      options.k = k
      options.ties = ties
      let status = withBoxes([(x, 0, x, 0)]) { query in call.run { table.nearest(index, query, &options, $0) } }
      #expect(status == MRD_OK && call.isIntact)
      return (call.values(MRD_BUF_IDS, Int64.self), call.values(MRD_BUF_VALUES, Double.self))
    }
    let around = neighbours(0, k: 8)
    #expect(around.ids == [2, 1, 6, 0, 3, 4, 5, 7])
    #expect(around.distances == [3, 8e299, 9e299, 1e300, 1e300, 1e308, limit, limit])
    #expect(neighbours(0, k: 4, ties: MRD_TIES_ALL).ids == [2, 1, 6, 0, 3])
    // From one end of the doubles the other end is the farthest.
    #expect(neighbours(limit, k: 8).ids.first == 7 && neighbours(limit, k: 8).ids.last == 5)
    options.max_distance_coord = 8.5e299
    #expect(neighbours(0, k: 8).ids == [2, 1])
  }

  @Test func factsCountWhatNeverHits() throws {
    let index = try build([(0, 0, 1, 1), (.nan, 0, 1, 1), (2, 0, 1, 1), (3, 3, 4, 5)])
    defer { table.release(index) }
    var facts = mrd_index_facts()
    facts.struct_size = UInt32(MemoryLayout<mrd_index_facts>.size)
    var error = mrd_error()
    error.struct_size = UInt32(MemoryLayout<mrd_error>.size)
    #expect(table.facts(index, &facts, &error) == MRD_OK)
    #expect(facts.boxes == 4 && facts.never_hit == 2)
    #expect(facts.bounds.0 == 0 && facts.bounds.1 == 0 && facts.bounds.2 == 4 && facts.bounds.3 == 5)
  }

  private func savedBytes(_ boxes: [Box]) throws -> [UInt8] {
    let index = try build(boxes)
    defer { table.release(index) }
    let call = GuardedCall(rows: 0)
    #expect(call.run { table.save(index, $0) } == MRD_OK)
    #expect(call.isIntact)
    return call.values(MRD_BUF_BYTES, UInt8.self)
  }

  /// The status of opening the bytes, the ids that meet everything, and the message.
  private func opened(_ bytes: [UInt8]) -> (status: mrd_status, ids: [Int64], message: String) {
    // Arrays of 64-bit words are aligned as the contract asks.
    var words = [UInt64](repeating: 0, count: bytes.count / 8 + 1)
    words.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
    return words.withUnsafeBytes { words in
      var index: OpaquePointer?
      let call = GuardedCall(rows: 0)
      let status = call.run { table.open(words.baseAddress, Int64(bytes.count), &index, $0) }
      guard status == MRD_OK else { return (status, [], call.message) }
      defer { table.release(index) }
      var options = mrd_window_options()
      options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
      options.flags = MRD_WINDOW_ASCENDING
      let query = GuardedCall(rows: 1)
      let all: [Box] = [(-.infinity, -.infinity, .infinity, .infinity)]
      let answer = withBoxes(all) { windows in query.run { table.window(index, windows, &options, $0) } }
      return (answer, query.values(MRD_BUF_IDS, Int64.self), query.message)
    }
  }

  @Test(arguments: [0, 1, 16, 17, 300])
  func anIndexSurvivesItsBytes(_ count: Int) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let boxes = randomBoxes(count, &random)
    let all = boxes.indices.filter { boxes[$0].xmin <= boxes[$0].xmax && boxes[$0].ymin <= boxes[$0].ymax }
    let found = opened(try savedBytes(boxes))
    #expect(found.status == MRD_OK && found.ids == all.map(Int64.init), "seed \(seed) \(found.message)")
  }

  @Test func damagedBytesAreRefused() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let bytes = try savedBytes(randomBoxes(40, &random))
    for at in bytes.indices {
      var damaged = bytes
      damaged[at] ^= UInt8(1) << UInt8(at & 7)
      #expect(opened(damaged).status == MRD_E_ARGUMENT, "seed \(seed) byte \(at)")
    }
    for length in [0, 8, 127, 128, bytes.count - 1] {
      #expect(opened(Array(bytes.prefix(length))).status == MRD_E_ARGUMENT, "seed \(seed) length \(length)")
    }
    #expect(opened(bytes + [0, 0, 0, 0, 0, 0, 0, 0]).message.contains("behind its end"))
  }

  /// The bytes with others in them and the checksum that a forger would write.
  private func forged(_ bytes: [UInt8], _ change: (UnsafeMutableRawBufferPointer) -> Void) -> [UInt8] {
    var forged = bytes
    forged.withUnsafeMutableBytes { forged in
      change(forged)
      forged.storeBytes(of: checksum(UnsafeRawBufferPointer(forged)), toByteOffset: 16, as: UInt64.self)
    }
    return forged
  }

  private func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let prime: UInt64 = 0x100_0000_01b3
    var lanes = (0..<8).map { 0xcbf2_9ce4_8422_2325 &+ UInt64($0) }
    for at in stride(from: 0, to: bytes.count, by: 8) {
      let word = at < 24 ? 0 : bytes.load(fromByteOffset: at, as: UInt64.self)
      var lane = (lanes[at / 8 % 8] ^ word) &* prime
      lane ^= lane >> 29
      lanes[at / 8 % 8] = lane
    }
    let hash = lanes.reduce(0 as UInt64) { ($0 ^ $1) &* prime }
    return hash ^ (hash >> 32)
  }

  @Test func forgedBytesAreLookedThrough() throws {
    let bytes = try savedBytes([(0, 0, 1, 1), (2, 2, 3, 3)])
    #expect(forged(bytes) { _ in } == bytes)
    // A claim of 2^31 boxes, of which two can hit: no memory for more than there are.
    let claim = opened(forged(bytes) { $0.storeBytes(of: 1 << 31, toByteOffset: 24, as: Int64.self) })
    #expect(claim.status == MRD_OK && claim.ids == [0, 1], "\(claim.message)")
    #expect(
      opened(forged(bytes) { $0.storeBytes(of: 1 << 60, toByteOffset: 24, as: Int64.self) }).status == MRD_E_ARGUMENT)
    // One id twice, one that is out of range; a box that cannot be hit; bounds that are not those of the boxes.
    let (ids, boxes, bounds) = (128 + 512, 128, 40)
    for (first, second) in [(1, 1), (0, 2), (0, UInt32.max)] as [(UInt32, UInt32)] {
      let other = forged(bytes) {
        $0.storeBytes(of: first, toByteOffset: ids, as: UInt32.self)
        $0.storeBytes(of: second, toByteOffset: ids + 4, as: UInt32.self)
      }
      #expect(opened(other).status == MRD_E_ARGUMENT, "\(first) \(second)")
    }
    #expect(
      opened(forged(bytes) { $0.storeBytes(of: Double.nan, toByteOffset: boxes, as: Double.self) }).status != MRD_OK)
    #expect(opened(forged(bytes) { $0.storeBytes(of: -1.0, toByteOffset: bounds, as: Double.self) }).status != MRD_OK)
    // A node that does not hold its children hides them.
    let many = try savedBytes((0..<40).map { (Double($0), 0, Double($0), 1) })
    #expect(opened(many).ids.count == 40)
    #expect(opened(forged(many) { $0.storeBytes(of: Int32.max, toByteOffset: 128, as: Int32.self) }).status != MRD_OK)
  }

  @Test func filesAreRefused() throws {
    var index: OpaquePointer?
    var options = mrd_index_options()
    options.struct_size = UInt32(MemoryLayout<mrd_index_options>.size)
    let status = "boxes.mrdx".withCString { path in
      options.path = path
      return withBoxes([(0, 0, 1, 1)]) { boxes in
        GuardedCall(rows: 1).run { table.build(boxes, &options, &index, $0) }
      }
    }
    #expect(status == MRD_E_UNSUPPORTED && index == nil)
  }

  @Test func whatIsNotKnownIsRefused() throws {
    var index: OpaquePointer?
    var options = mrd_index_options()
    options.struct_size = UInt32(MemoryLayout<mrd_index_options>.size)
    for (flags, status) in [(MRD_INDEX_BORROW_BOXES, MRD_OK), (4, MRD_E_UNSUPPORTED)] {
      options.flags = flags
      let call = GuardedCall(rows: 1)
      #expect(withBoxes([(0, 0, 1, 1)]) { boxes in call.run { table.build(boxes, &options, &index, $0) } } == status)
      #expect((index != nil) == (status == MRD_OK))
      table.release(index)
    }
    // A model that says no size, or too small a one, is not read.
    var model = mrd_model()
    model.struct_size = 8
    let status = withBoxes([(0, 0, 1, 1)]) { boxes in
      withUnsafePointer(to: &model) { model in
        var short = boxes.pointee
        short.model = model
        return GuardedCall(rows: 1).run { table.build(&short, nil, &index, $0) }
      }
    }
    #expect(status == MRD_E_ABI && index == nil)
  }
}
