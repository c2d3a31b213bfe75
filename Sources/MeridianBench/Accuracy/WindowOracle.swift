// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Window hits, question by question: the error of a question is how many ids are missing or too many, and one with any
/// is wrong.
struct WindowOracle: Oracle {
  let source = "brute force"
  let truth: Lazily<BruteForceBoxes>

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let truth = try truth.value()
    return Self.judge(try outcome.required(outcome.hits, "hits"), truth, truth.sample)
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
    accuracy.wrong = comparisons.count { $0.error > 0 }
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
