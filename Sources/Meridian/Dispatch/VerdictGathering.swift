// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Brings verdicts and problems of a set's arrays to the rows of the set.
final class VerdictGathering: @unchecked Sendable {
  let statuses: [ItemColumn]
  private let set: GeometrySet
  private let verdicts: [VerdictColumn]
  private let records = ProblemRecords()
  /// Beside the records: the member of a collection that each is about, -1 outside of one.
  private var members: [Int64] = []

  init(_ set: GeometrySet) {
    self.set = set
    statuses = ItemColumn.statuses(of: set)
    verdicts = set.arrays.map { VerdictColumn($0.count) }
  }

  /// Runs `check` over the chunks of array `number`.
  func check(
    _ job: KernelJob, _ number: Int, _ operation: Operation, _ options: mrd_validate_options
  ) throws(MeridianError) -> [(rows: Range<Int>, records: ProblemRecords)] {
    let array = set.arrays[number]
    let (statuses, verdicts) = (self.statuses[number].column, self.verdicts[number].column)
    guard let check = job.choice.plugin.validate?.pointee.check else {
      throw MeridianError(.unsupported, "\(job.choice.plugin.id) does not offer \(operation.fullName)")
    }
    let model = job.state.run.model
    return try job.perform(
      prepare: { rows, context throws(MeridianError) in
        try context.lendStatuses(statuses, rows)
        context.problemsOut.verdicts = try context.lend(verdicts, rows)?.assumingMemoryBound(to: UInt8.self)
      },
      enter: { rows, context in
        array.withGeoms(rows, model: model) { geoms in
          var options = options
          return check(operation.number, geoms, &options, &context.problemsOut, context.call)
        }
      },
      collect: { rows, context throws(MeridianError) in
        (rows, try context.takeProblems(context.problemsOut, rows: rows.count))
      })
  }

  /// Takes the problems of an array's chunks, in their order, to the rows of the set.
  func add(_ chunks: [(rows: Range<Int>, records: ProblemRecords)], of array: Int) {
    for chunk in chunks {
      for var record in chunk.records.records {
        let index = chunk.rows.lowerBound + Int(record.row)
        let member = set.member(ofArray: array, index)
        record.row = Int64(set.row(ofArray: array, index))
        if let member { record.part = Int64(member) }
        locateOther(&record, array, index, firstRow: chunk.rows.lowerBound)
        members.append(Int64(member ?? -1))
        records.append(record, textIn: chunk.records.text)
      }
    }
  }

  /// The second party: another row of the array, or the row itself when the kernel names only its parts.
  private func locateOther(_ record: inout mrd_problem, _ array: Int, _ index: Int, firstRow: Int) {
    var other = index
    if record.other_row >= 0 {
      guard record.other_row < Int64(set.arrays[array].count - firstRow) else {
        record.other_row = -1
        return
      }
      other = firstRow + Int(record.other_row)
      record.other_row = Int64(set.row(ofArray: array, other))
    }
    let isNamed = record.other_row >= 0 || record.other_part >= 0
    if isNamed, let member = set.member(ofArray: array, other) { record.other_part = Int64(member) }
  }

  func sortedRecords() -> ProblemRecords {
    // One array that is the set row for row is in order already.
    if set.places != nil { records.sort(byRowAnd: members) }
    return records
  }

  func joinedVerdicts() -> [UInt8] {
    var joined = [UInt8](repeating: unknownVerdict, count: set.count)
    for number in set.arrays.indices {
      let column = verdicts[number]
      set.eachRow(ofArray: number) { joined[$1] = column[$0] }
    }
    for collection in set.collections {
      joined[collection.row] = Self.joined(collection.geometries.map { verdict($0.array, $0.index) })
    }
    return joined
  }

  private static func joined(_ members: [UInt8]) -> UInt8 {
    if members.contains(UInt8(MRD_VERDICT_INVALID)) { return UInt8(MRD_VERDICT_INVALID) }
    return members.contains(unknownVerdict) ? unknownVerdict : UInt8(MRD_VERDICT_VALID)
  }

  private func verdict(_ array: Int, _ index: Int) -> UInt8 {
    set.arrays[array].isNull(index) ? unknownVerdict : verdicts[array][index]
  }
}

private let unknownVerdict = UInt8(MRD_VERDICT_UNKNOWN)

/// Verdicts of one array, UNKNOWN until a kernel judges.
final class VerdictColumn: @unchecked Sendable {
  private let values: UnsafeMutableBufferPointer<UInt8>
  init(_ count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: UInt8(MRD_VERDICT_UNKNOWN))
  }
  deinit { values.deallocate() }

  var column: FixedColumn { FixedColumn(values.baseAddress) }
  /// Numbers that name no verdict are UNKNOWN.
  subscript(index: Int) -> UInt8 { min(values[index], unknownVerdict) }
}

/// Repair reports of one array.
final class ReportColumn: @unchecked Sendable {
  private let values: UnsafeMutableBufferPointer<mrd_repair_report>
  init(_ count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: mrd_repair_report())
  }
  deinit { values.deallocate() }

  var column: FixedColumn { FixedColumn(values.baseAddress) }

  /// The report of a row: of a collection the sums, REPAIRED unless all members came out alike.
  static func joined(_ columns: [ReportColumn], _ set: GeometrySet, _ row: Int) -> mrd_repair_report {
    let reports = (set.geometries(ofRow: row) ?? []).map { columns[$0.array].values[$0.index] }
    guard var whole = reports.first else { return mrd_repair_report() }
    for report in reports.dropFirst() {
      if report.outcome != whole.outcome { whole.outcome = MRD_REPAIR_REPAIRED }
      whole.area_before += report.area_before
      whole.area_after += report.area_after
      whole.vertices_added &+= report.vertices_added
      whole.vertices_dropped &+= report.vertices_dropped
      whole.parts_before &+= report.parts_before
      whole.parts_after &+= report.parts_after
      whole.collapsed &+= report.collapsed
    }
    return whole
  }
}
