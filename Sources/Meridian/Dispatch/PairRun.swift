// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Rows of two sets that meet, by the pair of arrays they lie in: what operations on row i and row i are run over.
struct PairPlan {
  /// Geometries of one array of `a` with geometries of one array of `b`, side by side.
  struct Group {
    let a: Int
    let b: Int
    var aRows: [Int] = []
    var bRows: [Int] = []
    /// The row of the set that each pair belongs to.
    var rows: [Int] = []
  }

  /// Pairs of members that are looked at for one row.
  static let pairLimit = 65_536

  private(set) var groups: [Group] = []
  /// Status of the rows that no pair stands for, `ok` elsewhere.
  private(set) var statuses: [RowStatus]
  private let broadcast: Bool

  /// `joinsMembers`: a collection takes part with each of its members; else such rows are UNSUPPORTED.
  init(_ a: GeometrySet, _ b: GeometrySet, broadcast: Bool, joinsMembers: Bool) {
    self.broadcast = broadcast
    statuses = [RowStatus](repeating: .ok, count: a.count)
    for row in 0..<a.count {
      let left = a.geometries(ofRow: row)
      let right = b.geometries(ofRow: broadcast ? 0 : row)
      guard let left, let right else {
        statuses[row] = .null
        continue
      }
      let isSimple = !a.isCollection(row) && !b.isCollection(broadcast ? 0 : row)
      let pairs = left.count.multipliedReportingOverflow(by: right.count)
      if !isSimple && (!joinsMembers || pairs.overflow || pairs.partialValue > Self.pairLimit) {
        statuses[row] = .unsupported
      } else if left.isEmpty || right.isEmpty {
        statuses[row] = .empty
      } else {
        for one in left { for other in right { add(one, other, row) } }
      }
    }
  }

  private mutating func add(_ one: (array: Int, index: Int), _ other: (array: Int, index: Int), _ row: Int) {
    let at: Int
    if let found = groups.firstIndex(where: { $0.a == one.array && $0.b == other.array }) {
      at = found
    } else {
      groups.append(Group(a: one.array, b: other.array))
      at = groups.count - 1
    }
    groups[at].aRows.append(one.index)
    groups[at].bRows.append(other.index)
    groups[at].rows.append(row)
  }
}

extension GeometrySet {
  func isCollection(_ row: Int) -> Bool {
    if case .collection = place(ofRow: row) { return true }
    return false
  }

  /// The geometries of a row, a collection's depth first; nil for null.
  func geometries(ofRow row: Int) -> [(array: Int, index: Int)]? {
    switch place(ofRow: row) {
    case .null: nil
    case .geometry(let array, let index): arrays[array].isNull(index) ? nil : [(array, index)]
    case .collection(let number): collections[number].geometries
    }
  }
}

extension GeometryArray {
  /// The rows as an array: itself when they are all of it in order, else a copy.
  func rearranged(_ rows: [Int]) -> GeometryArray {
    if rows.count == count && rows.indices.allSatisfy({ rows[$0] == $0 }) { return self }
    return ArrayAssembler.gather(self, rows)
  }
}

extension Host {
  /// INVERSE, DISTANCE, CLOSEST over the ABI's own options. `statuses`: [rows], may be nil.
  func measurePair(
    _ operation: Operation, _ a: GeometrySet, _ b: GeometrySet, _ options: mrd_measure_options,
    _ columns: MeasureColumnsOut, _ statuses: UnsafeMutablePointer<Int32>?, _ run: Run
  ) throws(MeridianError) -> Answers {
    try a.checkLayout()
    try b.checkLayout()
    let broadcast = options.flags & MRD_MEASURE_BROADCAST_B != 0
    guard b.count == (broadcast ? 1 : a.count) else {
      throw MeridianError(.argument, "\(operation.fullName): \(a.count) rows against \(b.count)")
    }
    let state = RunState(self, run, work: a.weight)
    var answers = Answers()
    if a.isOneFullArray, b.isOneFullArray {
      let spare = statuses == nil ? ItemColumn(a.count) : nil
      defer { withExtendedLifetime(spare) {} }
      try a.locating(0) { () throws(MeridianError) in
        try measure(
          operation, a.arrays[0], b.arrays[0], isBroadcast: broadcast, options, columns,
          FixedColumn(statuses ?? spare?.pointer), state, &answers)
      }
      state.progress?.finish()
      return answers
    }
    let plan = PairPlan(
      a, b, broadcast: broadcast, joinsMembers: operation.number == MRD_MEASURE_DISTANCE)
    var found = [RowStatus?](repeating: nil, count: a.count)
    for row in 0..<a.count where plan.statuses[row] != .ok {
      found[row] = plan.statuses[row]
      columns.set(row, .nan)
    }
    // Pairs come by row, so a least value is found by comparing with what the row holds.
    for group in plan.groups {
      let part = try measure(operation, a, b, group, options, columns, state, &answers)
      for (index, row) in group.rows.enumerated() {
        let status = RowStatus(rawValue: part.statuses[index])
        let values = part.columns.columns.map { $0[index] }
        guard Self.replaces(status, values, found[row], columns, row) else { continue }
        found[row] = status
        for (column, value) in zip(columns.values, values) { column?[row] = value }
      }
    }
    for row in 0..<a.count { statuses?[row] = (found[row] ?? .null).rawValue }
    state.progress?.finish()
    return answers
  }

  /// True when the value of one more pair of members takes the place of what its row has: an error before all, an
  /// answer before EMPTY, the smaller distance.
  private static func replaces(
    _ status: RowStatus, _ values: [Double], _ before: RowStatus?, _ columns: MeasureColumnsOut, _ row: Int
  ) -> Bool {
    guard let before else { return true }
    let (isError, wasError) = (status.code != .ok && status.code != .empty, before.code != .ok && before.code != .empty)
    if isError || wasError { return isError && !wasError }
    if status.code == .empty || before.code == .empty { return before.code == .empty && status.code != .empty }
    guard let distance = values.first, let least = columns.values.first??[row] else { return false }
    return distance < least
  }

  private func measure(
    _ operation: Operation, _ a: GeometrySet, _ b: GeometrySet, _ group: PairPlan.Group, _ options: mrd_measure_options,
    _ wanted: MeasureColumnsOut, _ state: RunState, _ answers: inout Answers
  ) throws(MeridianError) -> (columns: DoubleColumns, statuses: ItemColumn) {
    let left = a.arrays[group.a].rearranged(group.aRows)
    let isBroadcast = options.flags & MRD_MEASURE_BROADCAST_B != 0 && group.bRows.allSatisfy { $0 == group.bRows[0] }
    let right =
      isBroadcast
      ? ArrayAssembler.gather(b.arrays[group.b], [group.bRows[0]]) : b.arrays[group.b].rearranged(group.bRows)
    let columns = DoubleColumns(wanted.values.count, rows: left.count)
    let statuses = ItemColumn(left.count)
    do throws(MeridianError) {
      try measure(
        operation, left, right, isBroadcast: isBroadcast, options, columns.out, statuses.column, state, &answers)
    } catch {
      var located = error
      if let row = error.row { located.row = row < group.rows.count ? group.rows[row] : nil }
      throw located
    }
    return (columns, statuses)
  }

  /// Geometry i of one array with geometry i of another, or with its only one.
  private func measure(
    _ operation: Operation, _ left: GeometryArray, _ right: GeometryArray, isBroadcast: Bool,
    _ options: mrd_measure_options, _ columns: MeasureColumnsOut, _ statuses: FixedColumn, _ state: RunState,
    _ answers: inout Answers
  ) throws(MeridianError) {
    let choice = try state.choose(operation, state.shape(of: left))
    answers.add(operation, choice, type: left.type)
    let job = MeasureJob(
      state: state, operation: operation, choice: choice, array: left, columns: columns, statuses: statuses)
    let model = state.run.model
    try job.perform { table, rows, geoms, out, call in
      guard let pair = table.pair else { return MRD_E_UNSUPPORTED }
      var options = options
      if !isBroadcast { options.flags &= ~MRD_MEASURE_BROADCAST_B }
      return right.withGeoms(isBroadcast ? nil : rows, model: model) { other in
        pair(operation.number, geoms, other, &options, out, call)
      }
    }
  }
}
