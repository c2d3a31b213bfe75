// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianJobs

/// The JSON of Google Benchmark (its schema version 1): a family a case, a benchmark a kernel, a repetition a round, one
/// iteration a run. There is one clock here, so `cpu_time` repeats `real_time`. Kernels that refused a case have no
/// row, since its tools would take a time of zero from it; they stand in the context.
enum GoogleBenchmarkForm {
  static func text(_ report: BenchReport) -> [UInt8] {
    var rows: [Value] = []
    for (family, result) in report.cases.enumerated() {
      for (instance, kernel) in result.kernels.enumerated() where kernel.times.contains(where: \.isFinite) {
        rows += GoogleBenchmarkRows(result, kernel, family: family, instance: instance).all
      }
    }
    return JSONLayout.text(.object([Field("context", context(report)), Field("benchmarks", .list(rows))]))
  }

  private static func context(_ report: BenchReport) -> Value {
    let context = report.context
    let refusals = report.cases.flatMap { result in result.refusals.map { "\(result.name): \($0)" } }
    return .object([
      Field("date", .text(context.date)), Field("executable", .text(context.command)),
      Field("num_cpus", .integer(context.machine.cores)), Field("caches", .list([])),
      Field("load_avg", .list([.number(context.machine.load)])),
      Field("library_build_type", .text(context.build)), Field("json_schema_version", .integer(1)),
      Field("meridian_version", .text(context.version)), Field("processor", .text(context.machine.processor)),
      Field("seed", .text(String(context.seed))), Field("cpu_time", .text("repeats real_time: one clock is read")),
      Field("warnings", .list(context.warnings.map { .text($0) })),
      Field("refusals", .list(refusals.map { .text($0) })),
    ])
  }
}

/// The rows of one case and kernel.
private struct GoogleBenchmarkRows {
  private let result: CaseResult
  private let times: [Double]
  private let name: String
  private let family: Int
  private let instance: Int

  init(_ result: CaseResult, _ kernel: KernelResult, family: Int, instance: Int) {
    self.result = result
    times = kernel.times.filter(\.isFinite)
    name = "\(result.name)/\(kernel.kernel)"
    self.family = family
    self.instance = instance
  }

  var all: [Value] {
    let rounds = times.enumerated().map { round, time in
      row(name, "iteration", [Field("repetition_index", .integer(round))], time, iterations: 1)
    }
    return rounds
      + aggregates.map { aggregate in
        row(
          "\(name)_\(aggregate.name)", "aggregate",
          [
            Field("aggregate_name", .text(aggregate.name)),
            Field("aggregate_unit", .text(aggregate.isShare ? "percentage" : "time")),
          ],
          aggregate.value, iterations: times.count)
      }
  }

  private func row(_ name: String, _ type: String, _ extra: [Field], _ time: Double, iterations: Int) -> Value {
    var fields = [
      Field("name", .text(name)), Field("family_index", .integer(family)),
      Field("per_family_instance_index", .integer(instance)), Field("run_name", .text(self.name)),
      Field("run_type", .text(type)), Field("repetitions", .integer(times.count)),
    ]
    fields += extra
    fields += [
      Field("threads", .integer(1)), Field("iterations", .integer(iterations)), Field("real_time", .number(time)),
      Field("cpu_time", .number(time)), Field("time_unit", .text("ns")),
    ]
    if type == "iteration", time > 0 {
      fields.append(Field("items_per_second", .number(Double(result.units) / time * 1e9)))
    }
    return .object(fields)
  }

  private struct Aggregate {
    let name: String
    let value: Double
    var isShare = false
  }

  /// As Google Benchmark computes them: the deviation of a sample, n - 1 below the line, 0 for one repetition.
  private var aggregates: [Aggregate] {
    let count = Double(times.count)
    let mean = times.reduce(0, +) / count
    let squares = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = times.count > 1 ? (squares / (count - 1)).squareRoot() : 0
    return [
      Aggregate(name: "mean", value: mean), Aggregate(name: "median", value: Sample(times).median),
      Aggregate(name: "stddev", value: deviation),
      Aggregate(name: "cv", value: mean > 0 ? deviation / mean : 0, isShare: true),
    ]
  }
}
