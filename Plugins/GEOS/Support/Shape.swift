// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The signed area of a closed ring, positive counter-clockwise; about its first vertex, so that far-away coordinates
/// cost no digits.
func ringArea(count: Int, _ vertex: (Int) -> (Double, Double)) -> Double {
  guard count > 2 else { return 0 }
  let (x0, y0) = vertex(0)
  var sum = 0.0
  var former = (0.0, 0.0)
  for index in 1..<count {
    let (x, y) = vertex(index)
    let next = (x - x0, y - y0)
    sum += former.0 * next.1 - next.0 * former.1
    former = next
  }
  return sum / 2
}

/// |sum of the rings' signed areas| of a polygonal row; 0 for others.
func rowArea(_ geoms: Geoms, _ row: Int) -> Double {
  guard dimension(of: geoms.type) == 2 else { return 0 }
  let level = geoms.type == MRD_POLYGON ? 1 : 2
  var sum = 0.0
  for ring in geoms.rings(row) {
    let span = geoms.span(level: level, ring)
    sum += ringArea(count: span.count) { (geoms.x(span.lowerBound + $0), geoms.y(span.lowerBound + $0)) }
  }
  return abs(sum)
}
