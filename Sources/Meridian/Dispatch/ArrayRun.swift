// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What operations that make one geometry of each row have in common: every array of a set is run, its results are
/// joined in order, and what stands beside them is gathered by row of the set.
struct GeometryRun {
  let operation: Operation
  /// Dialect or rule for the choice of a kernel.
  var dialect: Int32?
  /// `MRD_TOLERANCE_*`, for the choice of a kernel that simplifies.
  var toleranceUnit: Int32?
  var levels = 1
  var mayBeMulti = false
  var wantsKept = false
  /// Rows are judged against each other: arrays are united and never cut.
  var isWhole = false
  /// True where a `MRD_SIMPLIFY_TO_POINT` outcome brings its point in MRD_BUF_VALUES.
  var bringsPoints = false
  /// One column of fixed-width records an array, or none.
  var records: [FixedColumn] = []

  /// One chunk's call: the array, its rows, where row statuses and outcomes go are prepared in the context.
  typealias Enter = (
    _ kernel: LoadedPlugin, _ array: Int, _ rows: Range<Int>, _ geoms: UnsafePointer<mrd_geoms>,
    _ out: UnsafeMutablePointer<mrd_geoms_out>, _ outcomes: UnsafeMutablePointer<Int32>?, _ context: CallContext
  ) -> mrd_status

  /// Runs every array of `united`; nil stands for an array without rows.
  func perform(
    _ state: RunState, _ united: UnitedSet, outcomes wantsOutcomes: Bool, answers: inout Answers,
    statuses: [ItemColumn], _ enter: @escaping Enter
  ) throws(MeridianError) -> [KernelGeometry?] {
    var results: [KernelGeometry?] = []
    for (number, array) in united.set.arrays.enumerated() {
      guard array.count > 0 else {
        results.append(nil)
        continue
      }
      var shape = state.shape(of: array, dialect: dialect)
      shape.toleranceUnit = toleranceUnit
      if wantsKept { shape.abilities |= MRD_OP_KEPT_VERTICES }
      let choice = try state.choose(operation, shape)
      answers.add(operation, choice, type: array.type)
      do throws(MeridianError) {
        results.append(
          try performArray(state, array, number, choice, wantsOutcomes, statuses[number].column, enter))
      } catch {
        throw united.set.located(error, inArray: number)
      }
    }
    return results
  }

  private func performArray(
    _ state: RunState, _ array: GeometryArray, _ number: Int, _ choice: Choice, _ wantsOutcomes: Bool,
    _ statuses: FixedColumn, _ enter: @escaping Enter
  ) throws(MeridianError) -> KernelGeometry? {
    let job = KernelJob(state, operation, choice, array, whole: isWhole)
    let this = self
    let model = state.run.model
    let chunks = try job.perform(
      prepare: { rows, context throws(MeridianError) in
        try context.lendStatuses(statuses, rows)
        if number < this.records.count { context.records = try context.lend(this.records[number], rows) }
        if wantsOutcomes { try context.lendOutcomes(rows.count * this.levels) }
      },
      enter: { rows, context in
        array.withGeoms(rows, model: model) { geoms in
          enter(choice.plugin, number, rows, geoms, context.geometryOut, context.outcomes, context)
        }
      },
      collect: { rows, context throws(MeridianError) in try this.collect(array, rows, context) })
    return KernelGeometry.joined(chunks, levels: levels)
  }

  private func collect(
    _ array: GeometryArray, _ rows: Range<Int>, _ context: CallContext
  ) throws(MeridianError) -> KernelGeometry {
    let promise = GeometryPromise(
      operation: operation, rows: rows.count, levels: levels, input: array.type, mayBeMulti: mayBeMulti,
      dimensions: array.dimensions)
    let made = try context.takeGeometry(context.geometryOut.pointee, promise, model: array.model)
    var result = KernelGeometry(array: made, outcomes: context.takeOutcomes())
    if wantsKept {
      let ids = try context.takeValues(MRD_BUF_IDS, count: made.coordinateCount, Int64.self)
      guard ids.allSatisfy({ $0 >= 0 && $0 < Int64(array.coordinateCount) }) else {
        throw context.fault("a kept vertex is no coordinate of the input")
      }
      result.kept = ids
    }
    if bringsPoints && result.outcomes.contains(MRD_SIMPLIFY_TO_POINT) {
      result.points = try context.takeValues(MRD_BUF_VALUES, count: 2 * made.count, Double.self)
      for (row, outcome) in result.outcomes.enumerated() where outcome != MRD_SIMPLIFY_TO_POINT {
        result.points[2 * row] = .nan
        result.points[2 * row + 1] = .nan
      }
    }
    return result
  }
}

/// A column of fixed-width items of one array, and the way back to the rows of the set.
final class ItemColumn: @unchecked Sendable {
  private let values: UnsafeMutableBufferPointer<Int32>
  init(_ count: Int) {
    values = .allocateForFilling(count)
    values.initialize(repeating: 0)
  }
  deinit { values.deallocate() }

  var pointer: UnsafeMutablePointer<Int32>? { values.baseAddress }
  var column: FixedColumn { FixedColumn(values.baseAddress) }
  subscript(index: Int) -> Int32 {
    get { values[index] }
    set { values[index] = newValue }
  }

  var statuses: [RowStatus] { withExtendedLifetime(self) { values.copied { RowStatus(rawValue: $0) } } }

  /// One status column an array of a set.
  static func statuses(of set: GeometrySet) -> [ItemColumn] { set.arrays.map { ItemColumn($0.count) } }
}

extension GeometrySet {
  /// The status of each row from those of the arrays' geometries: null rows say NULL; a collection has the first code of
  /// its members that is neither OK nor EMPTY, is EMPTY when all of them are, and has all of their warnings.
  func joinedStatuses(_ columns: [ItemColumn]) -> [RowStatus] {
    var joined = [RowStatus](repeating: .null, count: count)
    for number in arrays.indices {
      let column = columns[number]
      eachRow(ofArray: number) { joined[$1] = RowStatus(rawValue: column[$0]) }
    }
    for collection in collections {
      joined[collection.row] = RowStatus.joined(collection.geometries.map { status(columns, $0.array, $0.index) })
    }
    return joined
  }

  func status(_ columns: [ItemColumn], _ array: Int, _ index: Int) -> RowStatus {
    arrays[array].isNull(index) ? .null : RowStatus(rawValue: columns[array][index])
  }
}

extension RowStatus {
  /// The status of a whole from those of its members; EMPTY without members.
  static func joined(_ members: [RowStatus]) -> RowStatus {
    let warnings = members.reduce(0) { $0 | $1.warnings.rawValue }
    let first = members.first { $0.code != .ok && $0.code != .empty }
    let allEmpty = members.allSatisfy { $0.code == .empty }
    let code = first?.code ?? (allEmpty ? .empty : .ok)
    return RowStatus(rawValue: code.rawValue | warnings)
  }
}
