// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianIO
import MeridianJobs

extension Option {
  static let resume = Option(
    "resume", nil, .file("CHECKPOINT"),
    meaning:
      "many files to a folder: note what is done in CHECKPOINT, and go on from there after a run that was stopped")
}

/// A verb run once for each file, as if it was called for it alone, with results that lie in folders under the file's name.
struct FolderRun {
  /// One file, and the arguments for it.
  private struct Step {
    let file: String
    let arguments: Arguments
    let outputs: [String]
  }

  private let arguments: Arguments
  private var session: Session { arguments.session }

  /// nil = no output is a folder: the verb is run once, for all files.
  init?(_ arguments: Arguments) throws(CommandError) {
    self.arguments = arguments
    let outputs = arguments.outputs
    guard arguments.verb.resumes, let folder = outputs.first(where: { Self.isFolder($0.file) }) else {
      try arguments.refuse([.resume], "needs a folder for the results: -o FOLDER/")
      return nil
    }
    if let file = outputs.first(where: { !Self.isFolder($0.file) }) {
      throw .usage(
        "--\(folder.option.long) \(folder.file) is a folder, where each file has results of its own; "
          + "then --\(file.option.long) \(file.file) cannot be one file: name a folder, \(file.file)/")
    }
    if arguments[.writeBaseline] {
      throw .usage("--write-baseline is one file for all inputs: write it in a run without folders")
    }
    if arguments.operands.contains("-") {
      throw .usage("standard input has no name that results in a folder could bear")
    }
    try checkStandardOutput()
  }

  /// A path that ends in a slash, or leads to a folder.
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/") || (stat(path, &status) == 0 && mrdp_is_directory(&status) != 0)
  }

  /// Results of many runs on standard output make sense where one may follow the other, and are lost for a run that goes on.
  private func checkStandardOutput() throws(CommandError) {
    guard arguments.verb.reports, !arguments[.output] else { return }
    let form = arguments.text(.reportFormat([])) ?? ReportFormat.text.rawValue
    guard ["text", "json", "github"].contains(form) else {
      throw .usage("results of several files as \(form) need a folder: -o FOLDER/")
    }
    try arguments.refuse([.resume], "needs a folder for all results: -o FOLDER/")
  }

  // MARK: - The run

  func run() throws(CommandError) -> ExitCode {
    let steps = try self.steps()
    try makeFolders()
    let messages = Messages(quiet: arguments[.quiet])
    messages.notesSummaries = false
    session.messages = messages
    let checkpoint = try arguments.text(.resume).map { (file) throws(CommandError) in
      try job { () throws(JobError) in try Checkpoint(file, job: jobWords) }
    }
    var totals = Totals()
    var worst = ExitCode.fine
    var isComplete = true
    for (number, step) in steps.enumerated() {
      if let record = checkpoint?.record(of: step.file, outputs: step.outputs) {
        totals.add(record.totals)
        worst = worst.worse(ExitCode(rawValue: Int32(record.code)) ?? .failure)
        continue
      }
      messages.file = (number, steps.count)
      let stamp = checkpoint?.stamp(step.file)
      let (code, isDone) = try run(step, number, of: steps.count)
      worst = worst.worse(code)
      isComplete = isComplete && isDone
      guard let context = session.context else { continue }
      let part = JobTotals(context.summary)
      totals.add(part)
      guard isDone, let checkpoint, let stamp else { continue }
      try job { () throws(JobError) in
        try checkpoint.note(step.file, stamp, code: Int(code.rawValue), outputs: step.outputs, totals: part)
      }
    }
    if isComplete { checkpoint?.remove() }
    if arguments[.summary] { for line in totals.lines { messages.note(line) } }
    return worst
  }

  /// What is wrong with one file does not stop the others; what is wrong with the options stops the first.
  private func run(
    _ step: Step, _ number: Int, of count: Int
  ) throws(CommandError) -> (code: ExitCode, isDone: Bool) {
    session.context = nil
    do throws(CommandError) {
      let code = try step.arguments.verb.run(step.arguments)
      return (code, session.context?.failedFiles == 0)
    } catch {
      switch error {
      case .interrupted:
        let goesOn = arguments[.resume] ? "; the same command goes on from there" : ""
        throw .interrupted(
          "interrupted at \(step.file)\(session.progress): \(number) of \(count) files are done\(goesOn)")
      case .usage(let message), .failed(let message):
        guard session.context != nil else { throw error }
        session.messages?.error(message)
        return (.failure, false)
      case .closedPipe: throw error
      }
    }
  }

  /// Everything that results depend on; how fast they come, and what is told beside them, is not.
  private var jobWords: [String] {
    arguments.words(without: [.resume, .filesFrom, .threads, .quiet, .summary, .isolate, .timeLimit, .memoryLimit])
  }

  private func makeFolders() throws(CommandError) {
    for folder in arguments.outputs.map(\.file) {
      var path = ""
      for part in folder.split(separator: "/") {
        path += (path.isEmpty && !folder.hasPrefix("/") ? "" : "/") + part
        guard mkdir(path, 0o777) == 0 || mrdp_errno() == EEXIST else {
          throw .failed("\(folder): \(systemMessage(mrdp_errno()))")
        }
      }
    }
  }

  // MARK: - Names

  private func steps() throws(CommandError) -> [Step] {
    var steps: [Step] = []
    var makers: [String: String] = [:]
    for file in arguments.operands {
      let one = arguments.of(file) { option, value in output(option, value, of: file) }
      let outputs = one.outputs.map(\.file)
      try one.checkOutputs()
      for output in outputs {
        if let other = makers.updateValue(file, forKey: output) {
          throw .usage(
            "\(other) and \(file) would both be written to \(output): names of files in one folder must differ")
        }
      }
      steps.append(Step(file: file, arguments: one, outputs: outputs))
    }
    return steps
  }

  /// The value of an option for one file.
  private func output(_ option: Option, _ value: String, of file: String) -> String {
    switch option.long {
    case Option.report.long:
      let (form, folder) = Arguments.formAndFile(value)
      return "\(form)=" + path(folder, Self.stem(file) + "." + (ReportFormat(rawValue: form)?.fileEnding ?? form))
    case Option.changes.long: return path(value, Self.stem(file) + ".changes.csv")
    case Option.repair.long: return path(value, featureName(file, nil))
    default:
      guard arguments.verb.reports else {
        return path(value, featureName(file, arguments.text(.writeFormat).flatMap(Format.init(rawValue:))))
      }
      let form = arguments.text(.reportFormat([])).flatMap(ReportFormat.init(rawValue:)) ?? .text
      return path(value, Self.stem(file) + "." + form.fileEnding)
    }
  }

  private func path(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// A file keeps its name, unless it gets another format.
  private func featureName(_ file: String, _ format: Format?) -> String {
    let own = Format(fileName: file)
    let format = format ?? own ?? arguments.text(.from).flatMap(Format.init(rawValue:)) ?? .geojson
    return own == format ? Self.name(file) : Self.stem(file) + "." + format.fileEnding
  }

  private static func name(_ file: String) -> String { file.split(separator: "/").last.map(String.init) ?? file }

  /// The name without the ending of a format.
  private static func stem(_ file: String) -> String {
    let name = name(file)
    guard Format(fileName: name) != nil, let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}

extension ExitCode {
  /// That of a run of which both are parts.
  fileprivate func worse(_ other: ExitCode) -> ExitCode { other.rawValue > rawValue ? other : self }
}
