// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

extension Option {
  static let explain = Option("explain", meaning: "every path that was looked at, and what came of it")
}

extension Verb {
  static let kernels = Verb(
    name: "kernels",
    summary: "list the kernels that can be used",
    operands: "",
    operandCount: 0...0,
    notes: [
      "Listing reads manifests and loads nothing. Kernels stand in the order in which they are preferred."
    ],
    options: [
      .reportFormat(["text", "json", "csv"]), .output, .explain, .plugins, .config, .cpuLevel, .quiet, .help,
    ],
    examples: [
      Example(line: "meridian kernels", meaning: "a table"),
      Example(line: "meridian kernels --explain", meaning: "why a kernel is not in the table"),
      Example(line: "meridian kernels --format json", meaning: "for a program"),
    ],
    run: { (arguments) throws(CommandError) in
      let context = try arguments.context()
      if arguments[.explain] {
        let report = try arguments.report(columns: DiagnosticRow.columns, map: .places, context.messages)
        try arguments.reporting(report, context) { () throws(JobError) in
          for diagnostic in context.host.diagnostics { try report.add(DiagnosticRow(diagnostic)) }
        }
      } else {
        let report = try arguments.report(columns: KernelRow.columns, map: .places, context.messages)
        let table = KernelTable(context.host.kernels)
        try arguments.reporting(report, context) { () throws(JobError) in
          for row in table.rows { try report.add(row) }
        }
        if table.rows.isEmpty { context.messages.warn("no kernels found; 'meridian kernels --explain' says where") }
      }
      return .fine
    })

  static let kernelsInfo = Verb(
    name: "kernels info",
    summary: "what a kernel declares of its operations",
    operands: "ID",
    operandCount: 1...1,
    notes: ["Loads the kernel: what is shown is what the library says of itself."],
    options: [.reportFormat(["text", "json", "csv"]), .output, .plugins, .config, .cpuLevel, .quiet, .help],
    examples: [
      Example(line: "meridian kernels info proj", meaning: "operations, edges, metrics, error bounds, methods"),
      Example(line: "meridian kernels info --format json native", meaning: "an object an operation"),
    ],
    run: { (arguments) throws(CommandError) in
      let context = try arguments.context()
      let id = arguments.operands[0]
      guard let kernel = context.host.kernels.first(where: { $0.id == id || $0.shortID == id }) else {
        let known = context.host.kernels.map(\.shortID).joined(separator: ", ")
        throw .failed("no kernel is called '\(id)'; there are: \(known.isEmpty ? "none" : known)")
      }
      let report = try arguments.report(columns: OperationRow.columns, map: .places, context.messages)
      try arguments.reporting(report, context) { () throws(JobError) in
        for row in try OperationRow.rows(of: kernel, context) { try report.add(row) }
      }
      return context.hasUnreadInput ? .failure : .fine
    })
}
