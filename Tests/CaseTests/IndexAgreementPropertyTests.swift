// SPDX-License-Identifier: Apache-2.0
import Meridian
import TestSupport
import Testing

/// The box indexes of all kernels on the same boxes: a packed tree, GEOS's STR-tree and SQLite's R-tree of 32-bit boxes
/// give the same ids and, to the last bit, the same distances.
@Suite(.enabled(if: Installed.offering("index.build").count > 1)) struct IndexAgreementPropertyTests {
  private static let kernels = Installed.offering("index.build")

  private func indexes(of boxes: Boxes) throws -> [BoxIndex] {
    try Self.kernels.map { try BoxIndex(host: Installed.host, boxes: boxes, run: Run(rules: "index.build=\($0)")) }
  }

  /// The answers of all kernels to one question, held against those of the first.
  private func expectSame<Answer: Equatable>(
    _ indexes: [BoxIndex], _ question: String, _ ask: (BoxIndex) throws -> Answer
  ) throws {
    let answers = try indexes.map(ask)
    for (kernel, answer) in zip(Self.kernels, answers) {
      #expect(answer == answers[0], "\(question): \(kernel) and \(Self.kernels[0])")
    }
  }

  @Test(arguments: 0..<5) func windows(shape: Int) throws {
    let seed = testSeed()
    var random = BoxMaker(seed: seed, shape: shape)
    let indexes = try indexes(of: random.boxes(Scale.times(150)))
    try expectSame(indexes, "seed \(seed) never hit") { try $0.facts.neverHit }
    let windows = random.boxes(Scale.times(60))
    try expectSame(indexes, "seed \(seed) windows") {
      let hits = try $0.window(windows)
      return [hits.offsets.map(Int64.init), hits.ids]
    }
  }

  @Test(arguments: 0..<5, [NearestOptions.Ties.lowestID, .all])
  func nearest(shape: Int, ties: NearestOptions.Ties) throws {
    let seed = testSeed()
    var random = BoxMaker(seed: seed, shape: shape)
    let indexes = try indexes(of: random.boxes(Scale.times(150)))
    let queries = random.boxes(Scale.times(30))
    for count in [1, 3, 40] {
      var options = NearestOptions(count: count)
      options.ties = ties
      if count == 3 { options.maxDistanceCoord = 2 }
      if count == 1 { options.exclude = (0..<queries.count).map { Int64($0 % 7) - 1 } }
      try expectSame(indexes, "seed \(seed) nearest \(count)") {
        let hits = try $0.nearest(queries, options: options)
        return [hits.offsets.map(Int64.init), hits.ids, hits.distances.map { Int64(bitPattern: $0.bitPattern) }]
      }
    }
  }

  @Test(arguments: 0..<5) func joins(shape: Int) throws {
    let seed = testSeed()
    var random = BoxMaker(seed: seed, shape: shape)
    let (some, others) = (random.boxes(Scale.times(40)), random.boxes(Scale.times(30)))
    let (first, second) = (try indexes(of: some), try indexes(of: others))
    try expectSame(first, "seed \(seed) join with itself") { try $0.join().pairs.map { [$0.0, $0.1] } }
    let pairs = try zip(first, second).map { try $0.join($1).pairs.map { [$0.0, $0.1] } }
    for (kernel, answer) in zip(Self.kernels, pairs) {
      #expect(answer == pairs[0], "seed \(seed) join: \(kernel) and \(Self.kernels[0])")
    }
  }
}

/// Random boxes of one shape: on a grid, where most of them touch and distances tie; anywhere; closer together than
/// 32-bit floats can tell; so far apart that squares and differences overflow; with NaN, inverted and endless ones among
/// them.
private struct BoxMaker {
  private var figures: Figures
  private let shape: Int

  init(seed: UInt64, shape: Int) {
    figures = Figures(seed: seed)
    self.shape = shape
  }

  mutating func boxes(_ count: Int) -> Boxes {
    var boxes = Boxes()
    for _ in 0..<count { append(to: &boxes) }
    return boxes
  }

  private mutating func append(to boxes: inout Boxes) {
    switch shape {
    case 0:
      let (x, y) = (Double(figures.integer(-6...6)), Double(figures.integer(-6...6)))
      boxes.append(x, y, x + Double(figures.integer(0...2)), y + Double(figures.integer(0...2)))
    case 1:
      let (x, y) = (figures.number(-1e6...1e6), figures.number(-1e6...1e6))
      boxes.append(x, y, x + figures.number(0...1e5), y + figures.number(0...1e5))
    case 2:
      let (x, y) = (610_123 + figures.number(0...0.1), 5_801_234 + figures.number(0...0.1))
      boxes.append(x, y, x + figures.number(0...0.01), y)
    case 3:
      let scale = figures.integer(0...1) == 0 ? 1e300 : 1e308
      let (x, y) = (scale * Double(figures.integer(-1...1)), scale * figures.number(-1...1))
      boxes.append(x, y, x, y)
    default: appendOdd(to: &boxes)
    }
  }

  private mutating func appendOdd(to boxes: inout Boxes) {
    let (x, y) = (Double(figures.integer(-6...6)), Double(figures.integer(-6...6)))
    switch figures.integer(0...6) {
    case 0: boxes.append(.nan, y, x, y)
    case 1: boxes.append(x + 1, y, x, y + 1)
    case 2: boxes.append(x, y + 1, x, y)
    case 3: boxes.append(-.infinity, y, x, y + 1)
    case 4: boxes.append(x, y, x, .infinity)
    case 5: boxes.append(point: x, y)
    default: boxes.append(x, y, x + 1, y + 1)
    }
  }
}
