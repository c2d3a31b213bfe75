// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import TestSupport
import Testing

/// Geodesic measures through the host: the same bits with one thread, with two and with the host's own number.
@Suite struct GeodesicThreadsPropertyTests {
  @Test(.timeLimit(.minutes(5))) func threadsGiveTheSameBits() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let count = Scale.times(20_000)
    func points() throws -> GeometrySet {
      var builder = GeometryBuilder(model: .wgs84)
      for _ in 0..<count {
        try builder.begin(.point, .xy)
        builder.add(Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
        try builder.end()
      }
      return try builder.finish()
    }
    let (a, b) = (try points(), try points())
    let azimuths = (0..<count).map { _ in Double.random(in: -180...180, using: &random) }
    let distances = (0..<count).map { _ in Double.random(in: 0...2e7, using: &random) }
    var expected: [[UInt64]] = []
    for threads in [1, 2, 0] {
      let rules = "measure.distance=native;measure.direct=native"
      let run = Run(threads: threads, rules: rules)
      let columns =
        try Installed.host.measurePair(.distance, a, b, run: run).columns
        + Installed.host.measureDirect(a, azimuths: azimuths, distances: distances, run: run).columns
      let bits = columns.map { $0.map(\.bitPattern) }
      if expected.isEmpty { expected = bits }
      #expect(bits == expected, "seed \(seed): \(threads) threads")
    }
  }
}
