// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// A grid of two ulp of a row's largest ordinate. Its points and the borders of its cells, halfway between them, are doubles.
/// A cell has its left and lower border, but not its right and upper one.
struct SnapGrid {
  private let step: Double

  init(largest: Double) { step = 2 * largest.ulp }

  /// The middle of the cell of a place.
  func nearest(_ place: Place) -> Place { Place(x: nearest(place.x), y: nearest(place.y)) }

  private func nearest(_ value: Double) -> Double {
    // Exact: a multiple of the step scaled by a power of two, and half a step is still a double.
    ((value + step / 2) / step).rounded(.down) * step
  }

  /// The closed cell round a point of the grid.
  func cell(_ middle: Place) -> Box {
    let half = step / 2
    return Box(xmin: middle.x - half, ymin: middle.y - half, xmax: middle.x + half, ymax: middle.y + half)
  }

  /// Whether an edge passes the cell round a point of the grid.
  func passes(_ a: Place, _ b: Place, _ middle: Place) -> Bool {
    let cell = cell(middle)
    let (p, q) = a.x <= b.x ? (a, b) : (b, a)
    guard p.x < cell.xmax, q.x >= cell.xmin, min(p.y, q.y) < cell.ymax, max(p.y, q.y) >= cell.ymin else { return false }
    if p.x == q.x || p.y == q.y { return true }
    let isRising = p.y < q.y
    let upperLeft = orientation(p, q, Place(x: cell.xmin, y: cell.ymax))
    let lowerRight = orientation(p, q, Place(x: cell.xmax, y: cell.ymin))
    // A rising edge passes between the upper left and the lower right corner, which do not belong to the cell; a falling
    // one between the lower left corner, which does, and the upper right one.
    if isRising { return upperLeft > 0 && lowerRight < 0 }
    let lowerLeft = orientation(p, q, Place(x: cell.xmin, y: cell.ymin))
    let upperRight = orientation(p, q, Place(x: cell.xmax, y: cell.ymax))
    return lowerLeft <= 0 && upperRight > 0
  }
}
