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
    let oracle = InvalidRows(expected: Lazily { () throws(MeridianError) in try workloads.invalidRowsOfBig() })
    return BenchCase(head, oracle: oracle) { (host, kernel) throws(MeridianError) in
      try prepared(try file.value(), host, "validate.valid=\(kernel)", asks: "validate.valid", kernel) {
        (context, inputs) throws(JobError) in
        let report = try makeReport(
          .csv, to: "/dev/null", columns: ValidateRow.columns, map: .places, context.messages)
        var job = ValidateJob(context, ValidateJob.Request())
        try job.run(inputs, report: report, repaired: nil)
        try report.finish(nil)
        return Double(job.invalidRows)
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
        (context, inputs) throws(JobError) in
        let report = try makeReport(
          .csv, to: "/dev/null", columns: MeasureRow.columns, map: .places, context.messages)
        var job = MeasureJob(context)
        try job.run(inputs, report: report)
        try report.finish(nil)
        return Double(context.rows)
      }
    }
  }

  private static func head(_ workloads: Workloads, _ operation: Operation, _ setting: String) -> CaseResult {
    let rows = workloads.bigRows
    var head = CaseResult(
      name: "jobs.\(operation.fullName)/big.geojson", suite: .jobs, operation: operation.fullName,
      workload: "big.geojson", setting: setting, unit: .row, units: rows, rows: rows)
    head.oracle = nil
    return head
  }

  private static func bigFile(_ workloads: Workloads) -> Lazily<BigFile> {
    Lazily { () throws(MeridianError) in try BigFile(workloads) }
  }

  /// - Parameter asks: the operation that the kernel has to offer.
  private static func prepared(
    _ file: BigFile, _ host: Host, _ rules: String, asks operation: String, _ kernel: String,
    _ job: @escaping (JobContext, Inputs) throws(JobError) -> Double
  ) throws(MeridianError) -> PreparedRun {
    let known = host.kernels.first { $0.shortID == kernel || $0.id == kernel }
    guard let known, known.operations.contains(operation) else {
      throw MeridianError(.unsupported, "\(kernel) does not offer \(operation)")
    }
    let inputs = Inputs(files: [file.path], format: .geojson)
    return PreparedRun { () throws(MeridianError) in
      let context = JobContext(host: host, messages: Messages(quiet: true))
      context.rules = rules
      var outcome = Outcome()
      do throws(JobError) {
        outcome.columns = [[try job(context, inputs)]]
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

/// How many rows of the file are invalid, known by construction.
private struct InvalidRows: Oracle {
  let expected: Lazily<Int>
  var source: String { "known by construction" }

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    var accuracy = Accuracy(unit: "verdict", compared: 0, largest: 0, mean: 0, rootMeanSquare: 0, p99: 0)
    guard let found = outcome.columns.first?.first, let expected = try? expected.value() else {
      accuracy.wrong = 1
      return accuracy
    }
    accuracy.compared = expected
    accuracy.wrong = Int(abs(found - Double(expected)))
    return accuracy
  }
}
