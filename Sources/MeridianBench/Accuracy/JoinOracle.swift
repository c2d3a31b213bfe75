// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Pairs of a join of an index with itself, for a sample of the boxes: the error of a box is how many partners are missing
/// or too many, and one with any is wrong.
struct JoinOracle: Oracle {
  let source = "brute force"
  /// The boxes are the questions.
  let truth: Lazily<BruteForceBoxes>

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let truth = try truth.value()
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
