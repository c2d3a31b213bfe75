// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianBench
import MeridianIO
import MeridianJobs

extension Option {
  fileprivate static let data = Option(
    "data", nil, .file("FILE"), repeats: true, meaning: "measure on this file too, or alone when no suite is named")
  fileprivate static let contestants = Option(
    "kernels", nil, .text("A,B,..."), meaning: "these kernels; default: all that are installed")
  fileprivate static let reference = Option(
    "reference", nil, .text("ID"), meaning: "the kernel that ratios are over; default: the first")
  fileprivate static let only = Option(
    "only", nil, .text("WORD"), repeats: true, meaning: "cases whose name contains WORD; see --list")
  fileprivate static let list = Option("list", nil, meaning: "name the cases, and run none")
  fileprivate static let scale = Option(
    "scale", nil, .number("SHARE"), meaning: "of the workloads, above 0 to 10; default 1")
  fileprivate static let rounds = Option(
    "rounds", nil, .integer("N", atLeast: 1), meaning: "rounds of each case; default 15")
  fileprivate static let time = Option(
    "time", nil, .number("SECONDS"), meaning: "no new round of a case begins after this long; default 10")
  fileprivate static let latency = Option("latency", meaning: "time single calls as well: p50, p99, p99.9")
  fileprivate static let memory = Option("memory", meaning: "peak memory of a run")
  fileprivate static let allocations = Option(
    "allocations", meaning: "count allocations as well; starts the command again with a counting library")
  fileprivate static let counters = Option(
    "counters", meaning: "cycles and instructions, where the machine counts them")
  fileprivate static let sweep = Option("sweep", meaning: "each case at several sizes, with the exponent of its growth")
  fileprivate static let pin = Option(
    "pin", nil, .integer("CORE", atLeast: -1), meaning: "keep to one processor; -1 = the first that is allowed")
  fileprivate static let enforce = Option(
    "enforce", meaning: "run the budgets of the suites; exit code 1 = not all kept")
  fileprivate static let short = Option("short", meaning: "with --enforce: the short set alone")
  fileprivate static let budgets = Option(
    "budgets", nil, .file("FILE"),
    meaning: "with --enforce: budgets to run; default benchmarks/budgets.json, else those that came with the command")
  fileprivate static let compare = Option(
    "compare", meaning: "compare two stored reports, OLD.json and NEW.json; exit code 1 = something got worse")
  fileprivate static let record = Option(
    "record", nil, .file("FILE"), isOutput: true, meaning: "store the whole report there as JSON too, for --compare")
  static let seed = Option(
    "seed", nil, .integer("N", atLeast: 0), meaning: "of generators and intervals; default 20261130")
  static let benchFormat = Option(
    "format", "f", .choice(OutputForm.allCases.map(\.rawValue)),
    meaning: "form of the report; default: from the output's name, else text")
}

extension Verb {
  static let bench = Verb(
    name: "bench",
    summary: "kernels in the same rounds: speed, accuracy, memory; budgets",
    operands: "[SUITE...]",
    operandCount: 0...Int.max,
    notes: [
      "Suites: \(Suite.allCases.map(\.rawValue).joined(separator: ", ")); none = all but jobs.",
      "Kernels take turns in each round, so that a slow spell of the machine hits all of them: the ratio of two kernels in",
      "the same rounds is the main figure, with its interval. See benchmarks/README.md for the method.",
    ],
    options: [
      .data, .contestants, .reference, .only, .list, .scale, .rounds, .time, .latency, .memory, .allocations, .counters,
      .sweep, .pin, .enforce, .short, .budgets, .compare, .record, .seed, .benchFormat, .output,
    ] + Option.input + [.plugins, .config, .cpuLevel] + Option.ending,
    examples: [
      Example(
        line: "meridian bench index --kernels native,sqlite,geos --reference geos --latency", meaning: "one family"),
      Example(line: "meridian bench --data parcels.gpkg --format html -o parcels.html", meaning: "on your own data"),
      Example(line: "meridian bench --enforce --short", meaning: "what continuous integration runs"),
      Example(line: "meridian bench --compare old.json new.json", meaning: "what changed beyond the noise"),
    ],
    run: { (arguments) throws(CommandError) in
      if arguments[.compare] { return try arguments.compareReports() }
      try arguments.checkCombination()
      let suites = try arguments.suites()
      try arguments.checkReportCanBeWritten()
      if arguments[.allocations] { try arguments.restartCounting() }
      return arguments[.enforce] ? try arguments.enforce(suites) : try arguments.bench(suites)
    })
}

extension Arguments {
  // MARK: - What is shared with bench snap-tolerance

  var level: String? { text(.cpuLevel) }

  func seed() throws(CommandError) -> UInt64 { UInt64(integer(.seed) ?? 20_261_130) }

  /// The form that the report is written in.
  var reportForm: OutputForm { text(.benchFormat).flatMap(OutputForm.init(rawValue:)) ?? formOfOutput }

  /// A run may take long: that its report cannot be written is told before.
  func checkReportCanBeWritten() throws(CommandError) {
    try job { () throws(JobError) in
      for path in [text(.output), text(.record)] { try ReportOutput.check(path) }
    }
  }

  /// Writes a report where and how the user wants it.
  func write(_ report: BenchReport) throws(CommandError) {
    let (form, path, record) = (reportForm, text(.output), text(.record))
    try job { () throws(JobError) in
      if let record { try ReportWriter.write(report, as: .json, to: record) }
      try ReportWriter.write(report, as: form, to: path)
    }
  }

  private var formOfOutput: OutputForm {
    text(.output).flatMap(fileExtension).flatMap(OutputForm.init(rawValue:)) ?? .text
  }

  // MARK: - Ways to run

  private static let measuring: [Option] = [
    .data, .contestants, .reference, .only, .list, .scale, .rounds, .latency, .memory, .allocations, .counters, .sweep,
    .from, .layer,
  ]

  fileprivate func checkCombination() throws(CommandError) {
    if self[.enforce] { return try refuse(Self.measuring, "has no meaning with --enforce: budgets say what is run") }
    try refuse([.short, .budgets], "needs --enforce")
    if !self[.data] { try refuse([.from, .layer], "needs --data") }
  }

  fileprivate func suites() throws(CommandError) -> [Suite] {
    var suites: [Suite] = []
    for word in operands {
      guard let suite = Suite(rawValue: word) else {
        let near = nearest(word, Suite.allCases.map(\.rawValue))
        let suites = Suite.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage(
          "there is no suite '\(word)'" + (near.map { "; did you mean \($0)?" } ?? "; there are \(suites)"))
      }
      if !suites.contains(suite) { suites.append(suite) }
    }
    return suites
  }

  fileprivate func restartCounting() throws(CommandError) {
    do { try Allocations.restartCounting() } catch { throw .failed("--allocations: \(error.message)") }
  }

  /// Messages and a host without guards, on one thread.
  private func benchContext() throws(CommandError) -> JobContext {
    JobContext(host: try benchHost(level), messages: Messages(quiet: self[.quiet]))
  }

  private func benchHost(_ level: String?) throws(CommandError) -> Host {
    do { return try Host(hostOptions(level)) } catch { throw .failed(error.message) }
  }

  private func hostOptions(_ level: String?) -> Host.Options {
    var options = Runner.hostOptions()
    options.paths = texts(.plugins)
    options.cpuLevel = level
    options.configFile = text(.config)
    return options
  }

  fileprivate func bench(_ suites: [Suite]) throws(CommandError) -> ExitCode {
    let context = try benchContext()
    let plan = try plan(suites, context.host)
    let bench = BenchJob(context, plan)
    if self[.list] {
      let names = try job { () throws(JobError) in try bench.caseNames() }
      try printOut(names.joined(separator: "\n") + "\n")
      return .fine
    }
    for data in plan.data {
      data.warnings.forEach(context.messages.warn)
      if data.unreadable > 0 {
        context.messages.warn("\(data.name): \(data.unreadable) rows could not be read and are null")
      }
    }
    let facts = RunContext.current(host: context.host, seed: plan.seed, kernels: plan.kernels, level: level)
    try write(try job { () throws(JobError) in try bench.run(facts) })
    return plan.data.contains { $0.unreadable > 0 } ? .failure : .fine
  }

  /// Each kernel once, by the name that reports give it.
  private func contestants(_ host: Host) throws(CommandError) -> [String]? {
    guard let text = text(.contestants) else { return nil }
    var names: [String] = []
    for word in text.split(separator: ",") {
      let name = try kernel(String(word), host)
      if !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else { throw .usage("--kernels needs an id") }
    return names
  }

  private func kernel(_ word: String, _ host: Host) throws(CommandError) -> String {
    if ABICases.contestants.contains(word) || word == MemoryRead.name { return word }
    if let name = host.kernelName(word) { return name }
    let known = host.kernels.flatMap { [$0.shortID, $0.id] } + ABICases.contestants
    if known.contains(word) { throw .usage("several kernels are called '\(word)': name one by its id") }
    let installed = host.kernels.map(\.shortID).joined(separator: ", ")
    let hint = nearest(word, known).map { "; did you mean \($0)?" }
    throw .usage(
      "kernel '\(word)' is not installed" + (hint ?? "; there are: \(installed.isEmpty ? "none" : installed)"))
  }

  private func userData() throws(CommandError) -> [UserData] {
    let format = text(.from).flatMap(Format.init(rawValue:))
    let (files, layer) = (texts(.data), text(.layer))
    var all = try job { () throws(JobError) in
      try files.map { (file) throws(JobError) in
        do throws(FormatError) {
          return try UserData(file: file, format: format, layer: layer)
        } catch {
          throw JobError(error)
        }
      }
    }
    // Cases are known by their names: files of one name are told apart by their paths.
    for (index, file) in files.enumerated() {
      if files[..<index].contains(file) { throw .usage("--data names \(file) twice") }
    }
    let names = all.map(\.name)
    for index in all.indices where names.count(where: { $0 == names[index] }) > 1 { all[index].name = files[index] }
    return all
  }

  private func plan(_ suites: [Suite], _ host: Host) throws(CommandError) -> BenchPlan {
    var plan = BenchPlan()
    plan.kernels = try contestants(host)
    plan.reference = try text(.reference).map { (name) throws(CommandError) in try kernel(name, host) }
    plan.data = try userData()
    plan.suites = suites
    if suites.isEmpty, plan.data.isEmpty { plan.suites = Suite.allCases.filter { $0 != .jobs || self[.list] } }
    plan.only = texts(.only)
    plan.scale = number(.scale) ?? 1
    guard plan.scale > 0, plan.scale <= 10 else { throw .usage("--scale needs a share above 0, at most 10") }
    plan.seed = try seed()
    plan.core = integer(.pin)
    if self[.sweep] { plan.sweep = Scaling.shares }
    plan.measurement.rounds = try rounds(plan.measurement.rounds)
    plan.measurement.measuresLatency = self[.latency]
    plan.measurement.measuresMemory = self[.memory] || self[.allocations]
    plan.measurement.countsInstructions = self[.counters]
    return plan
  }

  private func rounds(_ options: Rounds.Options) throws(CommandError) -> Rounds.Options {
    var options = options
    if let rounds = integer(.rounds) { (options.fewest, options.most) = (rounds, rounds) }
    if let seconds = try seconds() { options.budget = seconds }
    options.seed = try seed()
    return options
  }

  private func seconds() throws(CommandError) -> Double? {
    guard let seconds = number(.time) else { return nil }
    guard seconds > 0, seconds.isFinite else { throw .usage("--time needs seconds above 0") }
    return seconds
  }

  /// Those of the checkout that one works in, else those of the tree that the command is installed in.
  private static var budgetFile: String {
    let own = "benchmarks/budgets.json"
    return access(own, R_OK) == 0 ? own : OwnTree.file(["../share/meridian/budgets.json"]) ?? own
  }

  fileprivate func enforce(_ suites: [Suite]) throws(CommandError) -> ExitCode {
    let file = text(.budgets) ?? Self.budgetFile
    let budgets = try job { () throws(JobError) in
      do throws(FormatError) { return try BudgetFile.read(file) } catch { throw JobError(error) }
    }
    let context = try benchContext()
    var request = BudgetJob.Request(budgets: budgets)
    (request.suites, request.isShort, request.seed) = (suites, self[.short], try seed())
    request.core = integer(.pin)
    request.options.rounds = try rounds(request.options.rounds)
    let arguments = self
    let hosts = { (level: String?) throws(MeridianError) in try Host(arguments.hostOptions(level ?? arguments.level)) }
    let facts = RunContext.current(host: context.host, seed: request.seed, level: level)
    let report = try job { () throws(JobError) in try BudgetJob(context, request, host: hosts).run(facts) }
    try write(report)
    switch report.enforcement {
    case .kept: return .fine
    case .notKept: return .findings
    case .nothingRan:
      context.messages.warn("no limit could be run; the report says why")
      return .failure
    }
  }

  fileprivate func compareReports() throws(CommandError) -> ExitCode {
    guard operands.count == 2 else { throw .usage("--compare needs two reports: OLD.json NEW.json") }
    let others = Self.measuring + [.time, .pin, .enforce, .short, .budgets, .record, .seed]
    try refuse(others, "has no meaning with --compare")
    let form = reportForm
    guard form == .text || form == .json else {
      throw .usage("a comparison has the forms text and json, not \(form.rawValue)")
    }
    let comparison = try job { () throws(JobError) in
      do throws(FormatError) {
        return ReportComparison(old: try ReportReader.read(operands[0]), new: try ReportReader.read(operands[1]))
      } catch {
        throw JobError(error)
      }
    }
    let path = text(.output)
    try job { () throws(JobError) in try ReportWriter.write(comparison, as: form, to: path) }
    return comparison.regressed ? .findings : .fine
  }
}
