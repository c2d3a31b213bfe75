// SPDX-License-Identifier: Apache-2.0
import CBench
import CPlatform
import Meridian
import MeridianABI
import Testing

@testable import MeridianBench

// Kernels whose times and errors are known, registered from static tables and called through the host like any other.
// They answer measure.length alone.

/// Works until `nanoseconds` are over by the clock: a core that is taken away meanwhile is forgiven if it comes back.
private func spin(_ nanoseconds: Int64) {
  let end = mrdb_now() + nanoseconds
  while mrdb_now() < end {}
}

/// Calls of the kernels that behave otherwise with time. Tests that use them run one at a time.
nonisolated(unsafe) private var driftingCalls: Int64 = 0
nonisolated(unsafe) private var spikyCalls: Int64 = 0
nonisolated(unsafe) private var breakingCalls: Int64 = 0

enum Synthetic {
  static let spin: Int64 = 60_000
  /// Of `long`; `slower` takes 5% more. Beside it the host's own part hardly counts.
  static let longSpin: Int64 = 600_000
  static let drift: Int64 = 10_000
  /// Every so many-th call of `spiky` takes `spike` instead.
  static let spikeEvery: Int64 = 9
  static let spike: Int64 = 20_000_000
  /// Errors that `biased` makes, in coordinate units: in every tenth row the large one. It declares `bound`.
  static let smallError = 0.0005
  static let largeError = 0.01
  static let bound = 0.001

  static let names = ["steady", "twin", "long", "slower", "drifting", "spiky", "biased", "refuses", "breaks"]

  static func register(on host: Host) throws(MeridianError) {
    for plugin in [steady, twin, long, slower, drifting, spiky, biased, refuses, breaks] { try host.register(plugin) }
  }
}

private typealias Measure =
  @convention(c) (
    UInt32, UnsafePointer<mrd_geoms>?, UnsafePointer<mrd_measure_options>?, UnsafePointer<mrd_columns>?,
    UnsafeMutablePointer<mrd_call>?
  ) -> mrd_status

private typealias Info = @convention(c) (UInt32) -> UnsafePointer<mrd_op_info>?
private typealias Family = @convention(c) (UnsafePointer<CChar>?) -> UnsafeRawPointer?

/// The length of each row by its first two vertices' x, and `error` of the row on top.
private func answer(
  _ geoms: UnsafePointer<mrd_geoms>?, _ out: UnsafePointer<mrd_columns>?, error: (Int) -> Double = { _ in 0 }
) -> mrd_status {
  guard let geoms, let out else { return MRD_E_ARGUMENT }
  let array = GeometryArray(borrowing: geoms.pointee)
  for row in 0..<array.count {
    let at = array.span(row).lowerBound
    out.pointee.values[0]?[row] = array.x(at + 1) - array.x(at) + error(row)
  }
  return MRD_OK
}

private func info(bound: Double? = nil) -> UnsafePointer<mrd_op_info> {
  let info = UnsafeMutablePointer<mrd_op_info>.allocate(capacity: 1)
  info.initialize(to: mrd_op_info())
  info.pointee.struct_size = UInt32(MemoryLayout<mrd_op_info>.size)
  info.pointee.type_mask = 1 << UInt32(MRD_LINESTRING)
  info.pointee.dims_mask = 1 << UInt32(MRD_XY)
  info.pointee.edges_mask = 1
  info.pointee.metric_mask = 1
  info.pointee.error_unit = bound == nil ? MRD_UNIT_NONE : MRD_UNIT_COORD
  info.pointee.error_absolute = bound ?? 0
  info.pointee.method = UnsafePointer(strdup("synthetic"))
  return UnsafePointer(info)
}
nonisolated(unsafe) private let plainInfo = info()
nonisolated(unsafe) private let boundInfo = info(bound: Synthetic.bound)

private func table(_ info: @escaping Info, _ measure: @escaping Measure) -> UnsafeRawPointer {
  let table = UnsafeMutablePointer<mrd_family_measure>.allocate(capacity: 1)
  table.initialize(
    to: mrd_family_measure(
      struct_size: UInt32(MemoryLayout<mrd_family_measure>.size), pad0: 0, info: info, measure: measure,
      pair: { _, _, _, _, _, _ in MRD_E_UNSUPPORTED }, direct: { _, _, _, _, _, _ in MRD_E_UNSUPPORTED },
      build: { _, _, _, _, _ in MRD_E_UNSUPPORTED }))
  return UnsafeRawPointer(table)
}

private func plugin(_ name: String, _ family: @escaping Family) -> UnsafePointer<mrd_plugin> {
  let plugin = UnsafeMutablePointer<mrd_plugin>.allocate(capacity: 1)
  plugin.initialize(to: mrd_plugin())
  plugin.pointee.struct_size = UInt32(MemoryLayout<mrd_plugin>.size)
  plugin.pointee.abi = MRD_ABI_VERSION
  plugin.pointee.id = UnsafePointer(strdup("test." + name))
  plugin.pointee.name = UnsafePointer(strdup(name))
  plugin.pointee.vendor = UnsafePointer(strdup("tests"))
  plugin.pointee.version = UnsafePointer(strdup("1.0.0"))
  plugin.pointee.license = UnsafePointer(strdup("Apache-2.0"))
  plugin.pointee.build = UnsafePointer(strdup(""))
  plugin.pointee.get_family = family
  return UnsafePointer(plugin)
}

private func isMeasure(_ id: UnsafePointer<CChar>?) -> Bool { id.map { strcmp($0, MRD_FAMILY_MEASURE) == 0 } ?? false }
private let lengthInfo: Info = { $0 == MRD_MEASURE_LENGTH ? plainInfo : nil }

nonisolated(unsafe) private let steadyTable = table(lengthInfo) { _, geoms, _, out, _ in
  spin(Synthetic.spin)
  return answer(geoms, out)
}
nonisolated(unsafe) private let longTable = table(lengthInfo) { _, geoms, _, out, _ in
  spin(Synthetic.longSpin)
  return answer(geoms, out)
}
nonisolated(unsafe) private let slowerTable = table(lengthInfo) { _, geoms, _, out, _ in
  spin(Synthetic.longSpin * 105 / 100)
  return answer(geoms, out)
}
nonisolated(unsafe) private let driftingTable = table(lengthInfo) { _, geoms, _, out, _ in
  driftingCalls += 1
  spin(Synthetic.spin + Synthetic.drift * driftingCalls)
  return answer(geoms, out)
}
nonisolated(unsafe) private let spikyTable = table(lengthInfo) { _, geoms, _, out, _ in
  spikyCalls += 1
  spin(spikyCalls % Synthetic.spikeEvery == 0 ? Synthetic.spike : Synthetic.spin)
  return answer(geoms, out)
}
nonisolated(unsafe) private let biasedTable = table({ $0 == MRD_MEASURE_LENGTH ? boundInfo : nil }) {
  _, geoms, _, out, _ in
  answer(geoms, out) { $0 % 10 == 0 ? Synthetic.largeError : Synthetic.smallError }
}
nonisolated(unsafe) private let refusesTable = table(lengthInfo) { _, _, _, _, call in
  mrd_fail(call?.pointee.error, MRD_E_UNSUPPORTED, -1, -1, "not today")
}
nonisolated(unsafe) private let breaksTable = table(lengthInfo) { _, geoms, _, out, call in
  breakingCalls += 1
  if breakingCalls % 12 == 0 { return mrd_fail(call?.pointee.error, MRD_E_INTERNAL, 3, -1, "broke in the middle") }
  spin(Synthetic.spin)
  return answer(geoms, out)
}

nonisolated(unsafe) private let steady = plugin("steady") { isMeasure($0) ? steadyTable : nil }
nonisolated(unsafe) private let twin = plugin("twin") { isMeasure($0) ? steadyTable : nil }
nonisolated(unsafe) private let long = plugin("long") { isMeasure($0) ? longTable : nil }
nonisolated(unsafe) private let slower = plugin("slower") { isMeasure($0) ? slowerTable : nil }
nonisolated(unsafe) private let drifting = plugin("drifting") { isMeasure($0) ? driftingTable : nil }
nonisolated(unsafe) private let spiky = plugin("spiky") { isMeasure($0) ? spikyTable : nil }
nonisolated(unsafe) private let biased = plugin("biased") { isMeasure($0) ? biasedTable : nil }
nonisolated(unsafe) private let refuses = plugin("refuses") { isMeasure($0) ? refusesTable : nil }
nonisolated(unsafe) private let breaks = plugin("breaks") { isMeasure($0) ? breaksTable : nil }

/// A host that knows the synthetic kernels, as measurements want it.
func syntheticHost() throws -> Host {
  var options = Host.Options()
  options.discovers = false
  options.readsEnvironment = false
  let host = try Host(Runner.hostOptions(options))
  try Synthetic.register(on: host)
  return host
}

/// `rows` lines of length 1 to 7, as a case that counts rows beyond a kernel's bound.
func syntheticCase(rows: Int = 40) throws -> BenchCase {
  var builder = GeometryBuilder(model: .planar)
  for row in 0..<rows {
    try builder.begin(.lineString, .xy)
    builder.add(0, 0)
    builder.add(Double(1 + row % 7), 0)
    try builder.end()
  }
  let set = try builder.finish()
  let head = CaseResult(
    name: "measure.length/synthetic", suite: .measure, operation: "measure.length", workload: "synthetic",
    setting: "planar", unit: .row, units: rows, rows: rows)
  let operation = try #require(Operation.find(.measure, MRD_MEASURE_LENGTH))
  return BenchCase(
    head, oracle: KnownLengths(rows: rows), subject: Subject(operation, type: .lineString, model: .planar)
  ) { (host, kernel) throws(MeridianError) in
    let run = Run(threads: 1, rules: "measure=\(kernel)")
    var prepared = PreparedRun { () throws(MeridianError) in
      let measured = try host.measure(.length, set, run: run)
      var outcome = Outcome()
      outcome.columns = measured.columns
      return outcome
    }
    prepared.singles = 1
    prepared.single = { (_) throws(MeridianError) in _ = try host.measure(.length, set, run: run) }
    return prepared
  }
}

/// Lengths known by construction.
private struct KnownLengths: Oracle {
  let rows: Int
  var source: String { "known by construction" }

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    let errors = (0..<rows).map { abs(outcome.columns[0][$0] - Double(1 + $0 % 7)) }
    let beyond = bound.map { bound in
      (0..<rows).count { !bound.allows(error: errors[$0], exact: Double(1 + $0 % 7), vertices: 2) }
    }
    let mean = errors.reduce(0, +) / Double(rows)
    return Accuracy(
      unit: "coord", compared: rows, largest: errors.max() ?? 0, mean: mean, rootMeanSquare: mean,
      p99: Sample(errors).percentile(0.99), violations: beyond, bound: bound?.text)
  }
}
