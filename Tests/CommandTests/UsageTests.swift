// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import meridian_cli

@Suite struct UsageTests {
  @Test func noVerbUnknownVerbAndMistypedVerb() throws {
    let none = try Shell.meridian([])
    #expect(none.code == 2)
    #expect(none.out.isEmpty)
    let unknown = try Shell.meridian(["frobnicate"])
    #expect(unknown.code == 2)
    #expect(unknown.err.contains("unknown verb 'frobnicate'"))
    #expect(try Shell.meridian(["verson"]).err.contains("did you mean 'version'?"))
  }

  @Test func unknownOptionNamesTheNearest() throws {
    let answer = try Shell.meridian(["version", "--hlep"])
    #expect(answer.code == 2)
    #expect(answer.err.contains("version has no option --hlep; did you mean --help?"))
    #expect(answer.err.contains("see 'meridian version --help'"))
  }

  /// A verb that takes one of everything, to hold the parser against.
  private static let probe = Verb(
    name: "probe", summary: "", operands: "FILE...", operandCount: 0...3, notes: [],
    options: [
      Option("flag", "f", meaning: ""), Option("other", "x", meaning: ""),
      Option("text", "t", .text("T"), repeats: true, meaning: ""),
      Option("number", nil, .number("N"), meaning: ""), Option("count", "k", .integer("K", atLeast: 1), meaning: ""),
      Option("choice", nil, .choice(["a", "b"]), meaning: ""), .help,
    ], examples: [], run: { (_) throws(CommandError) in .fine })

  @Test func valuesInEverySpelling() throws {
    let words = ["-fx", "one", "--text=a=b", "--text", "-7", "-tc", "--number", "-1.5", "-k=3", "--", "--flag"]
    let arguments = try Arguments(Self.probe, words)
    #expect(arguments.operands == ["one", "--flag"])
    #expect(arguments[Self.probe.options[0]] && arguments[Self.probe.options[1]])
    #expect(arguments.texts(Self.probe.options[2]) == ["a=b", "-7", "c"])
    #expect(arguments.number(Self.probe.options[3]) == -1.5)
    #expect(arguments.integer(Self.probe.options[4]) == 3)
  }

  @Test func choicesWithHyphensOrUnderscores() throws {
    for word in ["great_circle", "great-circle"] {
      #expect(try Arguments(.measure, ["--edges", word, "file"]).text(.edges) == "great_circle")
      #expect(try Arguments(.measure, ["--edges", word, "file"]).treatment().edges == 1)
    }
    #expect(try Arguments(.simplify, ["--method", "douglas_peucker", "file"]).text(.method) == "douglas-peucker")
  }

  @Test(arguments: [
    ["--text"], ["--number", "one"], ["--number", "nan"], ["-k", "0"], ["-k", "99999999999999999999"],
    ["--choice", "c"], ["--flag=1"], ["-z"], ["1", "2", "3", "4"], ["--text="], ["--" + "flags"],
  ])
  func wrongUsageIsRefused(words: [String]) {
    #expect(throws: CommandError.self) { try Arguments(Self.probe, words) }
  }
}
