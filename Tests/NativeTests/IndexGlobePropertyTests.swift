// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// The native index over boxes of longitude and latitude: over the antimeridian, and with distances in metres, against the
/// plain loop over all boxes.
@Suite struct IndexGlobePropertyTests {
  let library: LoadedLibrary
  let table: mrd_family_index
  init() throws {
    library = try LoadedLibrary("MeridianNative")
    table = try library.index()
  }

  private struct Box { var xmin, ymin, xmax, ymax: Double }

  private func withBoxes<R>(
    _ boxes: [Box], edges: Int32, metric: Int32 = MRD_METRIC_ELLIPSOID, _ body: (UnsafePointer<mrd_boxes>) -> R
  ) -> R {
    var model = mrd_model(
      struct_size: UInt32(MemoryLayout<mrd_model>.size), edges: edges, metric: metric, pad0: 0, semi_major: 6_378_137,
      flattening: 1 / 298.257223563)
    let flat: [Double] = boxes.flatMap { box -> [Double] in [box.xmin, box.ymin, box.xmax, box.ymax] } + [0]
    return withUnsafePointer(to: &model) { model in
      flat.withUnsafeBufferPointer { flat in
        var array = mrd_boxes()
        array.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
        array.length = Int64(boxes.count)
        if let base = flat.baseAddress { array.v = (base, base + 1, base + 2, base + 3) }
        array.stride = (32, 32, 32, 32)
        array.model = model
        return body(&array)
      }
    }
  }

  private func build(_ boxes: [Box], edges: Int32) throws -> OpaquePointer {
    var index: OpaquePointer?
    let call = GuardedCall(rows: boxes.count)
    let status = withBoxes(boxes, edges: edges) { boxes in call.run { table.build(boxes, nil, &index, $0) } }
    #expect(status == MRD_OK && call.isIntact, "\(call.message)")
    return try #require(index)
  }

  // MARK: - Over the antimeridian

  /// Longitudes are multiples of 1/8, so that the oracle's arithmetic is exact; any number of turns, and sides inverted.
  private func circleBoxes(_ count: Int, _ random: inout TestRandom) -> [Box] {
    (0..<count).map { _ in
      let x = Double(Int.random(in: -4400...4400, using: &random)) / 8
      let y = Double(Int.random(in: -8...8, using: &random))
      let size = Double(Int.random(in: 0...3, using: &random)) / 4
      switch Int.random(in: 0..<16, using: &random) {
      case 0: return Box(xmin: .nan, ymin: y, xmax: x, ymax: y)
      case 1: return Box(xmin: x, ymin: y + 1, xmax: x, ymax: y)
      case 2: return Box(xmin: -.infinity, ymin: y, xmax: .infinity, ymax: y)
      case 3: return Box(xmin: x, ymin: y, xmax: Double(Int.random(in: -4400...4400, using: &random)) / 8, ymax: y + 1)
      case 4: return Box(xmin: 170, ymin: y, xmax: -170, ymax: y + size)
      case 5: return Box(xmin: 180, ymin: y, xmax: 180, ymax: y + size)
      case 6: return Box(xmin: -180, ymin: y, xmax: -179 + size, ymax: y)
      case 7: return Box(xmin: 179, ymin: y, xmax: 180, ymax: y)
      case 8: return Box(xmin: x, ymin: y, xmax: x + 360, ymax: y)
      default: return Box(xmin: x, ymin: y, xmax: x + size, ymax: y + size)
      }
    }
  }

  private func canHit(_ box: Box) -> Bool { box.ymin <= box.ymax && !box.xmin.isNaN && !box.xmax.isNaN }

  private func meet(_ a: Box, _ b: Box) -> Bool {
    func eastward(_ a: Double, _ b: Double) -> Double {
      let turn = (b - a).truncatingRemainder(dividingBy: 360)
      return turn < 0 ? turn + 360 : turn
    }
    func width(_ box: Box) -> Double {
      box.xmin <= box.xmax ? min(box.xmax - box.xmin, 360) : eastward(box.xmin, box.xmax)
    }
    guard canHit(a), canHit(b), a.ymin <= b.ymax, a.ymax >= b.ymin else { return false }
    if width(a) >= 360 || width(b) >= 360 { return true }
    return eastward(a.xmin, b.xmin) <= width(a) || eastward(b.xmin, a.xmin) <= width(b)
  }

  private func windows(_ index: OpaquePointer, _ windows: [Box], mode: Int32 = MRD_WINDOW_IDS) -> [Int64] {
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    (options.flags, options.mode) = (MRD_WINDOW_ASCENDING, mode)
    let call = GuardedCall(rows: windows.count)
    let status = withBoxes(windows, edges: MRD_EDGES_GEODESIC) { windows in
      call.run { table.window(index, windows, &options, $0) }
    }
    #expect(status == MRD_OK && call.isIntact, "\(call.message)")
    return call.values(MRD_BUF_IDS, Int64.self)
  }

  @Test(arguments: [0, 1, 16, 17, 400])
  func windowsAndJoinsGoRoundTheGlobe(_ count: Int) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let (boxes, others) = (circleBoxes(count, &random), circleBoxes(60, &random))
    let index = try build(boxes, edges: MRD_EDGES_GEODESIC)
    defer { table.release(index) }
    let second = try build(others, edges: MRD_EDGES_GREAT_CIRCLE)
    defer { table.release(second) }
    let expected = others.map { window in boxes.indices.filter { meet(boxes[$0], window) }.map(Int64.init) }
    #expect(windows(index, others) == expected.flatMap { $0 }, "seed \(seed)")
    #expect(windows(index, others, mode: MRD_WINDOW_COUNT) == expected.map { Int64($0.count) }, "seed \(seed)")
    #expect(windows(index, others, mode: MRD_WINDOW_FIRST) == expected.map { $0.first ?? -1 }, "seed \(seed)")

    func join(_ other: OpaquePointer?) -> [Int64] {
      let call = GuardedCall(rows: 0)
      #expect(call.run { table.join(index, other, $0) } == MRD_OK && call.isIntact)
      return call.values(MRD_BUF_IDS, Int64.self)
    }
    var (own, pairs): ([Int64], [Int64]) = ([], [])
    for i in boxes.indices {
      for j in boxes.indices where j > i && meet(boxes[i], boxes[j]) { own += [Int64(i), Int64(j)] }
      for j in others.indices where meet(boxes[i], others[j]) { pairs += [Int64(i), Int64(j)] }
    }
    #expect(join(nil) == own && join(second) == pairs, "seed \(seed)")

    // The bytes know that longitudes count modulo 360.
    let save = GuardedCall(rows: 0)
    #expect(save.run { table.save(index, $0) } == MRD_OK)
    let bytes = save.values(MRD_BUF_BYTES, UInt64.self)
    try bytes.withUnsafeBytes { bytes in
      var opened: OpaquePointer?
      let call = GuardedCall(rows: 0)
      #expect(call.run { table.open(bytes.baseAddress, Int64(bytes.count), &opened, $0) } == MRD_OK, "\(call.message)")
      let again = try #require(opened)
      defer { table.release(again) }
      #expect(windows(again, others) == expected.flatMap { $0 }, "seed \(seed)")
    }
  }

  @Test func edgesOfTwoKindsDoNotCompare() throws {
    let curved = try build([Box(xmin: 170, ymin: 0, xmax: -170, ymax: 1)], edges: MRD_EDGES_GEODESIC)
    defer { table.release(curved) }
    let planar = try build([Box(xmin: 170, ymin: 0, xmax: -170, ymax: 1)], edges: MRD_EDGES_PLANAR)
    defer { table.release(planar) }
    #expect(GuardedCall(rows: 0).run { table.join(curved, planar, $0) } == MRD_E_ARGUMENT)
    let query = [Box(xmin: 179, ymin: 0, xmax: 179, ymax: 0)]
    func window(_ index: OpaquePointer, _ edges: Int32) -> (mrd_status, Int) {
      let call = GuardedCall(rows: 1)
      let status = withBoxes(query, edges: edges) { boxes in call.run { table.window(index, boxes, nil, $0) } }
      return (status, call.values(MRD_BUF_IDS, Int64.self).count)
    }
    #expect(window(curved, MRD_EDGES_GEODESIC) == (MRD_OK, 1))
    #expect(window(curved, MRD_EDGES_PLANAR).0 == MRD_E_ARGUMENT)
    #expect(window(planar, MRD_EDGES_GEODESIC).0 == MRD_E_ARGUMENT)
    #expect(window(planar, MRD_EDGES_PLANAR) == (MRD_OK, 0))
    #expect(window(curved, MRD_EDGES_RHUMB).0 == MRD_E_UNSUPPORTED)
    // Distances in coordinates have no meaning on the circle.
    let call = GuardedCall(rows: 1)
    let status = withBoxes(query, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_COORD) { boxes in
      call.run { table.nearest(curved, boxes, nil, $0) }
    }
    #expect(status == MRD_E_UNSUPPORTED)
  }

  // MARK: - Metres

  private enum World: CaseIterable { case town, poles, antimeridian, globe }

  private func box(_ world: World, _ edges: Int32, _ random: inout TestRandom) -> Box {
    func number(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &random) }
    var (x, y, size) = (number(-180, 180), number(-90, 90), number(0, 8))
    switch world {
    case .town: (x, y, size) = (8.5 + number(0, 0.05), 47.4 + number(0, 0.05), number(0, 0.002))
    case .poles: (y, size) = (Bool.random(using: &random) ? 90 - number(0, 3) : -90 + number(0, 3), number(0, 1))
    case .antimeridian: (x, y, size) = (180 + number(-0.1, 0.1), number(-17, -16.8), number(0, 0.01))
    case .globe: break
    }
    if edges != MRD_EDGES_PLANAR || world == .antimeridian {
      x += [0, -360, 360][Int.random(in: 0..<3, using: &random)]
    }
    let isPoint = Int.random(in: 0..<3, using: &random) == 0
    return Box(xmin: x, ymin: y, xmax: isPoint ? x : x + size, ymax: isPoint ? y : min(90, y + size * 0.7))
  }

  private func distances(_ from: [(Double, Double)], _ to: [(Double, Double)]) throws -> [Double] {
    func geoms(_ places: [(Double, Double)]) throws -> TestGeoms {
      try TestGeoms(
        places.map { "POINT(\($0.0) \($0.1))" }, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID)
    }
    let result = try MeasureRun(library).pair(MRD_MEASURE_DISTANCE, geoms(from), geoms(to), columns: 1)
    try #require(result.status == MRD_OK)
    return result.column(0)
  }

  /// The least distance of a grid of places of the nearest sides, then of finer ones around it; no less than the true one.
  private func distance(_ a: Box, _ b: Box) throws -> Double {
    func eastward(_ a: Double, _ b: Double) -> Double {
      let turn = (b - a).truncatingRemainder(dividingBy: 360)
      return turn < 0 ? turn + 360 : turn
    }
    if a.ymin <= b.ymax && b.ymin <= a.ymax && meet(a, b) { return 0 }
    let (open, other) = (
      Box(xmin: a.xmin, ymin: -90, xmax: a.xmax, ymax: 90), Box(xmin: b.xmin, ymin: -90, xmax: b.xmax, ymax: 90)
    )
    if meet(open, other) {
      let (low, high) = a.ymin > b.ymax ? (b.ymax, a.ymin) : (a.ymax, b.ymin)
      return try distances([(0, low)], [(0, high)])[0]
    }
    let turn = min(eastward(a.xmax, b.xmin), eastward(b.xmax, a.xmin))
    /// The latitude on the other meridian that is nearest on a sphere: grids alone miss the narrow valley of near meridians.
    func foot(_ latitude: Double) -> Double {
      atan2(tan(latitude * .pi / 180), max(0, cos(turn * .pi / 180))) * 180 / .pi
    }
    var (low, high) = ((a.ymin, b.ymin), (a.ymax, b.ymax))
    var least = Double.infinity
    for _ in 0..<14 {
      var (from, to): ([(Double, Double)], [(Double, Double)]) = ([], [])
      func add(_ one: Double, _ other: Double) {
        from.append((0, min(max(one, low.0), high.0)))
        to.append((turn, min(max(other, low.1), high.1)))
      }
      for i in 0...8 {
        let one = low.0 + (high.0 - low.0) * Double(i) / 8
        add(one, foot(one))
        for j in 0...8 {
          let other = low.1 + (high.1 - low.1) * Double(j) / 8
          add(one, other)
          if i == 0 { add(foot(other), other) }
        }
      }
      let found = try distances(from, to)
      let best = found.indices.min { found[$0] < found[$1] } ?? 0
      least = min(least, found[best])
      let reach = ((high.0 - low.0) / 4, (high.1 - low.1) / 4)
      let middle = (from[best].1, to[best].1)
      low = (max(a.ymin, middle.0 - reach.0), max(b.ymin, middle.1 - reach.1))
      high = (min(a.ymax, middle.0 + reach.0), min(b.ymax, middle.1 + reach.1))
    }
    return least
  }

  @Test(arguments: [MRD_EDGES_PLANAR, MRD_EDGES_GEODESIC])
  func neighboursInMetresEqualThePlainLoop(_ edges: Int32) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for world in World.allCases {
      let boxes = (0..<(TestScale.isLarge ? 120 : 10)).map { _ in box(world, edges, &random) }
      let queries = (0..<(TestScale.isLarge ? 20 : 1)).map { _ in box(world, edges, &random) }
      let index = try build(boxes, edges: edges)
      defer { table.release(index) }
      for (k, reach, ties) in [(4, 0.0, MRD_TIES_LOWEST_ID), (200, 0, MRD_TIES_ALL), (3, 2_000_000, MRD_TIES_ALL)] {
        var options = mrd_nearest_options()
        options.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
        (options.k, options.ties, options.max_distance_m) = (Int64(k), ties, reach)
        let call = GuardedCall(rows: queries.count)
        let status = withBoxes(queries, edges: edges) { boxes in
          call.run { table.nearest(index, boxes, &options, $0) }
        }
        #expect(status == MRD_OK && call.isIntact, "\(call.message)")
        let rows = call.values(MRD_BUF_ROWS, Int64.self).map { Int($0) }
        let (ids, found) = (call.values(MRD_BUF_IDS, Int64.self), call.values(MRD_BUF_VALUES, Double.self))
        for row in queries.indices {
          let at = "seed \(seed), \(world), k \(k), query \(queries[row])"
          let own = rows[row]..<rows[row + 1]
          var expected = try boxes.map { try distance(queries[row], $0) }
          for place in own {
            let (oracle, value) = (expected[Int(ids[place])], found[place])
            #expect(abs(value - oracle) <= 1e-6 + 1e-9 * oracle, "\(at): \(boxes[Int(ids[place])])")
            if place > own.lowerBound {
              #expect((found[place - 1], ids[place - 1]) < (value, ids[place]), "\(at): order")
            }
          }
          expected.sort()
          if reach > 0 { expected.removeAll { $0 > reach } }
          #expect(own.count == min(k, expected.count), "\(at): how many")
          for (place, oracle) in zip(own, expected) {
            #expect(abs(found[place] - oracle) <= 1e-6 + 1e-9 * oracle, "\(at): which")
          }
        }
      }
    }
  }

  @Test func neighboursInMetresAtTheLimits() throws {
    let boxes = [
      Box(xmin: 179, ymin: 0, xmax: 179, ymax: 0), Box(xmin: -179, ymin: 0, xmax: -179, ymax: 0),
      Box(xmin: 0, ymin: 90, xmax: 0, ymax: 90), Box(xmin: -.infinity, ymin: 60, xmax: .infinity, ymax: 61),
      Box(xmin: 100, ymin: -95, xmax: 101, ymax: -91), Box(xmin: 77, ymin: 90, xmax: 77, ymax: 90),
    ]
    let index = try build(boxes, edges: MRD_EDGES_PLANAR)
    defer { table.release(index) }
    func neighbours(_ x: Double, _ y: Double, k: Int64 = 10, _ change: (inout mrd_nearest_options) -> Void = { _ in })
      -> (ids: [Int64], distances: [Double], status: mrd_item_status)
    {
      var options = mrd_nearest_options()
      options.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
      options.k = k
      change(&options)
      let call = GuardedCall(rows: 1)
      let status = withBoxes([Box(xmin: x, ymin: y, xmax: x, ymax: y)], edges: MRD_EDGES_PLANAR) { boxes in
        call.run { table.nearest(index, boxes, &options, $0) }
      }
      #expect(status == MRD_OK, "\(call.message)")
      return (call.values(MRD_BUF_IDS, Int64.self), call.values(MRD_BUF_VALUES, Double.self), call.statuses[0])
    }
    // Both sides of the antimeridian are equally near; the lower id comes first.
    #expect(neighbours(180, 0, k: 1).ids == [0] && neighbours(-180, 0, k: 2).ids == [0, 1])
    #expect(neighbours(180, 0, k: 1) { $0.ties = MRD_TIES_ALL }.ids == [0, 1])
    #expect(neighbours(180, 0, k: 2) { $0.max_distance_m = 111_319 }.ids.isEmpty)
    #expect(neighbours(180, 0, k: 2) { $0.max_distance_m = 111_320 }.ids == [0, 1])
    // A pole has every longitude. What lies beyond the poles is nowhere.
    #expect(neighbours(33, 90, k: 2).distances == [0, 0] && neighbours(33, 90, k: 2).ids == [2, 5])
    #expect(neighbours(5, 60.5, k: 1).ids == [3] && neighbours(5, 60.5).ids.count == 5)
    #expect(neighbours(5, 95).ids.isEmpty && neighbours(5, 95).status == MRD_ITEM_DOMAIN)
    var options = mrd_nearest_options()
    options.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
    options.max_distance_coord = 1
    let refused = withBoxes([boxes[0]], edges: MRD_EDGES_PLANAR) { boxes in
      GuardedCall(rows: 1).run { table.nearest(index, boxes, &options, $0) }
    }
    #expect(refused == MRD_E_ARGUMENT)
  }
}
