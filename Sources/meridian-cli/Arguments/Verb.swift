// SPDX-License-Identifier: Apache-2.0

/// One verb of the command: the row of the table from which parsing, help and completion come.
struct Verb: Sendable {
  struct Example: Sendable {
    let line: String
    let meaning: String
  }

  /// "validate", "index build".
  let name: String
  /// One line for the list of verbs.
  let summary: String
  /// What stands after the options: "FILE...".
  let operands: String
  /// How many operands are taken.
  let operandCount: ClosedRange<Int>
  /// More to know, in lines; may be empty.
  let notes: [String]
  let options: [Option]
  let examples: [Example]
  let run: @Sendable (Arguments) throws(CommandError) -> ExitCode

  static let all: [Verb] =
    [
      .measure, .validate, .simplify, .snap, .indexBuild, .indexQuery, .indexNearest, .storePublish, .storeStatus,
      .compare, .bench, .benchSnapTolerance, .convert, .kernels,
      .kernelsInfo, .completions, .version, .help,
    ]

  /// True when the operands are files of features.
  var readsFiles: Bool { options.contains { $0.long == Option.filesFrom.long } }

  /// True when results are rows of a report, and not features.
  var reports: Bool { options.contains { $0.long == Option.reportFormat([]).long && $0.choices.contains("text") } }
  /// True when it may be run once for each file, with results in folders.
  var resumes: Bool { options.contains { $0.long == Option.resume.long } }

  /// The verb that the words begin with, longest name first, and how many words its name has.
  static func find(_ words: [String]) -> (verb: Verb, words: Int)? {
    if words.count >= 2, let verb = all.first(where: { $0.name == words[0] + " " + words[1] }) { return (verb, 2) }
    if let word = words.first, let verb = all.first(where: { $0.name == word }) { return (verb, 1) }
    return nil
  }

  /// The verbs "index build", ... of the group "index"; empty when it is none.
  static func group(_ word: String) -> [Verb] { all.filter { $0.name.hasPrefix(word + " ") } }
}

/// What the process ends with; documented in docs/command.md.
enum ExitCode: Int32, Sendable {
  case fine = 0
  /// `validate` found invalid rows; `compare` found rows that differ; `store` a conflict.
  case findings = 1
  /// Wrong usage, or input or output that could not be read or written.
  case failure = 2
  /// Ended by Ctrl-C or a termination signal.
  case interrupted = 130
}
