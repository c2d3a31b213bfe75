// SPDX-License-Identifier: Apache-2.0

/// The word that a mistyped one most likely meant: at most two edits away, and fewer than half its letters.
package func nearest(_ word: String, _ words: [String]) -> String? {
  let best = words.map { ($0, editDistance(Array(word), Array($0))) }.min { $0.1 < $1.1 }
  guard let best, best.1 <= min(2, word.count / 2) else { return nil }
  return best.0
}

/// Levenshtein's distance.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var row = Array(0...b.count)
  for i in a.indices {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let change = diagonal + (a[i] == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
