// SPDX-License-Identifier: Apache-2.0

extension GeometrySet {
  /// The rows `rows`, in that order; what they hold is copied.
  package func selecting(_ rows: [Int]) -> GeometrySet {
    guard places != nil else { return GeometrySet(ArrayAssembler.gather(arrays[0], rows)) }
    var taken = arrays.map { _ in [Int]() }
    var parts: [Collection] = []
    func take(_ array: Int, _ index: Int) -> (array: Int, index: Int) {
      taken[array].append(index)
      return (array, taken[array].count - 1)
    }
    let homes = rows.enumerated().map { row, old -> Place in
      switch place(ofRow: old) {
      case .null: return .null
      case .geometry(let array, let index):
        let home = take(array, index)
        return .geometry(array: home.array, index: home.index)
      case .collection(let number):
        parts.append(collections[number].moved(toRow: row, take))
        return .collection(index: parts.count - 1)
      }
    }
    let gathered = zip(arrays, taken).map { ArrayAssembler.gather($0, $1) }
    return GeometrySet(arrays: gathered, places: homes, collections: parts, model: model)
  }

  /// The rows of all sets, one set behind the other; their arrays are taken over as they are.
  package static func joined(_ sets: [GeometrySet]) -> GeometrySet {
    guard sets.count != 1 else { return sets[0] }
    var arrays: [GeometryArray] = []
    var homes: [Place] = []
    var parts: [Collection] = []
    for set in sets {
      let base = arrays.count
      for row in 0..<set.count {
        switch set.place(ofRow: row) {
        case .null: homes.append(.null)
        case .geometry(let array, let index): homes.append(.geometry(array: base + array, index: index))
        case .collection(let number):
          parts.append(set.collections[number].moved(toRow: homes.count) { (base + $0, $1) })
          homes.append(.collection(index: parts.count - 1))
        }
      }
      arrays += set.arrays
    }
    return GeometrySet(arrays: arrays, places: homes, collections: parts, model: sets.first?.model ?? .planar)
  }
}

extension GeometrySet.Collection {
  /// The same collection as another row, each of its geometries where `home` says.
  fileprivate func moved(
    toRow row: Int, _ home: (_ array: Int, _ index: Int) -> (array: Int, index: Int)
  ) -> GeometrySet.Collection {
    let moved = tokens.map { token -> GeometrySet.Token in
      guard case .geometry(let array, let index) = token else { return token }
      let place = home(array, index)
      return .geometry(array: place.array, index: place.index)
    }
    return GeometrySet.Collection(row: row, dimensions: dimensions, tokens: moved)
  }
}
