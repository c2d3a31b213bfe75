// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI
import MeridianIO
import MeridianJobs

/// From the options that verbs share to what jobs take.
extension Arguments {
  /// The host with the user's rules, and where messages go.
  /// - Parameter asked: full names of the operations that the verb asks kernels for; a kernel id that stands alone means
  ///   the family of the first one.
  func context(_ asked: [String] = []) throws(CommandError) -> JobContext {
    let messages = session.messages ?? Messages(quiet: self[.quiet])
    session.messages = messages
    let asked = self[.whereInvalid] && verb.name != Verb.validate.name ? asked + ["validate.valid"] : asked
    let operations = asked.compactMap { name in Operation.all.first { $0.fullName == name } }
    let context = JobContext(host: try host(operations, messages), messages: messages, treatment: try treatment())
    context.overlapsReading = integer(.threads) != 1
    context.isolation = try isolation(operations)
    session.context = context
    return context
  }

  /// The worker that kernels run in, one for all runs of the command; nil = they run in this process.
  private func isolation(_ asked: [Meridian.Operation]) throws(CommandError) -> IsolatedKernels? {
    guard self[.isolate] else {
      try refuse([.timeLimit, .memoryLimit], "belongs to --isolate")
      return nil
    }
    if let isolation = session.isolation { return isolation }
    var setup = WorkerSetup()
    setup.host = hostOptions
    setup.rules = rules(asked.first?.family)
    setup.timeLimit = number(.timeLimit) ?? 30
    guard setup.timeLimit > 0 else { throw .usage("--time-limit is a number of seconds above 0") }
    // A thread takes address space that it does not use, for its stack and its share of the heap.
    let threads = 1 + (integer(.threads) ?? session.host?.threads ?? 1)
    setup.memoryLimit = min(integer(.memoryLimit) ?? 4000, 1 << 40) * 1_000_000 + threads * 150_000_000
    do {
      session.isolation = try IsolatedKernels(setup)
    } catch {
      throw .failed(error.message)
    }
    return session.isolation
  }

  private var hostOptions: Host.Options {
    var options = Host.Options()
    options.paths = texts(.plugins)
    options.threads = integer(.threads) ?? 0
    options.cpuLevel = text(.cpuLevel)
    options.configFile = text(.config)
    return options
  }

  /// Finds the kernels and applies `--kernel`, `--require` and `--prefer`.
  private func host(_ asked: [Meridian.Operation], _ messages: Messages) throws(CommandError) -> Host {
    if let host = session.host { return host }
    do {
      let host = try Host(hostOptions)
      for rule in rules(asked.first?.family) {
        try host.use(rule)
        for line in try Self.withoutEffect(rule, verb.name, asked) { messages.warn(line) }
      }
      session.host = host
      return host
    } catch {
      throw .failed(error.message)
    }
  }

  /// - Parameter family: what a rule without a family is about; nil = the verb asks for nothing.
  private func rules(_ family: Family?) -> [String] {
    var rules: [String] = []
    for text in texts(.kernel) {
      if text.contains("=") { rules.append(text) } else if let family { rules.append("\(family.name)=\(text)") }
    }
    for text in texts(.require) {
      let first = text.prefix { $0 != " " && $0 != "." }
      let isScoped = Family.allCases.contains { $0.name == first }
      if isScoped {
        rules.append("require " + text)
      } else if let family {
        rules.append("require \(family.name) \(text)")
      }
    }
    return rules + texts(.prefer).map { "prefer " + $0 }
  }

  /// A line for each rule that is about nothing the verb asks for. Those of the environment and of the configuration file
  /// are for all verbs and are not looked at.
  private static func withoutEffect(
    _ rules: String, _ verb: String, _ asked: [Meridian.Operation]
  ) throws(MeridianError) -> [String] {
    let idle = try Host.scopes(of: rules).filter { scope in !asked.contains { scope.covers($0) } }
    let names = asked.map(\.fullName).joined(separator: ", ")
    return idle.map { "\($0.rule) has no effect: \(verb) asks kernels for \(names.isEmpty ? "nothing" : names)" }
  }

  /// What the user says of the meaning of coordinates.
  func treatment() throws(CommandError) -> Treatment {
    var treatment = Treatment()
    treatment.ground = text(.crs).flatMap(Treatment.Ground.init(rawValue:))
    treatment.edges =
      switch text(.edges) {
      case "planar": MRD_EDGES_PLANAR
      case "geodesic": MRD_EDGES_GEODESIC
      case "great_circle": MRD_EDGES_GREAT_CIRCLE
      case "plate_carree": MRD_EDGES_PLATE_CARREE
      default: nil
      }
    treatment.metric =
      switch text(.metric) {
      case "coord": MRD_METRIC_COORD
      case "sphere": MRD_METRIC_SPHERE
      case "ellipsoid": MRD_METRIC_ELLIPSOID
      default: nil
      }
    if let text = text(.ellipsoid) {
      guard let ellipsoid = Treatment.Ellipsoid(text) else {
        throw .usage(
          "--ellipsoid is WGS84, GRS80, a semi-major axis and an inverse flattening of at least 50 with a comma between, "
            + "or a radius, not '\(text)'")
      }
      treatment.ellipsoid = ellipsoid
    }
    return treatment
  }

  /// The files to read.
  func inputs() throws(CommandError) -> Inputs {
    let format = text(.from).flatMap(Format.init(rawValue:))
    if operands.contains("-"), format == nil { throw .usage("'-' is standard input and needs --from") }
    var inputs = Inputs(files: operands, format: format, layer: text(.layer))
    inputs.selection.rows = integer(.rows)
    inputs.selection.onlyInvalid = self[.whereInvalid]
    return inputs
  }

  /// Where features are written: by the option for the format, else by the name.
  func featureOutput(_ option: Option = .output) throws(CommandError) -> FeatureOutput {
    let path = text(option)
    if operands.count > 1 {
      throw .usage("\(verb.name) writes a layer for each file: of several files to a folder, --\(option.long) FOLDER/")
    }
    let chosen = option.long == Option.output.long ? text(.writeFormat).flatMap(Format.init(rawValue:)) : nil
    if let path, chosen == nil, Format.hasExtension(path), Format(fileName: path) == nil {
      let other = option.long == Option.output.long ? "; --format writes another under any name" : ""
      throw .usage(
        "--\(option.long) \(path): no format that can be written has this extension; there are "
          + Format.listedWithExtensions + other)
    }
    return FeatureOutput(path, format: chosen)
  }

  /// The files that are written, with their options.
  var outputs: [(option: Option, file: String)] {
    verb.options.filter(\.isOutput).flatMap { option in files(option).map { (option, $0) } }
  }

  /// Refuses outputs that are one of the inputs, by whatever name: what is read would be replaced by what was made of it.
  func checkOutputs() throws(CommandError) {
    let outputs = self.outputs
    let inputs = operands + verb.options.filter { !$0.isOutput && $0.isFile }.flatMap { texts($0) }
    for (number, (option, output)) in outputs.enumerated() {
      if let input = inputs.first(where: { ReplacementFile.isSameFile($0, output) }) {
        throw .usage("--\(option.long) \(output) would replace what is read from \(input); name another file")
      }
      if let other = outputs[..<number].first(where: { $0.1 == output || ReplacementFile.isSameTarget($0.1, output) }) {
        throw .usage("--\(other.0.long) and --\(option.long) both name \(output); each needs a file of its own")
      }
    }
  }

  /// The report in the wanted form, and those that `--report` asks for beside it.
  func report(columns: [String], map: MapContent, _ messages: Messages) throws(CommandError) -> any Report {
    let format = try reportFormat()
    return try job { () throws(JobError) in
      let main = try makeReport(format, to: text(.output), columns: columns, map: map, messages)
      var others: [any Report] = []
      for value in texts(.report) {
        let (form, file) = Self.formAndFile(value)
        guard let format = ReportFormat(rawValue: form) else { continue }
        others.append(try makeReport(format, to: file, columns: columns, map: map, messages))
      }
      return others.isEmpty ? main : ReportGroup([main] + others)
    }
  }

  /// By the option, else by the output's name, else text. A name that promises a form which the verb lacks is refused.
  private func reportFormat() throws(CommandError) -> ReportFormat {
    let option = verb.options.first { $0.long == Option.reportFormat([]).long } ?? .reportFormat([])
    if let word = text(option) { return ReportFormat(rawValue: word) ?? .text }
    guard let path = text(.output) else { return .text }
    let promised: String
    if let form = ReportFormat(fileName: path) {
      if option.choices.contains(form.rawValue) { return form }
      promised = form.rawValue
    } else if let format = Format(fileName: path) {
      promised = format.rawValue
    } else {
      // A device, a pipe or a name without an extension promises nothing.
      guard let ending = fileExtension(path) else { return .text }
      promised = ending
    }
    let forms = option.choices.joined(separator: ", ")
    throw .usage("--output \(path): '\(verb.name)' has no results as \(promised); there are \(forms), by --format")
  }

  /// Ends a job that wrote features: the summary goes to standard error, where it does not mix with them.
  func finish(_ context: JobContext) -> ExitCode {
    if self[.summary] { context.messages.note(context.summary) }
    return context.hasUnreadInput ? .failure : .fine
  }

  /// Runs a job that reports rows, and ends its report.
  func reporting(
    _ report: any Report, _ context: JobContext, _ body: () throws(JobError) -> Void
  ) throws(CommandError) {
    try job { () throws(JobError) in
      do throws(JobError) {
        try body()
        try report.finish(self[.summary] ? context.summary : nil)
      } catch {
        report.abandon()
        throw error
      }
    }
  }
}
