// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// GEOS's topology-preserving simplifier keeps its edges in a tree whose cells halve down to the least extent that it
/// has seen. Where the largest ordinate is more than about 2^1000 times that extent, the tree loops for ever or
/// overflows the stack, so such rows are not given to it.
enum Reach {
  /// Ordinates in this range differ by at least 2^-452, if they differ: 2^852 times less than the largest.
  private static let magnitudes = 0x1p-400...0x1p400

  /// True when all ordinates of a finite row are zero or in the range.
  static func holds(_ geoms: Geoms, _ row: Int) -> Bool {
    geoms.coordinates(row).allSatisfy { isNear(geoms.x($0)) && isNear(geoms.y($0)) }
  }

  private static func isNear(_ ordinate: Double) -> Bool { ordinate == 0 || magnitudes.contains(ordinate.magnitude) }
}
