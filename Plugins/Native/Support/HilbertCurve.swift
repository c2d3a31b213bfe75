// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Places on the Hilbert curve through 2^16 x 2^16 cells: near places on the curve are near in the plane.
enum HilbertCurve {
  /// Cells along a side.
  static let side: Int32 = 1 << 16

  /// The place of the middle of one box; many at once take `mrdk_hilbert_places`.
  static func place(_ frame: CellFrame, _ box: Box) -> UInt32 {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 48) { lanes in
      guard let x = lanes.baseAddress else { return 0 }
      lanes.initialize(repeating: 0)
      frame.middle(box, x, x + 16)
      mrdk_hilbert_places(x, x + 16, x + 32)
      return lanes[32]
    }
  }
}
