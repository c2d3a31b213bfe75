// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@testable import Meridian

/// A host that knows the hand-made kernels only.
func handHost(threads: Int = 2, chunk: Int = 65_536, checks: Bool = true, biased: Bool = false) throws -> Host {
  var options = Host.Options()
  options.discovers = false
  options.readsEnvironment = false
  options.threads = threads
  options.chunkSize = chunk
  options.checksKernels = checks
  let host = try Host(options)
  if biased { try host.register(biasedPlugin) }
  try host.register(handPlugin)
  return host
}

/// A geometry in short: the x of its vertices, y = 0.
indirect enum Sketch {
  case null
  case point(Double)
  case emptyPoint
  case line([Double])
  /// One ring a list.
  case polygon([[Double]])
  /// One polygon a list of rings.
  case multiPolygon([[[Double]]])
  case collection([Sketch])
}

func sketched(_ rows: [Sketch], model: GeometryModel = .planar) throws -> GeometrySet {
  var builder = GeometryBuilder(model: model)
  for row in rows { try add(row, &builder) }
  return try builder.finish()
}

private func add(_ sketch: Sketch, _ builder: inout GeometryBuilder) throws {
  switch sketch {
  case .null: return try builder.null()
  case .emptyPoint: try builder.begin(.point, .xy)
  case .point(let x):
    try builder.begin(.point, .xy)
    builder.add(x, 0)
  case .line(let xs):
    try builder.begin(.lineString, .xy)
    for x in xs { builder.add(x, 0) }
  case .polygon(let rings):
    try builder.begin(.polygon, .xy)
    for ring in rings {
      try builder.ring()
      for x in ring { builder.add(x, 0) }
    }
  case .multiPolygon(let parts):
    try builder.begin(.multiPolygon, .xy)
    for part in parts {
      try builder.part()
      for ring in part {
        try builder.ring()
        for x in ring { builder.add(x, 0) }
      }
    }
  case .collection(let members):
    try builder.begin(.collection, .xy)
    for member in members { try add(member, &builder) }
  }
  try builder.end()
}

extension GeometrySet {
  /// The x of all vertices of a row, members in order; nil for null.
  func xs(_ row: Int) -> [Double]? {
    geometries(ofRow: row)?.flatMap { place in
      arrays[place.array].coordinates(ofRow: place.index).map { arrays[place.array].x($0) }
    }
  }
}

/// Repeatable pseudo-random numbers (splitmix64).
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Rows of every kind, nulls, empties and collections among them; whole numbers as x.
func randomRows(_ count: Int, _ random: inout SeededRandom, depth: Int = 0) -> [Sketch] {
  (0..<count).map { _ in
    func xs(_ most: Int) -> [Double] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in Double(Int.random(in: -3...60, using: &random)) }
    }
    switch Int.random(in: 0..<(depth < 2 ? 7 : 5), using: &random) {
    case 0: return .point(Double(Int.random(in: -3...60, using: &random)))
    case 1: return .line(xs(9))
    case 2: return .polygon((0..<Int.random(in: 0...2, using: &random)).map { _ in xs(6) })
    case 3:
      return .multiPolygon((0..<Int.random(in: 0...3, using: &random)).map { _ in [xs(5), xs(4)] })
    case 4: return .emptyPoint
    case 5: return depth == 0 ? .null : .line([1, 2])
    default: return .collection(randomRows(Int.random(in: 0...3, using: &random), &random, depth: depth + 1))
    }
  }
}
