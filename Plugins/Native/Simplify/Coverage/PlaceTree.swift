// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Boxes around eight successive places, for places that lie along a curve.
struct PlaceTree {
  private let x: UnsafePointer<Double>
  private let y: UnsafePointer<Double>
  private var groups: BoxLevels
  private var count = 0

  /// nil = no memory.
  init?(_ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>, capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let groups = BoxLevels(capacity: (capacity + 7) / 8, call) else { return nil }
    self.x = x
    self.y = y
    self.groups = groups
  }

  mutating func build(_ count: Int) {
    self.count = count
    let (x, y) = (x, y)
    groups.build((count + 7) / 8) { group in
      var box = Box.empty
      for place in (8 &* group)..<min(8 &* group &+ 8, count) {
        box.grow(Box(xmin: x[place], ymin: y[place], xmax: x[place], ymax: y[place]))
      }
      return box
    }
  }

  /// Calls `body` with the places in the window, its border included, until it answers false.
  @inline(__always)
  func forEachPlace(in window: Window, _ body: (Int) -> Bool) {
    groups.forEach(meeting: window) { group in
      var places = places(of: group, in: window)
      while places != 0 {
        if !body(8 &* group &+ places.trailingZeroBitCount) { return false }
        places &= places &- 1
      }
      return true
    }
  }

  /// Bits of the places of a group that are in the window.
  @inline(__always)
  private func places(of group: Int, in window: Window) -> UInt32 {
    let first = 8 &* group
    let places = withUnsafeBytes(of: window) { bytes in
      mrdk_places8_in(x + first, y + first, bytes.assumingMemoryBound(to: Double.self).baseAddress)
    }
    return first &+ 8 > count ? places & ((1 << UInt32(count &- first)) &- 1) : places
  }
}
