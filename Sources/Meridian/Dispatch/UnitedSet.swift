// SPDX-License-Identifier: Apache-2.0

/// A set whose single and multi types were put together, for operations that judge rows against each other: a layer of
/// polygons and multipolygons is one layer. Rows with different dimensions stay apart.
struct UnitedSet {
  let set: GeometrySet
  /// For each array, which of its rows had the single type; nil = as the array's own type says.
  let wasSingle: [[Bool]?]

  /// The set as it is, for operations that judge each row alone.
  init(unchanged set: GeometrySet) {
    self.set = set
    wasSingle = set.arrays.map { _ in nil }
  }

  /// Leaves a set as it is when nothing is to be put together.
  init(_ original: GeometrySet) {
    let groups = Self.groups(original.arrays)
    guard groups.count < original.arrays.count, let places = original.places else {
      set = original
      wasSingle = original.arrays.map { _ in nil }
      return
    }
    var arrays: [GeometryArray] = []
    var single: [[Bool]?] = []
    /// Where each array's rows are now: array, number of its first row.
    var moved = [(array: Int, start: Int)](repeating: (0, 0), count: original.arrays.count)
    for group in groups {
      let members = group.map { original.arrays[$0] }
      guard members.count > 1 else {
        moved[group[0]] = (arrays.count, 0)
        arrays.append(members[0])
        single.append(nil)
        continue
      }
      let assembler = ArrayAssembler(members[0].type.multi, members[0].dimensions, members[0].model)
      var flags: [Bool] = []
      for (number, array) in zip(group, members) {
        moved[number] = (arrays.count, assembler.count)
        assembler.append(array, 0..<array.count)
        flags += [Bool](repeating: array.type != array.type.multi, count: array.count)
      }
      arrays.append(assembler.finish())
      single.append(flags)
    }
    set = GeometrySet(
      arrays: arrays, places: places.map { $0.moved(moved) },
      collections: original.collections.map { $0.moved(moved) }, model: original.model)
    wasSingle = single
  }

  /// The numbers of the arrays that belong together, in order of their first.
  private static func groups(_ arrays: [GeometryArray]) -> [[Int]] {
    var groups: [[Int]] = []
    for (number, array) in arrays.enumerated() {
      let place = groups.firstIndex {
        arrays[$0[0]].type.multi == array.type.multi && arrays[$0[0]].dimensions == array.dimensions
      }
      if let place { groups[place].append(number) } else { groups.append([number]) }
    }
    return groups
  }
}

extension GeometrySet.Place {
  fileprivate func moved(_ map: [(array: Int, start: Int)]) -> Self {
    guard case .geometry(let array, let index) = self else { return self }
    return .geometry(array: map[array].array, index: map[array].start + index)
  }
}

extension GeometrySet.Collection {
  fileprivate func moved(_ map: [(array: Int, start: Int)]) -> Self {
    Self(
      row: row, dimensions: dimensions,
      tokens: tokens.map { token in
        guard case .geometry(let array, let index) = token else { return token }
        return .geometry(array: map[array].array, index: map[array].start + index)
      })
  }
}

extension GeometrySet.Collection {
  /// The geometries of the collection, depth first.
  var geometries: [(array: Int, index: Int)] {
    tokens.compactMap { token in
      if case .geometry(let array, let index) = token { return (array, index) }
      return nil
    }
  }
}

extension GeometrySet {
  /// The row of the set that geometry `index` of array `array` belongs to.
  func row(ofArray array: Int, _ index: Int) -> Int { rows[array]?[index] ?? index }

  /// The number of a geometry inside its collection, nil outside of one.
  func member(ofArray array: Int, _ index: Int) -> Int? {
    guard let member = members[array]?[index], member >= 0 else { return nil }
    return member
  }

  /// Turns the row of an error, counted in an array, into the row of the set; a row that is not there is left out.
  func located(_ error: MeridianError, inArray array: Int) -> MeridianError {
    var located = error
    located.row = error.row.flatMap { $0 < arrays[array].count ? self.row(ofArray: array, $0) : nil }
    return located
  }

  /// The work of all arrays, for progress.
  var weight: Double { arrays.reduce(0) { $0 + $1.weight } }

  /// Holds arrays that were wrapped against their contract. Arrays that the host laid out need no check.
  func checkLayout() throws(MeridianError) {
    for (number, array) in arrays.enumerated() where array.isBorrowed {
      do throws(MeridianError) { try array.checkLayout() } catch {
        throw arrays.count == 1 ? error : MeridianError(error.status, "array \(number): " + error.message)
      }
    }
  }
}
