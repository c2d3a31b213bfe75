// SPDX-License-Identifier: Apache-2.0

extension Verb {
  static let completions = Verb(
    name: "completions",
    summary: "print a completion script for a shell",
    operands: CompletionScript.shells.joined(separator: "|"),
    operandCount: 1...1,
    notes: [],
    options: [.help],
    examples: [
      Example(line: "source <(meridian completions bash)", meaning: "for this bash session"),
      Example(
        line: "meridian completions zsh > ~/.zfunc/_meridian", meaning: "for zsh, when ~/.zfunc is in fpath"),
      Example(line: "meridian completions fish | source", meaning: "for this fish session"),
    ],
    run: { (arguments) throws(CommandError) in
      let shell = arguments.operands[0]
      guard let script = CompletionScript.text(for: shell) else {
        throw .usage("completions knows \(CompletionScript.shells.joined(separator: ", ")), not '\(shell)'")
      }
      try printOut(script)
      return .fine
    })
}
