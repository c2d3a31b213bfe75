// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Rows of any type, nulls and collections among them: what readers make, what the host takes and gives back.
///
/// The rows lie in arrays of one type and one dimension each, with a map from array to set, so kernels see long runs of
/// one type whatever the order of the rows. A collection is taken apart: its members are geometries of the arrays, and
/// a small token list says how to put it together. Immutable; safe from any thread.
public final class GeometrySet: Sendable {
  /// Where a row's geometry is.
  public enum Place: Equatable, Sendable {
    case null
    /// Geometry `index` of array `array`. It may still be null by the array's validity bits when the array was wrapped.
    case geometry(array: Int, index: Int)
    /// Collection number `index` of `collections`.
    case collection(index: Int)
  }

  /// How a collection is put together, in document order.
  public enum Token: Equatable, Sendable {
    case begin
    case end
    case geometry(array: Int, index: Int)
  }

  public struct Collection: Sendable {
    public let row: Int
    public let dimensions: Dimensions
    /// The collection's own `begin` and `end` are left out; nested ones have theirs.
    public let tokens: [Token]

    package init(row: Int, dimensions: Dimensions, tokens: [Token]) {
      (self.row, self.dimensions, self.tokens) = (row, dimensions, tokens)
    }
  }

  /// Rows.
  public let count: Int
  public let arrays: [GeometryArray]
  /// For each array the row of each of its geometries, or nil where geometry i is row i of the set.
  public let rows: [[Int]?]
  /// For each array the number of each geometry inside its collection (depth first), -1 outside; nil = no collections.
  public let members: [[Int]?]
  public let places: [Place]?
  public let collections: [Collection]
  public let model: GeometryModel
  /// One array without nulls whose geometry i is row i: what a kernel writes for it is what the rows have.
  let isOneFullArray: Bool

  /// One array, row i = geometry i.
  public init(_ array: GeometryArray) {
    count = array.count
    arrays = [array]
    rows = [nil]
    members = [nil]
    places = nil
    collections = []
    model = array.model
    isOneFullArray = array.geoms.validity == nil
  }

  /// From arrays and the place of each row. `rows` and `members` follow from the places and the tokens.
  public init(arrays: [GeometryArray], places: [Place], collections: [Collection], model: GeometryModel) {
    count = places.count
    self.arrays = arrays
    self.places = places
    self.collections = collections
    self.model = model
    var rows: [[Int]?] = arrays.map { .some([Int](repeating: -1, count: $0.count)) }
    var members: [[Int]?] = arrays.map { collections.isEmpty ? nil : [Int](repeating: -1, count: $0.count) }
    for (row, place) in places.enumerated() {
      switch place {
      case .null: break
      case .geometry(let array, let index): rows[array]?[index] = row
      case .collection(let number):
        var member = 0
        for case .geometry(let array, let index) in collections[number].tokens {
          rows[array]?[index] = row
          members[array]?[index] = member
          member += 1
        }
      }
    }
    isOneFullArray =
      arrays.count == 1 && collections.isEmpty && arrays[0].count == places.count && arrays[0].geoms.validity == nil
      && rows[0]?.indices.allSatisfy { rows[0]?[$0] == $0 } == true
    self.rows = rows
    self.members = members
  }

  /// Calls `body` with each geometry of an array that is a row by itself and not null, and with that row.
  ///
  /// Asking the set row by row takes longer than many a kernel takes for the row.
  @inline(__always)
  func eachRow(ofArray number: Int, _ body: (_ index: Int, _ row: Int) -> Void) {
    if isOneFullArray {
      for row in 0..<count { body(row, row) }
      return
    }
    let (array, rows, members) = (arrays[number], rows[number], members[number])
    let mayBeNull = array.geoms.validity != nil
    for index in 0..<array.count {
      if mayBeNull && array.isNull(index) { continue }
      if let members, members[index] >= 0 { continue }
      let row = rows?[index] ?? index
      if row >= 0 { body(index, row) }
    }
  }

  public func place(ofRow row: Int) -> Place {
    if let places { return places[row] }
    return arrays[0].isNull(row) ? .null : .geometry(array: 0, index: row)
  }

  /// The type of a row, nil for null.
  public func type(ofRow row: Int) -> GeometryType? {
    switch place(ofRow: row) {
    case .null: nil
    case .geometry(let array, let index): arrays[array].isNull(index) ? nil : arrays[array].type
    case .collection: .collection
    }
  }
}
