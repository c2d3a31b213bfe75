// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

/// The command: from words to an exit code.
enum Command {
  static func run(_ words: [String]) -> ExitCode {
    let verb = Verb.find(words)
    do throws(CommandError) {
      if let verb { return try run(verb.verb, Array(words.dropFirst(verb.words))) }
      return try runWithoutVerb(words)
    } catch {
      return report(error, verb?.verb)
    }
  }

  private static func run(_ verb: Verb, _ words: [String]) throws(CommandError) -> ExitCode {
    var arguments = try Arguments(verb, words)
    if arguments[.help] {
      try printOut(HelpText.text(verb))
      return .fine
    }
    try arguments.resolveOperands()
    if let run = try FolderRun(arguments) { return try run.run() }
    try arguments.checkOutputs()
    do throws(CommandError) {
      return try verb.run(arguments)
    } catch {
      guard case .interrupted = error else { throw error }
      let lost = arguments.outputs.isEmpty ? "" : "; no file was written"
      throw .interrupted("interrupted" + arguments.session.progress + lost)
    }
  }

  private static func runWithoutVerb(_ words: [String]) throws(CommandError) -> ExitCode {
    guard let word = words.first else { throw .usage("a verb is missing") }
    if word == "--help" || word == "-h" {
      try printOut(HelpText.overview)
      return .fine
    }
    if word == "--version" { return try Verb.version.run(try Arguments(.version, [])) }
    guard !Verb.group(word).isEmpty else {
      let near = nearest(word, Verb.all.map(\.name))
      throw .usage("unknown verb '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    guard words.count > 1, words[1] == "--help" || words[1] == "-h" else {
      let seconds = Verb.group(word).map { String($0.name.dropFirst(word.count + 1)) }
      throw .usage("\(word) needs one of \(seconds.joined(separator: ", "))")
    }
    try printOut(HelpText.group(word))
    return .fine
  }

  private static func report(_ error: CommandError, _ verb: Verb?) -> ExitCode {
    let messages = Messages(quiet: false)
    switch error {
    case .usage(let message):
      messages.error(message)
      messages.note("see 'meridian \(verb.map { $0.name + " " } ?? "")--help'")
      return .failure
    case .failed(let message):
      messages.error(message)
      return .failure
    case .interrupted(let message):
      messages.note(message)
      return .interrupted
    case .closedPipe:
      return .fine
    }
  }
}

/// Writes text to standard output.
func printOut(_ text: String) throws(CommandError) {
  try job { () throws(JobError) in
    let output = try ReportOutput(nil)
    try output.write(text)
    try output.finish()
  }
}
