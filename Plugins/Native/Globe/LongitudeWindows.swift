// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The copies, whole turns apart, of a window that meet the longitudes of a tree of boxes whose longitudes are plain numbers.
struct LongitudeWindows {
  /// Boxes over more turns are looked through at once, whatever their longitudes.
  private static let most = 64

  private let window: Box
  private let first: Int
  private let last: Int
  private var number: Int

  /// `window` is a little wider than it needs to be: where its copies begin and end is rounded.
  init(_ window: Box, around bounds: Box) {
    let turns = ((bounds.xmin - window.xmax) / 360, (bounds.xmax - window.xmin) / 360)
    let isPlain =
      window.xmax - window.xmin < 360 && turns.0.magnitude < 0x1p40 && turns.1.magnitude < 0x1p40
      && turns.1 - turns.0 < Double(LongitudeWindows.most)
    self.window =
      isPlain ? window : Box(xmin: -.infinity, ymin: window.ymin, xmax: .infinity, ymax: window.ymax)
    first = isPlain ? Int(turns.0.rounded(.up)) : 0
    last = isPlain ? Int(turns.1.rounded(.down)) : 0
    number = first - 1
  }

  private func copy(_ number: Int) -> Box {
    let turn = 360 * Double(number)
    return Box(xmin: window.xmin + turn, ymin: window.ymin, xmax: window.xmax + turn, ymax: window.ymax)
  }

  mutating func next() -> Box? {
    number += 1
    return number <= last ? copy(number) : nil
  }

  /// True for a box that an earlier copy met.
  func haveMet(_ box: Box) -> Bool {
    var earlier = first
    while earlier < number {
      if copy(earlier).meets(box) { return true }
      earlier += 1
    }
    return false
  }
}

extension BoxTree {
  /// `search` for a window whose longitudes count modulo 360, whatever the edges of the boxes: each box once.
  func searchRound(_ window: Box, _ body: (_ leaf: Int, _ hits: UInt32) -> Bool) {
    if isCurved { return search(window, body) }
    var windows = LongitudeWindows(window, around: bounds)
    var isOpen = true
    while isOpen, let copy = windows.next() {
      search(copy) { leaf, hits in
        var (bits, fresh) = (hits, hits)
        while bits != 0 {
          let slot = bits.trailingZeroBitCount
          bits &= bits &- 1
          if windows.haveMet(box(leaf, slot)) { fresh &= ~(1 << UInt32(slot)) }
        }
        isOpen = fresh == 0 || body(leaf, fresh)
        return isOpen
      }
    }
  }
}
