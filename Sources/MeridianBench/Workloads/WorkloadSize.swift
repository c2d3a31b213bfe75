// SPDX-License-Identifier: Apache-2.0

/// How large the workloads are at a scale: 1 = the sizes that figures are published for, 0.01 for a quick look. Counts
/// shrink, densities and shapes do not: at every scale a window of B1 has about 100 hits.
///
/// Known without making anything, for the heads of cases.
package struct WorkloadSize: Sendable, Equatable {
  package let scale: Double

  /// - Parameter scale: from 1e-5 to 100; what is beyond is held there, NaN is 1.
  package init(scale: Double) { self.scale = scale.isNaN ? 1 : min(max(scale, 1e-5), 100) }

  /// `full` things at scale 1, never fewer than `least`.
  func count(_ full: Int, least: Int) -> Int { max(least, Int((Double(full) * scale).rounded())) }

  /// Pairs of points of P1 and P2.
  package var pairs: Int { count(1_000_000, least: 16) }
  /// Lines of L1, and vertices of each.
  package var lines: Int { count(100_000, least: 8) }
  package let lineVertices = 50
  /// Small rings (G1) and their vertices, the closing one included.
  package var smallRings: Int { count(100_000, least: 16) }
  package let smallRingVertices = 11
  /// Larger rings (G2, and G4 which is made from them).
  package var rings: Int { count(10_000, least: 40) }
  package let ringVertices = 501
  /// Coasts (G3): the number stays, their vertices shrink; the closing one included.
  package let coasts = 10
  package var coastVertices: Int { count(200_000, least: 64) + 1 }
  /// Nodes along a side of the network S1, and its segments.
  package var networkSide: Int { max(4, Int((708 * scale.squareRoot()).rounded())) }
  package var segments: Int { 2 * networkSide * (networkSide - 1) }
  /// Boxes of B1 and B2; those of B2 lie in clusters of 1000.
  package var boxes: Int { count(1_000_000, least: 1000) }
  package let clusterBoxes = 1000
  /// Districts along a side of the coverage C1, and all of them with their vertices.
  package var coverageSide: Int { max(2, Int((100 * scale.squareRoot()).rounded())) }
  package var districts: Int { coverageSide * coverageSide }
  package let districtVertices = 4 * CoverageWorkload.edgesOfBorder + 1
  /// Windows and points that indexes and networks are asked for.
  package var queries: Int { count(100_000, least: 64) }
}
