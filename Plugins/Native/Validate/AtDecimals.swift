// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The coordinates of an array as they will read after they were written with some decimals.
enum AtDecimals {
  /// What the ABI knows; powers of ten are doubles up to 10^22.
  static let most: Int32 = 17

  /// The array with rounded x and y of its rows, and no others, in the memory of the call; nil = no memory, or cancelled.
  static func round(
    _ geoms: Geoms, _ decimals: Int32, _ poll: inout CancelPoll, _ call: UnsafeMutablePointer<mrd_call>
  ) -> Geoms? {
    guard geoms.count > 0 else { return geoms }
    let span = geoms.coordinates(0).lowerBound..<geoms.coordinates(geoms.count &- 1).upperBound
    guard let x = scratch(call, span.count, of: Double.self), let y = scratch(call, span.count, of: Double.self) else {
      return nil
    }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    for index in 0..<span.count {
      x[index] = round(geoms.x(span.lowerBound &+ index), scale)
      y[index] = round(geoms.y(span.lowerBound &+ index), scale)
      if poll.tick() { return nil }
    }
    var raw = geoms.raw
    raw.coords.v.0 = column(x, from: span.lowerBound)
    raw.coords.v.1 = column(y, from: span.lowerBound)
    (raw.coords.stride.0, raw.coords.stride.1) = (8, 8)
    raw.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    return Geoms(&raw, call)
  }

  /// Where coordinate 0 would be, of which those from `first` on are there.
  private static func column(_ values: UnsafeMutablePointer<Double>, from first: Int) -> UnsafePointer<Double>? {
    UnsafePointer(bitPattern: UInt(bitPattern: values) &- UInt(bitPattern: first &* 8))
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
