// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The coordinates of an array as they will read after they were written with some decimals.
enum AtDecimals {
  /// More than this many powers of ten are no doubles; the ABI knows 17.
  static let most: Int32 = 17

  /// The array with rounded x and y in the memory of the call; nil = no memory.
  static func round(_ geoms: Geoms, _ decimals: Int32, _ call: UnsafeMutablePointer<mrd_call>) -> Geoms? {
    let count = Int(geoms.raw.coords.count)
    guard count > 0 else { return geoms }
    guard let x = scratch(call, count, of: Double.self), let y = scratch(call, count, of: Double.self) else {
      return nil
    }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    for index in 0..<count {
      x[index] = round(geoms.x(index), scale)
      y[index] = round(geoms.y(index), scale)
    }
    var raw = geoms.raw
    (raw.coords.v.0, raw.coords.v.1) = (UnsafePointer(x), UnsafePointer(y))
    (raw.coords.stride.0, raw.coords.stride.1) = (8, 8)
    raw.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    return Geoms(&raw, call)
  }

  /// The double nearest to the decimal number nearest to `value`, ties to even. From 2^53 units on a number is its own.
  private static func round(_ value: Double, _ scale: Double) -> Double {
    let scaled = value * scale
    guard scaled.magnitude < 0x1p53 else { return value }
    let tail = twoProduct(value, scale).tail
    let floor = scaled.rounded(.down)
    let rest = scaled - floor
    let isOdd = floor.remainder(dividingBy: 2) != 0
    let goesUp = rest > 0.5 || (rest == 0.5 && (tail > 0 || (tail == 0 && isOdd)))
    return (goesUp ? floor + 1 : floor) / scale
  }
}
