// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// A box or window in cells of a frame.
struct CellBox: Equatable {
  var xmin: Int32
  var ymin: Int32
  var xmax: Int32
  var ymax: Int32

  static let nothing = CellBox(xmin: .max, ymin: .max, xmax: .min, ymax: .min)

  @inline(__always)
  mutating func grow(_ other: CellBox) {
    xmin = min(xmin, other.xmin)
    ymin = min(ymin, other.ymin)
    xmax = max(xmax, other.xmax)
    ymax = max(ymax, other.ymax)
  }
}

/// Maps coordinates to whole numbers, 2^29 to 2^30 cells over the longer side of the data. The map never descends, so boxes
/// that meet have cells that meet: no rounding outward is needed.
struct CellFrame: Equatable {
  /// Behind the last cell; -1 is before the first. Infinite ordinates and what lies outside of the data are there.
  static let side: Int32 = 1 << 30
  /// Exponent of the finest scale, whose square is still a double.
  private static let finest = 500
  /// Cells of the Hilbert curve along a side; see `mrdk_hilbert_places`.
  private static let curveSide = 0x1p16
  /// Half of the least x and y: halves of doubles have differences that are doubles.
  let halfX: Double
  let halfY: Double
  /// Cells in two units, a power of two.
  let scale: Double

  init(_ bounds: Box) {
    halfX = bounds.xmin <= bounds.xmax ? bounds.xmin / 2 : 0
    halfY = bounds.ymin <= bounds.ymax ? bounds.ymin / 2 : 0
    let extent = max(bounds.xmax / 2 - halfX, bounds.ymax / 2 - halfY)
    scale =
      extent > 0 ? Double(sign: .plus, exponent: min(CellFrame.finest, 29 - Int(extent.exponent)), significand: 1) : 1
  }

  @inline(__always)
  func box(_ box: Box) -> CellBox {
    CellBox(
      xmin: cell(x: box.xmin), ymin: cell(y: box.ymin), xmax: cell(x: box.xmax), ymax: cell(y: box.ymax))
  }

  /// x in cells, not rounded and not bounded.
  @inline(__always)
  func real(x: Double) -> Double { (x * 0.5 - halfX) * scale }

  @inline(__always)
  func real(y: Double) -> Double { (y * 0.5 - halfY) * scale }

  @inline(__always)
  private func cell(x: Double) -> Int32 { CellFrame.cell(real(x: x)) }

  @inline(__always)
  private func cell(y: Double) -> Int32 { CellFrame.cell(real(y: y)) }

  @inline(__always)
  private static func cell(_ cells: Double) -> Int32 {
    if !(cells >= 0) { return -1 }
    return cells < Double(side) ? Int32(cells) : side
  }

  /// Where on the curve the middle of a box lies, in the curve's own cells. NaN, the middle of the whole line, counts as
  /// the first cell; half of a frame's cell more or less does not matter here.
  @inline(__always)
  func middle(_ box: Box, _ x: UnsafeMutablePointer<UInt32>, _ y: UnsafeMutablePointer<UInt32>) {
    withUnsafeBytes(of: box) { bytes in
      if let corners = bytes.assumingMemoryBound(to: Double.self).baseAddress { middle(corners: corners, x, y) }
    }
  }

  /// The same between two opposite corners, x and y of each, as they are in memory.
  @inline(__always)
  func middle(
    corners: UnsafePointer<Double>, _ x: UnsafeMutablePointer<UInt32>, _ y: UnsafeMutablePointer<UInt32>
  ) {
    mrdk_middle(
      corners, scale * 0x1p-16, halfX * (scale * 0x1p-14), halfY * (scale * 0x1p-14), CellFrame.curveSide - 1, x, y)
  }

  /// The same of sixteen boxes side by side.
  @inline(__always)
  func middles(_ boxes: UnsafePointer<Box>, _ x: UnsafeMutablePointer<UInt32>, _ y: UnsafeMutablePointer<UInt32>) {
    mrdk_middles16(
      UnsafeRawPointer(boxes).assumingMemoryBound(to: Double.self), scale * 0x1p-16, halfX * (scale * 0x1p-14),
      halfY * (scale * 0x1p-14), CellFrame.curveSide - 1, x, y)
  }
}
