// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The workloads that figures are published for, made from one seed and each made once, when it is asked for first.
///
/// - P1, P2: pairs of points, anywhere on the globe and within 10 km. L1: tracks of 50 vertices.
/// - G1, G2, G3: polygons of 10, 500 and 200,000 corners. G4: those of G2, a tenth of them damaged.
/// - C1: districts that share their borders. S1: a network of a million segments with points to snap. B1, B2: a million
///   boxes, uniform and in clusters.
///
/// Coordinates are longitude and latitude in degrees, but for B1 and B2, which are in the plane. Safe from any thread.
package final class Workloads: Sendable {
  package let size: WorkloadSize
  package let seed: UInt64
  package let p1: Lazily<PointPairs>
  package let p2: Lazily<PointPairs>
  package let l1: Lazily<GeometrySet>
  package let g1: Lazily<GeometrySet>
  package let g2: Lazily<GeometrySet>
  package let g3: Lazily<GeometrySet>
  package let g4: Lazily<FaultyPolygons>
  package let g4Invalid: Lazily<GeometrySet>
  package let c1: Lazily<GeometrySet>
  package let s1: Lazily<Network>
  package let b1: Lazily<BoxWorkload>
  package let b2: Lazily<BoxWorkload>

  /// - Parameter scale: 1 = the published sizes.
  package init(scale: Double = 1, seed: UInt64) {
    let size = WorkloadSize(scale: scale)
    self.size = size
    self.seed = seed
    p1 = Lazily { () throws(MeridianError) in try .uniform(size.pairs, seed: seed) }
    p2 = Lazily { () throws(MeridianError) in try .near(size.pairs, seed: seed) }
    l1 = Lazily { () throws(MeridianError) in try Walks.make(size, seed: seed) }
    g1 = Lazily { () throws(MeridianError) in try Rings.small(size, seed: seed) }
    g2 = Lazily { () throws(MeridianError) in try Rings.larger(size, seed: seed) }
    g3 = Lazily { () throws(MeridianError) in try Rings.coasts(size, seed: seed) }
    let g4 = Lazily { () throws(MeridianError) in try FaultyPolygons.make(size, seed: seed) }
    self.g4 = g4
    g4Invalid = Lazily { () throws(MeridianError) in try g4.value().invalidRows() }
    c1 = Lazily { () throws(MeridianError) in try CoverageWorkload.make(size, seed: seed) }
    s1 = Lazily { () throws(MeridianError) in try Network.make(size, seed: seed) }
    b1 = Lazily { .uniform(size, seed: seed) }
    b2 = Lazily { .clustered(size, seed: seed) }
  }
}
