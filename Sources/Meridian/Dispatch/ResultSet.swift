// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Puts the geometries that kernels made of the arrays of a set together as a set again: single types where the input
/// had them, points for rows that collapsed to one, collections from their members.
///
/// A row is null when its input was, when the kernel made it null, and, for a collection, when one of its members is.
struct ResultSet {
  private let input: GeometrySet
  private let levels: Int
  private let results: [KernelGeometry?]
  private let wasSingle: [[Bool]?]
  /// For each array, the result rows that belong to a null row of the result.
  private var dead: [[Bool]]

  /// `results`: one an array of `united.set`, nil for an array without rows.
  static func assemble(_ united: UnitedSet, _ results: [KernelGeometry?], levels: Int = 1) -> GeometrySet {
    var assembly = ResultSet(united, results, levels)
    assembly.findDead()
    return assembly.finish()
  }

  private init(_ united: UnitedSet, _ results: [KernelGeometry?], _ levels: Int) {
    input = united.set
    wasSingle = united.wasSingle
    self.results = results
    self.levels = levels
    dead = results.map { result in
      guard let array = result?.array else { return [] }
      return (0..<array.count).map { array.isNull($0) }
    }
  }

  private mutating func findDead() {
    for collection in input.collections {
      for level in 0..<levels {
        let members = collection.geometries
        let isDead = members.contains { dead[$0.array][level * input.arrays[$0.array].count + $0.index] }
        guard isDead else { continue }
        for member in members { dead[member.array][level * input.arrays[member.array].count + member.index] = true }
      }
    }
  }

  private func finish() -> GeometrySet {
    var arrays: [GeometryArray] = []
    var homes: [[GeometrySet.Place]] = []
    for (number, result) in results.enumerated() {
      if let result {
        homes.append(place(result, number, &arrays))
      } else {
        homes.append([])
      }
    }
    // One array that came back row for row needs no map.
    if input.places == nil, levels == 1, arrays.count == 1, arrays[0].count == input.count {
      return GeometrySet(arrays[0])
    }
    return assemble(arrays, homes)
  }

  /// Adds the arrays that one result is made of, and says where each of its rows went.
  private func place(
    _ result: KernelGeometry, _ number: Int, _ arrays: inout [GeometryArray]
  ) -> [GeometrySet.Place] {
    let shares = sort(result, number)
    var homes = [GeometrySet.Place](repeating: .null, count: result.array.count)
    func add(_ array: GeometryArray, _ rows: [Int]) {
      for (index, row) in rows.enumerated() { homes[row] = .geometry(array: arrays.count, index: index) }
      if !rows.isEmpty { arrays.append(array) }
    }
    if shares.asIs.count == result.array.count {
      add(result.array, shares.asIs)
    } else {
      add(ArrayAssembler.gather(result.array, shares.asIs), shares.asIs)
      add(demoted(result.array, shares.demoted), shares.demoted)
      add(points(result, shares.points), shares.points)
    }
    return homes
  }

  private struct Shares {
    var asIs: [Int] = []
    var demoted: [Int] = []
    var points: [Int] = []
  }

  private func sort(_ result: KernelGeometry, _ number: Int) -> Shares {
    var shares = Shares()
    let array = result.array
    let rows = input.arrays[number].count
    let isMulti = array.type == array.type.multi
    // A wrapped array keeps its null rows in place, so that its result is an array row for row.
    let keepsNulls = input.places == nil
    for row in 0..<array.count {
      let wantsSingle = wasSingle[number].map { $0[row % rows] } ?? (input.arrays[number].type != array.type)
      if dead[number][row] && !keepsNulls { continue }
      if isPoint(result, row) {
        shares.points.append(row)
      } else if isMulti && wantsSingle && array.span(row).count <= 1 {
        shares.demoted.append(row)
      } else {
        shares.asIs.append(row)
      }
    }
    return shares
  }

  private func isPoint(_ result: KernelGeometry, _ row: Int) -> Bool {
    2 * row + 1 < result.points.count && !(result.points[2 * row].isNaN && result.points[2 * row + 1].isNaN)
  }

  /// The rows as their single type. When these are all rows, the coordinates are taken over and not copied.
  private func demoted(_ array: GeometryArray, _ rows: [Int]) -> GeometryArray {
    if rows.count == array.count, let same = array.withoutPartLevel() { return same }
    return ArrayAssembler.gather(array, rows, as: array.type.single)
  }

  private func points(_ result: KernelGeometry, _ rows: [Int]) -> GeometryArray {
    let ordinates = [Buffer(), Buffer()]
    for row in rows {
      ordinates[0].append(result.points[2 * row])
      ordinates[1].append(result.points[2 * row + 1])
    }
    return GeometryArray(
      type: .point, dimensions: .xy, count: rows.count, offsets: [], ordinates: ordinates, model: result.array.model)
  }

  private func assemble(_ arrays: [GeometryArray], _ homes: [[GeometrySet.Place]]) -> GeometrySet {
    var places: [GeometrySet.Place] = []
    var collections: [GeometrySet.Collection] = []
    func home(_ array: Int, _ index: Int, _ level: Int) -> GeometrySet.Place {
      homes[array][level * input.arrays[array].count + index]
    }
    for level in 0..<levels {
      for row in 0..<input.count {
        switch input.place(ofRow: row) {
        case .null: places.append(.null)
        case .geometry(let array, let index): places.append(home(array, index, level))
        case .collection(let number):
          let old = input.collections[number]
          guard let tokens = moved(old.tokens, { home($0, $1, level) }) else {
            places.append(.null)
            continue
          }
          places.append(.collection(index: collections.count))
          collections.append(
            GeometrySet.Collection(row: level * input.count + row, dimensions: old.dimensions, tokens: tokens))
        }
      }
    }
    return GeometrySet(arrays: arrays, places: places, collections: collections, model: input.model)
  }

  /// The tokens with every geometry at its new place; nil when one of them is null.
  private func moved(
    _ tokens: [GeometrySet.Token], _ home: (Int, Int) -> GeometrySet.Place
  ) -> [GeometrySet.Token]? {
    var moved: [GeometrySet.Token] = []
    for token in tokens {
      guard case .geometry(let array, let index) = token else {
        moved.append(token)
        continue
      }
      guard case .geometry(let newArray, let newIndex) = home(array, index) else { return nil }
      moved.append(.geometry(array: newArray, index: newIndex))
    }
    return moved
  }
}

extension GeometryArray {
  /// The same coordinates as an array of the single type, for a multi array whose rows have at most one part each; nil
  /// for points, where an empty row needs a coordinate of its own.
  func withoutPartLevel() -> GeometryArray? {
    let source = geoms
    guard type == type.multi, type != .multiPoint, source.first == 0, source.offset_bits == 64 else { return nil }
    let outer = Buffer()
    for row in 0...count { outer.append(Int64(offset(1, offset(0, row)))) }
    var single = source
    single.type = type.single.rawValue
    single.n_offsets -= 1
    single.offsets = (UnsafeRawPointer(outer.pointer), source.offsets.2, nil)
    return GeometryArray(borrowing: single, model: model, owned: [outer], owner: self)
  }
}
