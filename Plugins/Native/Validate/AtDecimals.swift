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
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return geoms.withPlaces(call) { x, y, first in
      for index in first..<geoms.coordinates(geoms.count &- 1).upperBound {
        x[index &- first] = round(geoms.x(index), scale)
        y[index &- first] = round(geoms.y(index), scale)
        if poll.tick() { return false }
      }
      return true
    }
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
