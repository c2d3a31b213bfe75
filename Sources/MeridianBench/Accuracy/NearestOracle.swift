// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Nearest boxes, question by question: the error is the largest one of the distances that are told, and a question whose
/// ids are not those of the order (squared distance, id) is wrong.
struct NearestOracle: Oracle {
  let source = "brute force"
  let truth: Lazily<BruteForceBoxes>
  let count: Int

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let truth = try truth.value()
    let hits = try outcome.required(outcome.hits, "hits")
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    for query in truth.sample {
      let exact = truth.nearest(query, count: count)
      let found = query + 1 < hits.offsets.count ? hits.offsets[query]..<hits.offsets[query + 1] : 0..<0
      if exact.map(\.id) != Array(hits.ids[found]) { wrong += 1 }
      let errors = zip(exact, found).map { abs(hits.distances[$1] - $0.square.squareRoot()) }
      let farthest = exact.last?.square.squareRoot() ?? 0
      comparisons.append(
        Accuracy.Comparison(row: query, error: errors.max() ?? 0, exact: farthest, vertices: 0))
    }
    var accuracy = Accuracy(unit: "coord", comparisons)
    accuracy.wrong = wrong
    return accuracy
  }
}
