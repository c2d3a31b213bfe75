// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Boxes and questions by comparing every box: what indexes are held against, over a sample of the questions.
struct BruteForceBoxes: Sendable {
  let boxes: Boxes
  let queries: Boxes
  /// Comparisons of a box with a question that may be made.
  private static let limit = 200_000_000

  /// Numbers of the questions that are judged.
  var sample: [Int] { RowSample.spread(queries.count, limit: max(8, min(1000, Self.limit / max(1, boxes.count)))) }

  /// Ids that meet question `query`, ascending.
  func hits(_ query: Int) -> [Int64] {
    let (left, bottom) = (queries.xmin[query], queries.ymin[query])
    let (right, top) = (queries.xmax[query], queries.ymax[query])
    return boxes.xmin.withUnsafeBufferPointer { xmin in
      boxes.ymin.withUnsafeBufferPointer { ymin in
        boxes.xmax.withUnsafeBufferPointer { xmax in
          boxes.ymax.withUnsafeBufferPointer { ymax in
            var hits: [Int64] = []
            for id in 0..<xmin.count
            where xmin[id] <= right && left <= xmax[id] && ymin[id] <= top && bottom <= ymax[id]
              && xmin[id] <= xmax[id] && ymin[id] <= ymax[id]
            {
              hits.append(Int64(id))
            }
            return hits
          }
        }
      }
    }
  }

  /// The `count` nearest boxes by (squared distance, id).
  func nearest(_ query: Int, count: Int) -> [(square: Double, id: Int64)] {
    var best: [(square: Double, id: Int64)] = []
    for id in 0..<boxes.count {
      let square = square(query, id)
      // Later ids of the same distance come behind those that are there.
      guard square.isFinite, best.count < count || square < best[best.count - 1].square else { continue }
      let place = best.firstIndex { square < $0.square } ?? best.count
      best.insert((square, Int64(id)), at: place)
      if best.count > count { best.removeLast() }
    }
    return best
  }

  func square(_ query: Int, _ id: Int) -> Double {
    guard boxes.xmin[id] <= boxes.xmax[id], boxes.ymin[id] <= boxes.ymax[id] else { return .nan }
    let dx = max(boxes.xmin[id] - queries.xmax[query], 0, queries.xmin[query] - boxes.xmax[id])
    let dy = max(boxes.ymin[id] - queries.ymax[query], 0, queries.ymin[query] - boxes.ymax[id])
    return dx * dx + dy * dy
  }
}
