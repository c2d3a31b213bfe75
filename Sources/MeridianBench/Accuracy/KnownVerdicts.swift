// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Right verdicts of a set's rows.
struct KnownVerdicts: Oracle {
  let source: String
  /// One a row; nil = not known, the row is not compared.
  let verdicts: Lazily<[Bool?]>

  init(source: String, _ verdicts: Lazily<[Bool?]>) {
    self.source = source
    self.verdicts = verdicts
  }

  /// The same verdict for all rows.
  init(source: String, all verdict: Bool, rows: Int) {
    self.init(source: source, Lazily { [Bool?](repeating: verdict, count: rows) })
  }

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let verdicts = try verdicts.value()
    var wrong: [Int] = []
    var right: [Accuracy.Comparison] = []
    for (row, verdict) in verdicts.enumerated() {
      guard let verdict else { continue }
      let found = row < outcome.verdicts.count ? outcome.verdicts[row] : .unknown
      if found == (verdict ? .valid : .invalid) {
        right.append(Accuracy.Comparison(row: row, error: 0, exact: 0, vertices: 0))
      } else {
        wrong.append(row)
      }
    }
    var accuracy = Accuracy(unit: "verdict", right, wrong: wrong.count)
    accuracy.worstRow = wrong.first
    return accuracy
  }
}
