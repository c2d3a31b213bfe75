// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// The words of the command line, held against the options of one verb.
struct Arguments {
  let verb: Verb
  let session = Session()
  private(set) var operands: [String] = []
  private var given: [(long: String, value: String)] = []

  /// Parses what follows the verb. `--` ends the options, `-` is an operand, and an option's value may be the next word
  /// (whatever it begins with) or follow `=`.
  init(_ verb: Verb, _ words: [String]) throws(CommandError) {
    self.verb = verb
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      } else if word.hasPrefix("--") {
        try take(long: word.dropFirst(2), &rest)
      } else if word.hasPrefix("-"), word != "-" {
        try take(short: word.dropFirst(), &rest)
      } else {
        operands.append(word)
      }
    }
    guard !self[.help] else { return }
    try checkOperands()
  }

  /// The operands, where they are files to read, are from now on the files that they stand for.
  mutating func resolveOperands() throws(CommandError) {
    guard verb.readsFiles else { return }
    operands = try InputFiles.resolve(operands, listedIn: text(.filesFrom))
    try checkOperands()
  }

  /// The same for one file of many, with other values for options that are written to.
  func of(_ file: String, outputs: (Option, String) -> String?) -> Arguments {
    var one = self
    one.operands = [file]
    one.given = given.map { long, value in
      guard let option = verb.options.first(where: { $0.long == long }), option.isOutput else { return (long, value) }
      return (long, outputs(option, value) ?? value)
    }
    return one
  }

  /// The options that results depend on, as words, for holding a run against one before it.
  func words(without left: [Option]) -> [String] {
    [verb.name] + given.filter { one in !left.contains { $0.long == one.long } }.map { "--\($0.long)=\($0.value)" }
  }

  private func checkOperands() throws(CommandError) {
    if operands.count < verb.operandCount.lowerBound, !self[.filesFrom] {
      throw .usage("\(verb.name) needs \(verb.operands)")
    }
    if operands.count > verb.operandCount.upperBound {
      throw .usage("\(verb.name) does not take '\(operands[verb.operandCount.upperBound])'")
    }
  }

  private mutating func take(long text: Substring, _ rest: inout ArraySlice<String>) throws(CommandError) {
    let name = text.prefix { $0 != "=" }
    guard let option = verb.options.first(where: { $0.long == name || $0.alias.map { $0 == name } == true }) else {
      let near = nearest(String(name), verb.options.map(\.long))
      throw .usage("\(verb.name) has no option --\(name)" + (near.map { "; did you mean --\($0)?" } ?? ""))
    }
    try take(option, name.endIndex < text.endIndex ? text[text.index(after: name.endIndex)...] : nil, &rest)
  }

  /// `-q`, `-o FILE`, `-oFILE`, and flags run together: `-sq`.
  private mutating func take(short text: Substring, _ rest: inout ArraySlice<String>) throws(CommandError) {
    var letters = text
    while let letter = letters.popFirst() {
      guard let option = verb.options.first(where: { $0.short == letter }) else {
        throw .usage("\(verb.name) has no option -\(letter)")
      }
      if option.value == .none {
        try take(option, nil, &rest)
      } else {
        if letters.first == "=" { letters.removeFirst() }
        try take(option, letters.isEmpty ? nil : letters, &rest)
        return
      }
    }
  }

  private mutating func take(
    _ option: Option, _ attached: Substring?, _ rest: inout ArraySlice<String>
  ) throws(CommandError) {
    if option.value == .none {
      guard attached == nil else { throw .usage("--\(option.long) takes no value") }
      given.append((option.long, ""))
      return
    }
    guard let value = attached.map(String.init) ?? rest.popFirst() else {
      throw .usage("--\(option.long) needs a value")
    }
    try check(value, for: option)
    given.append((option.long, canonical(value, for: option)))
  }

  /// A choice as the option spells it: rules and names of operations have hyphens where others have underscores.
  private func canonical(_ value: String, for option: Option) -> String {
    guard case .choice(let words) = option.value else { return value }
    return words.first { value.isWord($0) } ?? value
  }

  private func check(_ value: String, for option: Option) throws(CommandError) {
    switch option.value {
    case .none: break
    case .text, .file:
      if value.isEmpty { throw .usage("--\(option.long) needs a value that is not empty") }
    case .number:
      guard let number = Double(value), !number.isNaN else {
        throw .usage("--\(option.long) needs a number, not '\(value)'")
      }
    case .integer(_, let least):
      guard let number = Int(value), number >= least else {
        throw .usage("--\(option.long) needs a whole number of at least \(least), not '\(value)'")
      }
    case .choice(let words):
      guard words.contains(where: { value.isWord($0) }) else {
        throw .usage("--\(option.long) is one of \(words.joined(separator: ", ")), not '\(value)'")
      }
    case .formFile(let words):
      let (form, file) = Self.formAndFile(value)
      guard words.contains(form), !file.isEmpty, file != "-" else {
        throw .usage("--\(option.long) needs one of \(words.joined(separator: ", ")), '=' and a file, not '\(value)'")
      }
    }
  }

  /// The parts of `sarif=report.sarif`.
  static func formAndFile(_ value: String) -> (form: String, file: String) {
    let form = value.prefix { $0 != "=" }
    return (String(form), String(value.dropFirst(form.count + 1)))
  }

  /// Options that would be passed over: whoever gives one expects something of it.
  func refuse(_ options: [Option], _ reason: String) throws(CommandError) {
    for option in options where self[option] { throw .usage("--\(option.long) \(reason)") }
  }

  // MARK: - Reading

  /// True when the option was given.
  subscript(_ option: Option) -> Bool { given.contains { $0.long == option.long } }
  /// The last value of an option, nil when it was not given.
  func text(_ option: Option) -> String? { given.last { $0.long == option.long }?.value }
  /// All values of an option that repeats.
  func texts(_ option: Option) -> [String] { given.filter { $0.long == option.long }.map(\.value) }
  /// The files that an option names.
  func files(_ option: Option) -> [String] {
    guard case .formFile = option.value else { return texts(option) }
    return texts(option).map { Self.formAndFile($0).file }
  }
  func number(_ option: Option) -> Double? { text(option).flatMap(Double.init) }
  func integer(_ option: Option) -> Int? { text(option).flatMap { Int($0) } }
}
