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

/// Window hits: wrong is how many ids are missing or too many.
struct WindowOracle: Oracle {
  let source = "brute force"
  let truth: Lazily<BruteForceBoxes>

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    guard let truth = try? truth.value(), let hits = outcome.hits else { return Accuracy(unit: "hit", [], wrong: 1) }
    return Self.judge(hits, truth, truth.sample)
  }

  /// - Parameter queries: those of `truth` that are judged.
  static func judge(_ hits: IndexHits, _ truth: BruteForceBoxes, _ queries: [Int]) -> Accuracy {
    var comparisons: [Accuracy.Comparison] = []
    for query in queries {
      let exact = truth.hits(query)
      let found = query + 1 < hits.offsets.count ? Array(hits.ids(ofQuery: query)) : []
      comparisons.append(
        Accuracy.Comparison(
          row: query, error: Double(differences(exact, found.sorted())), exact: Double(exact.count), vertices: 0))
    }
    return counted(comparisons)
  }

  static func counted(_ comparisons: [Accuracy.Comparison]) -> Accuracy {
    var accuracy = Accuracy(unit: "hit", comparisons)
    accuracy.wrong = comparisons.reduce(0) { $0 + Int($1.error) }
    return accuracy
  }

  /// Ids in one ascending list and not in the other; an id twice is one too many.
  static func differences(_ a: [Int64], _ b: [Int64]) -> Int {
    var (i, j, count) = (0, 0, 0)
    while i < a.count || j < b.count {
      if j == b.count || (i < a.count && a[i] < b[j]) {
        (i, count) = (i + 1, count + 1)
      } else if i == a.count || b[j] < a[i] {
        (j, count) = (j + 1, count + 1)
      } else {
        (i, j) = (i + 1, j + 1)
      }
    }
    return count
  }
}

/// Nearest boxes: distances at every rank, and whether the ids are those of the order (squared distance, id).
struct NearestOracle: Oracle {
  let source = "brute force"
  let truth: Lazily<BruteForceBoxes>
  let count: Int

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    guard let truth = try? truth.value(), let hits = outcome.hits else { return Accuracy(unit: "coord", [], wrong: 1) }
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    for query in truth.sample {
      let exact = truth.nearest(query, count: count)
      let found = query + 1 < hits.offsets.count ? hits.offsets[query]..<hits.offsets[query + 1] : 0..<0
      wrong += abs(exact.count - found.count)
      for (right, place) in zip(exact, found) {
        if hits.ids[place] != right.id { wrong += 1 }
        let distance = right.square.squareRoot()
        comparisons.append(
          Accuracy.Comparison(
            row: query, error: abs(hits.distances[place] - distance), exact: distance, vertices: 0))
      }
    }
    var accuracy = Accuracy(unit: "coord", comparisons)
    accuracy.wrong = wrong
    return accuracy
  }
}

/// An index that was built or opened: asked for some windows.
struct BuiltIndexOracle: Oracle {
  let source = "brute force"
  let truth: Lazily<BruteForceBoxes>

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    guard let truth = try? truth.value(), let index = outcome.kept as? BoxIndex else {
      return Accuracy(unit: "hit", [], wrong: 1)
    }
    let sample = truth.sample
    var windows = Boxes()
    for query in sample {
      windows.append(
        truth.queries.xmin[query], truth.queries.ymin[query], truth.queries.xmax[query], truth.queries.ymax[query])
    }
    guard let hits = try? index.window(windows) else { return Accuracy(unit: "hit", [], wrong: sample.count) }
    let asked = BruteForceBoxes(boxes: truth.boxes, queries: windows)
    return WindowOracle.judge(hits, asked, Array(0..<windows.count))
  }
}

/// Pairs of a join of an index with itself, for a sample of the boxes.
struct JoinOracle: Oracle {
  let source = "brute force"
  /// The boxes are the questions.
  let truth: Lazily<BruteForceBoxes>

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    guard let truth = try? truth.value() else { return Accuracy(unit: "hit", [], wrong: 1) }
    let sample = truth.sample
    var found = [Int64: [Int64]](uniqueKeysWithValues: sample.map { (Int64($0), []) })
    for (one, two) in outcome.pairs {
      found[one]?.append(two)
      found[two]?.append(one)
    }
    return WindowOracle.counted(
      sample.map { box in
        let exact = truth.hits(box).filter { $0 != Int64(box) }
        let wrong = WindowOracle.differences(exact, (found[Int64(box)] ?? []).sorted())
        return Accuracy.Comparison(row: box, error: Double(wrong), exact: Double(exact.count), vertices: 0)
      })
  }
}
