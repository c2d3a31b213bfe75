// SPDX-License-Identifier: Apache-2.0

/// The Hilbert curve, which fills a square.
enum Hilbert {
  /// How far along the curve of 2^16 steps a side the cell (x, y) is.
  static func key(_ x: UInt32, _ y: UInt32) -> UInt32 {
    var (x, y, key) = (x, y, 0 as UInt32)
    var side: UInt32 = 1 << 15
    while side > 0 {
      let (right, upper): (UInt32, UInt32) = (x & side > 0 ? 1 : 0, y & side > 0 ? 1 : 0)
      key &+= side &* side &* ((3 &* right) ^ upper)
      // The quarter is turned so that its curve begins where the last one ended.
      if upper == 0 {
        if right == 1 {
          x = 65535 &- x
          y = 65535 &- y
        }
        (x, y) = (y, x)
      }
      side >>= 1
    }
    return key
  }
}
