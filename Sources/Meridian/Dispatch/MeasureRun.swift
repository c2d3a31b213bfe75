// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The columns of a measure in the caller's memory, one value a row of the set; nil = not wanted.
struct MeasureColumnsOut: @unchecked Sendable {
  var values: [UnsafeMutablePointer<Double>?]

  func set(_ row: Int, _ value: Double) {
    for column in values { column?[row] = value }
  }
}

/// Columns of doubles that the host holds, NaN until a kernel fills them.
final class DoubleColumns: @unchecked Sendable {
  let columns: [UnsafeMutableBufferPointer<Double>]

  init(_ count: Int, rows: Int) {
    columns = (0..<count).map { _ in
      let column = UnsafeMutableBufferPointer<Double>.allocateForFilling(rows)
      column.initialize(repeating: .nan)
      return column
    }
  }
  deinit { for column in columns { column.deallocate() } }

  /// The columns as the memory that kernels fill: valid while this object lives.
  var out: MeasureColumnsOut { MeasureColumnsOut(values: columns.map { $0.baseAddress }) }

  /// Copies of the columns.
  var arrays: [[Double]] { withExtendedLifetime(self) { columns.map { $0.copied { $0 } } } }
}

/// Options that a call gives a value for each row of the set, such as the place along a line.
struct RowValues: @unchecked Sendable {
  let values: UnsafePointer<Double>

  /// Values in the order of an array's geometries; the caller's own memory when that is the order of the rows.
  func ordered(for array: Int, of set: GeometrySet) -> [Double]? {
    guard let rows = set.rows[array] else { return nil }
    return rows.map { $0 >= 0 ? values[$0] : .nan }
  }
}

/// Calls one of the functions of `mrd_family_measure` for some rows of one array.
typealias MeasureEnter = (
  _ table: mrd_family_measure, _ rows: Range<Int>, _ geoms: UnsafePointer<mrd_geoms>,
  _ columns: UnsafePointer<mrd_columns>, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status

/// One measure of one array.
struct MeasureJob {
  let state: RunState
  let operation: Operation
  let choice: Choice
  let array: GeometryArray
  let columns: MeasureColumnsOut
  let statuses: FixedColumn

  func perform(_ enter: @escaping MeasureEnter) throws(MeridianError) {
    guard let table = choice.plugin.measure?.pointee else {
      throw MeridianError(.internalError, "\(choice.plugin.id) has no measure family")
    }
    let this = self
    let width = columns.values.count
    _ = try KernelJob(state, operation, choice, array).perform(
      prepare: { rows, context throws(MeridianError) in
        try context.lendStatuses(this.statuses, rows)
        for column in this.columns.values {
          let lent = try context.lend(FixedColumn(column), rows)
          context.columns.append(lent?.assumingMemoryBound(to: Double.self))
        }
      },
      enter: { rows, context in
        this.array.withGeoms(rows, model: this.state.run.model) { geoms in
          context.columns.withUnsafeBufferPointer { values in
            var out = mrd_columns()
            out.struct_size = UInt32(MemoryLayout<mrd_columns>.size)
            out.count = UInt32(width)
            out.length = Int64(rows.count)
            out.values = values.baseAddress
            return enter(table, rows, geoms, &out, context.call)
          }
        }
      },
      collect: { _, _ throws(MeridianError) in () })
  }
}

/// How the values of a collection follow from those of its members.
enum MemberFold {
  /// Sum over the members.
  case sum
  /// The box that holds all boxes; on the globe the shortest interval of longitudes.
  case bounds(planar: Bool)
  /// The value of the only member that is not empty; several have no common value (UNSUPPORTED).
  case only

  static func of(_ operation: Operation, _ model: GeometryModel) -> MemberFold {
    switch operation.number {
    case MRD_MEASURE_BOUNDS: .bounds(planar: model.edges == MRD_EDGES_PLANAR)
    case MRD_MEASURE_CENTROID, MRD_MEASURE_INTERPOLATE: .only
    default: .sum
    }
  }

  /// `members`: the values and the status of each.
  func fold(_ members: [(values: [Double], status: RowStatus)], width: Int) -> (values: [Double], status: RowStatus) {
    let absent = [Double](repeating: .nan, count: width)
    let status = RowStatus.joined(members.map { $0.status })
    guard status.code == .ok || status.code == .empty else { return (absent, status) }
    let present = members.filter { $0.status.code == .ok }
    switch self {
    case .sum:
      var sums = [Double](repeating: 0, count: width)
      for member in present { for column in 0..<width { sums[column] += member.values[column] } }
      return (sums, status)
    case .bounds(let planar):
      return (Self.union(present.map { $0.values }, planar: planar) ?? absent, status)
    case .only:
      guard present.count > 1 else { return (present.first?.values ?? absent, status) }
      return (absent, RowStatus(rawValue: RowStatus.unsupported.rawValue | status.warnings.rawValue))
    }
  }

  private static func union(_ boxes: [[Double]], planar: Bool) -> [Double]? {
    guard var box = boxes.first, box.count == 4 else { return nil }
    for other in boxes.dropFirst() {
      box[0] = min(box[0], other[0])
      box[1] = min(box[1], other[1])
      box[2] = max(box[2], other[2])
      box[3] = max(box[3], other[3])
    }
    if !planar {
      let interval = Longitudes.union(boxes.map { ($0[0], $0[2]) })
      box[0] = interval.west
      box[2] = interval.east
    }
    return box
  }
}

/// Intervals of longitude in [-180, 180]; west > east crosses the antimeridian.
enum Longitudes {
  /// The complement of the widest gap between the intervals; ties to the westmost gap; no gap = the whole circle.
  static func union(_ intervals: [(west: Double, east: Double)]) -> (west: Double, east: Double) {
    // Unrolled: an interval over the antimeridian is two.
    var flat: [(west: Double, east: Double)] = []
    for interval in intervals {
      if interval.west <= interval.east {
        flat.append(interval)
      } else {
        flat.append((interval.west, 180))
        flat.append((-180, interval.east))
      }
    }
    flat.sort { $0.west < $1.west }
    guard let first = flat.first, let last = flat.map({ $0.east }).max() else { return (-180, 180) }
    // The gap that spans the antimeridian, then those between the intervals.
    var widest = (width: first.west + 360 - last, west: last, east: first.west)
    var reach = first.east
    for interval in flat.dropFirst() {
      let width = interval.west - reach
      if width > widest.width || (width == widest.width && width > 0 && reach < widest.west) {
        widest = (width, reach, interval.west)
      }
      reach = max(reach, interval.east)
    }
    return widest.width > 0 ? (widest.east, widest.west) : (-180, 180)
  }
}
