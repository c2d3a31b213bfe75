// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI
import MeridianIO

/// The measures of one row: metres where the data lie on the globe, and the same in coordinate units.
public struct MeasureRow: ReportRow {
  let file: String
  let layer: String?
  let row: Int
  let id: [UInt8]?
  let type: GeometryType?
  /// Length, perimeter, area in metres; NaN = absent.
  let metres: [Double]
  let planar: [Double]
  let vertices: Int?
  let status: String
  /// True where the row lies on the globe, so that values in metres are asked for, whether there are any or not.
  let isOnGlobe: Bool

  public static let columns = [
    "file", "layer", "row", "id", "type", "length_m", "perimeter_m", "area_m2", "length_planar", "perimeter_planar",
    "area_planar", "vertices", "status",
  ]

  public var fields: [Field] {
    let values: [Value] =
      [.text(file), Value(layer), .integer(row), id.map { .json($0) } ?? .null, Value(type?.name)]
      + metres.map { .number($0) } + planar.map { .number($0) }
      + [vertices.map { .integer($0) } ?? .null, .text(status)]
    return zip(Self.columns, values).map { Field($0, $1) }
  }

  public var lines: [String] {
    let shown = isOnGlobe ? metres : planar
    let units = isOnGlobe ? [" m", " m", " m2"] : ["", "", ""]
    var parts: [String] = []
    for (index, name) in ["length", "perimeter", "area"].enumerated() where isTold(index, shown[index]) {
      parts.append("\(name) \(JSONText.numberText(rounded(shown[index])))\(units[index])")
    }
    if let vertices { parts.append("\(vertices) \(vertices == 1 ? "vertex" : "vertices")") }
    if status != "OK" { parts.append(status + (Self.meanings[status].map { " (\($0))" } ?? "")) }
    let place = "\(file):\(layer.map { $0 + ":" } ?? "")\(row): "
    return [place + (type?.name ?? "no geometry") + (parts.isEmpty ? "" : ": ") + parts.joined(separator: ", ")]
  }

  /// What a status means that a person may not guess.
  private static let meanings = [
    "DOMAIN": "a latitude beyond 90 degrees: not longitude and latitude"
  ]

  /// Measures of another dimension are 0 and left out; the area of an area is told even if it is 0.
  private func isTold(_ index: Int, _ value: Double) -> Bool {
    !value.isNaN && (value != 0 || (index == 2 && type?.single == .polygon))
  }

  /// To thousandths, for people.
  private func rounded(_ value: Double) -> Double {
    abs(value) < 1e12 ? (value * 1000).rounded() / 1000 : value
  }
}

/// Measures every row of the inputs.
public struct MeasureJob {
  let context: JobContext
  /// Sums of length, perimeter, area in metres and in coordinate units.
  private var metres = [Sum](repeating: Sum(), count: 3)
  private var planar = [Sum](repeating: Sum(), count: 3)
  private var absent = 0

  public init(_ context: JobContext) { self.context = context }

  public mutating func run(_ inputs: Inputs, report: some Report) throws(JobError) {
    var state = self
    defer { self = state }
    try context.eachBatch(of: inputs, "measuring") { (source, batch) throws(JobError) in
      try state.measure(batch, of: source, report)
    }
    context.setInputTotals(files: inputs.files.count)
    if state.absent > 0 { context.set("without_result", .integer(state.absent)) }
    for (index, name) in ["length_m", "perimeter_m", "area_m2"].enumerated() where state.metres[index].isUsed {
      context.set(name, .number(state.metres[index].value))
    }
    for (index, name) in ["length_planar", "perimeter_planar", "area_planar"].enumerated()
    where state.planar[index].isUsed { context.set(name, .number(state.planar[index].value)) }
  }

  private mutating func measure(
    _ batch: FeatureBatch, of source: Source, _ report: some Report
  ) throws(JobError) {
    let set = batch.geometries
    let model = context.treatment.model(for: source.layer, .measuring)
    if let warning = context.treatment.warning(for: source.layer, of: source.file) { context.messages.warn(warning) }
    var failing: [Int: Fault] = [:]
    let onGlobe = model.metric == MRD_METRIC_COORD ? nil : try columns(batch, model, source, &failing)
    let onPlane = try columns(batch, .planar, source, &failing, isBeside: onGlobe != nil)
    context.tell(failing, of: batch, source)
    let main = onGlobe ?? onPlane
    let unreadable = Set(batch.problems.map(\.row))
    for row in 0..<batch.count {
      let type = set.type(ofRow: row)
      let isUnreadable = type == nil && unreadable.contains(batch.number(ofRow: row))
      let line = MeasureRow(
        file: source.file, layer: source.layer.name, row: batch.number(ofRow: row), id: batch.attributes[row].id,
        type: type, metres: onGlobe?.values(row) ?? Columns.absent, planar: onPlane.values(row),
        vertices: type == nil ? nil : set.vertexCount(ofRow: row),
        status: isUnreadable ? RowName.unreadable : main.status(row), isOnGlobe: onGlobe != nil)
      add(line)
      try report.add(line)
    }
    try report.endBatch(batch, of: source)
  }

  private mutating func add(_ row: MeasureRow) {
    if !row.metres.contains(where: { !$0.isNaN }), !row.planar.contains(where: { !$0.isNaN }) { absent += 1 }
    for index in 0..<3 {
      metres[index].add(row.metres[index])
      planar[index].add(row.planar[index])
    }
  }

  /// Length, perimeter and area by separate operations, so that a rule for one of them (`measure.area=proj`) holds.
  /// - Parameter isBeside: planar values that stand beside those in metres. A rule is about the latter; a kernel that it
  ///   names gives these too where it can, and where it cannot the rule says nothing of them.
  private func columns(
    _ batch: FeatureBatch, _ model: GeometryModel, _ source: Source, _ failing: inout [Int: Fault],
    isBeside: Bool = false
  ) throws(JobError) -> Columns {
    let set = batch.geometries
    var columns = Columns()
    for operation in [MeasureOperation.length, .perimeter, .area] {
      let measured: Measured
      let faults: [Int: Fault]
      do {
        (measured, faults) = try context.measure(operation, set, run: context.run(model))
      } catch  where isBeside && (error.status == .unsupported || error.status == .notFound) {
        (measured, faults) = try hosted(source.file, batch: batch) { () throws(MeridianError) in
          var run = context.run(model)
          run.ignoresRules = true
          return try context.measure(operation, set, run: run)
        }
      } catch {
        throw explained(error, model, source, batch)
      }
      failing.merge(faults) { one, _ in one }
      context.note(measured.answers, model, isBeside: isBeside)
      columns.add(measured)
    }
    return columns
  }

  /// A kernel may have no geodesics: say what else there is. Other errors have nothing to do with edges.
  private func explained(_ error: MeridianError, _ model: GeometryModel, _ source: Source, _ batch: FeatureBatch)
    -> JobError
  {
    guard model.edges == MRD_EDGES_GEODESIC, error.message.contains("geodesic edges") else {
      return JobError(error, file: source.file, batch: batch)
    }
    var hinted = error
    hinted.message += "; '--edges great_circle' measures on the sphere, '--crs planar' in degrees"
    return JobError(hinted, file: source.file, batch: batch)
  }
}

/// Length, perimeter and area of a batch.
private struct Columns {
  static let absent = [Double](repeating: .nan, count: 3)
  private var numbers: [[Double]] = []
  private var statuses: [[RowStatus]] = []

  mutating func add(_ measured: Measured) {
    numbers.append(measured.columns.first ?? [])
    statuses.append(measured.statuses)
  }

  func values(_ row: Int) -> [Double] { numbers.map { $0[row] } }

  /// The worst code of the three, with the warnings of all.
  func status(_ row: Int) -> String {
    var worst = RowStatus.ok
    var warnings: Int32 = 0
    for list in statuses {
      if worst == .ok { worst = list[row].code }
      warnings |= list[row].warnings.rawValue
    }
    return RowStatus(rawValue: worst.rawValue | warnings).name
  }
}

/// A sum that loses no small addend to a large one (Neumaier).
struct Sum {
  private var sum = 0.0
  private var rest = 0.0
  private(set) var isUsed = false

  mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    isUsed = true
    let next = sum + value
    rest += abs(sum) >= abs(value) ? (sum - next) + value : (value - next) + sum
    sum = next
  }

  var value: Double { sum + rest }
}

/// Words of this layer beside the host's row statuses and problem codes.
enum RowName {
  static let unreadable = "UNREADABLE"
}
