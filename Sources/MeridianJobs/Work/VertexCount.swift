// SPDX-License-Identifier: Apache-2.0
import Meridian

extension GeometrySet {
  /// Coordinates of all rows, as `vertexCount(ofRow:)` counts them.
  package var vertexCount: Int { (0..<count).reduce(0) { $0 + vertexCount(ofRow: $1) } }

  /// Coordinates of a row as stored, closing points included; of a collection, those of all members.
  package func vertexCount(ofRow row: Int) -> Int {
    func count(_ array: Int, _ index: Int) -> Int {
      arrays[array].isEmpty(index)
        ? 0 : arrays[array].type == .point ? 1 : arrays[array].coordinates(ofRow: index).count
    }
    switch place(ofRow: row) {
    case .null: return 0
    case .geometry(let array, let index): return count(array, index)
    case .collection(let number):
      return collections[number].tokens.reduce(0) { total, token in
        if case .geometry(let array, let index) = token { return total + count(array, index) }
        return total
      }
    }
  }
}
