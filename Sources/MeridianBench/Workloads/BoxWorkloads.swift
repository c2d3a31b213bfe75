// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Boxes with the questions that an index of them is asked.
package struct BoxWorkload: Sendable {
  package let boxes: Boxes
  /// In random order.
  package let windows: Boxes
  /// The same ones along a Hilbert curve: neighbours in the list are neighbours in the plane.
  package let sortedWindows: Boxes
  /// Points as boxes without extent.
  package let points: Boxes

  /// B1: uniform, sides up to 0.001; a window has about 100 hits.
  static func uniform(_ size: WorkloadSize, seed: UInt64) -> BoxWorkload {
    var random = SeededRandom(seed: seed, stream: "B1")
    // The square shrinks with the number, so that the density stays.
    let side = (Double(size.boxes) / 1e6).squareRoot()
    var boxes = Boxes()
    for _ in 0..<size.boxes {
      let (x, y) = (random.uniform(0, side), random.uniform(0, side))
      boxes.append(x, y, x + random.uniform(0, 0.001), y + random.uniform(0, 0.001))
    }
    var windows = Boxes()
    for _ in 0..<size.queries {
      let (x, y) = (random.uniform(0, side - 0.01), random.uniform(0, side - 0.01))
      windows.append(x, y, x + 0.0095, y + 0.0095)
    }
    return BoxWorkload(boxes, windows, side, size, &random)
  }

  /// B2: in clusters of 1000, sides up to 0.0002; windows around boxes, about 11 hits.
  static func clustered(_ size: WorkloadSize, seed: UInt64) -> BoxWorkload {
    var random = SeededRandom(seed: seed, stream: "B2")
    let side = (Double(size.boxes) / 1e6).squareRoot()
    let centres = (0..<max(1, size.boxes / size.clusterBoxes)).map { _ in
      (x: random.uniform(0, side), y: random.uniform(0, side))
    }
    var boxes = Boxes()
    for _ in 0..<size.boxes {
      let centre = centres[random.index(below: centres.count)]
      let (x, y) = (centre.x + 0.004 * random.normal(), centre.y + 0.004 * random.normal())
      boxes.append(x, y, x + random.uniform(0, 0.0002), y + random.uniform(0, 0.0002))
    }
    var windows = Boxes()
    for _ in 0..<size.queries {
      let box = random.index(below: size.boxes)
      let (x, y) = (boxes.xmin[box], boxes.ymin[box])
      windows.append(x - 0.0006, y - 0.0006, x + 0.0006, y + 0.0006)
    }
    return BoxWorkload(boxes, windows, side, size, &random)
  }

  /// - Parameter points: boxes that nearest ones are asked for.
  init(boxes: Boxes, windows: Boxes, points: Boxes) {
    self.boxes = boxes
    self.windows = windows
    sortedWindows = windows.alongHilbertCurve()
    self.points = points
  }

  private init(
    _ boxes: Boxes, _ windows: Boxes, _ side: Double, _ size: WorkloadSize, _ random: inout SeededRandom
  ) {
    var points = Boxes()
    for _ in 0..<size.queries { points.append(point: random.uniform(0, side), random.uniform(0, side)) }
    self.init(boxes: boxes, windows: windows, points: points)
  }
}

extension Boxes {
  /// One box.
  func box(_ number: Int) -> Boxes {
    var one = Boxes()
    one.append(xmin[number], ymin[number], xmax[number], ymax[number])
    return one
  }

  /// The boxes in the order of their centres along a Hilbert curve of 2^16 steps a side.
  func alongHilbertCurve() -> Boxes {
    guard let left = xmin.min(), let right = xmax.max(), let bottom = ymin.min(), let top = ymax.max() else {
      return self
    }
    let extent = max(right - left, top - bottom, .leastNormalMagnitude)
    func step(_ low: Double, _ high: Double, _ origin: Double) -> UInt32 {
      UInt32(min(max((low / 2 + high / 2 - origin) / extent * 65535, 0), 65535))
    }
    let keys = (0..<count).map { Hilbert.key(step(xmin[$0], xmax[$0], left), step(ymin[$0], ymax[$0], bottom)) }
    // The number breaks ties: the order does not depend on the sort.
    let order = (0..<count).sorted { (keys[$0], $0) < (keys[$1], $1) }
    var sorted = Boxes()
    for number in order { sorted.append(xmin[number], ymin[number], xmax[number], ymax[number]) }
    return sorted
  }
}
