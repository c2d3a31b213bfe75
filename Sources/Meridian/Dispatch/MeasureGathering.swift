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
      set.rows[number] == nil || set.isOneFullArray
        ? nil : DoubleColumns(target.values.count, rows: set.arrays[number].count)
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
    var isAnswered = [Bool](repeating: false, count: set.count)
    for number in set.arrays.indices { finishRows(of: number, &isAnswered) }
    for collection in set.collections {
      isAnswered[collection.row] = true
      finish(collection, fold)
    }
    for row in 0..<set.count where !isAnswered[row] {
      target.set(row, .nan)
      targetStatuses?[row] = RowStatus.null.rawValue
    }
  }

  private func finishRows(of number: Int, _ isAnswered: inout [Bool]) {
    let own = statuses[number]
    let carried = zip(target.values, parts[number]?.columns ?? []).compactMap { (to, from) in to.map { ($0, from) } }
    set.eachRow(ofArray: number) { index, row in
      for (to, from) in carried { to[row] = from[index] }
      targetStatuses?[row] = own[index]
      isAnswered[row] = true
    }
  }

  private func finish(_ collection: GeometrySet.Collection, _ fold: MemberFold) {
    let members = collection.geometries.map {
      (values: values($0.array, $0.index), status: set.status(statuses, $0.array, $0.index))
    }
    let whole = fold.fold(members, width: target.values.count)
    for (column, value) in zip(target.values, whole.values) { column?[collection.row] = value }
    targetStatuses?[collection.row] = whole.status.rawValue
  }

  private func values(_ array: Int, _ index: Int) -> [Double] {
    parts[array]?.columns.map { $0[index] } ?? []
  }
}

extension GeometrySet {
  /// Runs `body` for an array; its error comes out with the row of the set.
  func locating<R>(_ array: Int, _ body: () throws(MeridianError) -> R) throws(MeridianError) -> R {
    do throws(MeridianError) { return try body() } catch { throw located(error, inArray: array) }
  }
}
