// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianABI
import MeridianIO
import MeridianJobs

/// Whole jobs of the command on a file: reading, kernel and report, in this process.
enum JobCases {
  static func cases(_ workloads: Workloads) -> [BenchCase] { [validate(workloads), measure(workloads)] }

  /// Verdicts and problems as CSV.
  private static func validate(_ workloads: Workloads) -> BenchCase {
    let file = bigFile(workloads)
    let head = head(workloads, .numbered(.validate, MRD_VALIDATE_VALID), "all problems to CSV")
    let oracle = KnownVerdicts(
      source: "known by construction", Lazily { () throws(MeridianError) in try workloads.verdictsOfBig() })
    return BenchCase(head, oracle: oracle) { (host, kernel) throws(MeridianError) in
      try prepared(try file.value(), host, "validate.valid=\(kernel)", asks: "validate.valid", kernel) {
        (context, inputs, outcome) throws(JobError) in
        let report = VerdictReport(
          try makeReport(.csv, to: "/dev/null", columns: ValidateRow.columns, map: .places, context.messages))
        var job = ValidateJob(context, ValidateJob.Request())
        try job.run(inputs, report: report)
        try report.finish(nil)
        outcome.verdicts = report.verdicts
      }
    }
  }

  /// Geodesic areas and perimeters as CSV.
  private static func measure(_ workloads: Workloads) -> BenchCase {
    let file = bigFile(workloads)
    let head = head(workloads, .numbered(.measure, MRD_MEASURE_AREA), "geodesic, to CSV")
    return BenchCase(head) { (host, kernel) throws(MeridianError) in
      // The family's rule gives way where the kernel cannot answer: the job measures in the plane beside.
      let rules = "measure=\(kernel)"
      // Tells whether the kernel knows geodesic edges.
      let probe = try workloads.smallRingSet.probe.value()
      _ = try host.measure(.area, probe, run: Run(threads: 1, rules: "measure.area=\(kernel)", model: .wgs84))
      return try prepared(try file.value(), host, rules, asks: "measure.area", kernel) {
        (context, inputs, _) throws(JobError) in
        let report = try makeReport(
          .csv, to: "/dev/null", columns: MeasureRow.columns, map: .places, context.messages)
        var job = MeasureJob(context)
        try job.run(inputs, report: report)
        try report.finish(nil)
      }
    }
  }

  private static func head(_ workloads: Workloads, _ operation: Operation, _ setting: String) -> CaseResult {
    let rows = workloads.bigRows
    return CaseResult(
      name: "jobs.\(operation.fullName)/big.geojson", suite: .jobs, operation: operation.fullName,
      workload: "big.geojson", setting: setting, unit: .row, units: rows, rows: rows)
  }

  private static func bigFile(_ workloads: Workloads) -> Lazily<BigFile> {
    Lazily { () throws(MeridianError) in try BigFile(workloads) }
  }

  /// - Parameter asks: the operation that the kernel has to offer.
  private static func prepared(
    _ file: BigFile, _ host: Host, _ rules: String, asks operation: String, _ kernel: String,
    _ job: @escaping (JobContext, Inputs, inout Outcome) throws(JobError) -> Void
  ) throws(MeridianError) -> PreparedRun {
    try host.require(operation, of: kernel)
    let inputs = Inputs(files: [file.path], format: .geojson)
    return PreparedRun { () throws(MeridianError) in
      let context = JobContext(host: host, messages: Messages(quiet: true))
      context.rules = rules
      var outcome = Outcome()
      do throws(JobError) {
        try job(context, inputs, &outcome)
      } catch {
        throw MeridianError(error)
      }
      return outcome
    }
  }
}

extension MeridianError {
  fileprivate init(_ error: JobError) {
    switch error {
    case .interrupted: self.init(.cancelled, "interrupted")
    case .failed(let message), .argument(let message): self.init(.io, message)
    case .closedPipe: self.init(.io, "nobody reads standard output")
    }
  }
}

/// The file, there as long as this object lives.
private final class BigFile: Sendable {
  let path: String

  init(_ workloads: Workloads) throws(MeridianError) {
    let folder = mrdp_environment("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var pattern = Array("\(folder)/meridian-bench-XXXXXX".utf8CString)
    let descriptor = mrdp_make_temporary(&pattern)
    guard descriptor >= 0 else { throw MeridianError(.io, "\(folder): no temporary file can be made there") }
    close(descriptor)
    path = String(decoding: pattern.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    do throws(FormatError) {
      _ = try workloads.writeBigGeoJSON(to: path)
    } catch {
      unlink(path)
      throw MeridianError(.io, error.description)
    }
  }

  deinit { unlink(path) }
}

/// Passes rows on, and keeps their verdicts.
private final class VerdictReport: Report {
  private let report: any Report
  /// In the order of the rows.
  private(set) var verdicts: [Verdict] = []

  init(_ report: any Report) { self.report = report }

  func add(_ row: some ReportRow) throws(JobError) {
    if let row = row as? ValidateRow { verdicts.append(row.valid.map { $0 ? .valid : .invalid } ?? .unknown) }
    try report.add(row)
  }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) { try report.endBatch(batch, of: source) }
  func finish(_ summary: Summary?) throws(JobError) { try report.finish(summary) }
  func abandon() { report.abandon() }
}
