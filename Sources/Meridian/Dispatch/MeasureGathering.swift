// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Brings the columns of a set's arrays to the rows of the set. Where an array is the set row for row, kernels write to
/// the caller's memory; else to columns of the array, which are carried over at the end.
final class MeasureGathering {
  private let set: GeometrySet
  private let target: MeasureColumnsOut
  private let targetStatuses: UnsafeMutablePointer<Int32>?
  private let statuses: [ItemColumn]
  /// nil where the array writes to the target.
  private var parts: [DoubleColumns?]

  init(_ set: GeometrySet, _ target: MeasureColumnsOut, _ statuses: UnsafeMutablePointer<Int32>?) {
    self.set = set
    self.target = target
    targetStatuses = statuses
    self.statuses = ItemColumn.statuses(of: set)
    parts = set.arrays.indices.map { number in
      set.rows[number] == nil ? nil : DoubleColumns(target.values.count, rows: set.arrays[number].count)
    }
  }

  func job(_ state: RunState, _ operation: Operation, _ choice: Choice, _ number: Int) -> MeasureJob {
    MeasureJob(
      state: state, operation: operation, choice: choice, array: set.arrays[number], columns: columns(number),
      statuses: statuses[number].column)
  }

  /// What an array is measured into: only the columns that the caller wants.
  private func columns(_ number: Int) -> MeasureColumnsOut {
    guard let part = parts[number] else { return target }
    let wanted = zip(target.values, part.out.values).map { $0 == nil ? nil : $1 }
    return MeasureColumnsOut(values: wanted)
  }

  func finish(fold: MemberFold) {
    for row in 0..<set.count {
      let status = finishRow(row, fold)
      targetStatuses?[row] = status.rawValue
    }
  }

  private func finishRow(_ row: Int, _ fold: MemberFold) -> RowStatus {
    switch set.place(ofRow: row) {
    case .null:
      target.set(row, .nan)
      return .null
    case .geometry(let array, let index):
      if set.arrays[array].isNull(index) {
        target.set(row, .nan)
        return .null
      }
      if parts[array] != nil { store(values(array, index), row) }
      return RowStatus(rawValue: statuses[array][index])
    case .collection(let number):
      let members = set.collections[number].geometries.map {
        (values: values($0.array, $0.index), status: set.status(statuses, $0.array, $0.index))
      }
      let whole = fold.fold(members, width: target.values.count)
      store(whole.values, row)
      return whole.status
    }
  }

  private func values(_ array: Int, _ index: Int) -> [Double] {
    parts[array]?.columns.map { $0[index] } ?? []
  }

  private func store(_ values: [Double], _ row: Int) {
    for (column, value) in zip(target.values, values) { column?[row] = value }
  }
}

extension GeometrySet {
  /// Runs `body` for an array; its error comes out with the row of the set.
  func locating<R>(_ array: Int, _ body: () throws(MeridianError) -> R) throws(MeridianError) -> R {
    do throws(MeridianError) { return try body() } catch { throw located(error, inArray: array) }
  }
}
