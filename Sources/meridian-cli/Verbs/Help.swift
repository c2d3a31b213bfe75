// SPDX-License-Identifier: Apache-2.0

extension Verb {
  static let help = Verb(
    name: "help",
    summary: "explain a verb",
    operands: "[VERB]",
    operandCount: 0...2,
    notes: [],
    options: [.help],
    examples: [
      Example(line: "meridian help", meaning: "list the verbs"),
      Example(line: "meridian help index build", meaning: "explain one"),
    ],
    run: { (arguments) throws(CommandError) in
      let words = arguments.operands
      guard let word = words.first else {
        try printOut(HelpText.overview)
        return .fine
      }
      if let (verb, count) = Verb.find(words), count == words.count {
        try printOut(HelpText.text(verb))
      } else if words.count == 1, !Verb.group(word).isEmpty {
        try printOut(HelpText.group(word))
      } else {
        throw .usage("unknown verb '\(words.joined(separator: " "))'")
      }
      return .fine
    })
}
