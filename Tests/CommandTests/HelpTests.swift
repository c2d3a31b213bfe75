// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import meridian_cli

@Suite struct HelpTests {
  @Test func overviewNamesEveryVerbAndTheExitCodes() throws {
    let help = try Shell.meridian(["--help"])
    #expect(help.code == 0)
    for verb in Verb.all { #expect(help.lines.contains { $0.hasPrefix("  \(verb.name) ") }, "\(verb.name)") }
    #expect(help.out.contains("Exit codes: 0 fine; 1 findings"))
    #expect(help.err.isEmpty)
  }

  @Test func everyVerbExplainsItsOptionsWithExamples() throws {
    for verb in Verb.all {
      let words = verb.name.split(separator: " ").map(String.init)
      let help = try Shell.meridian(words + ["--help"])
      #expect(help.code == 0, "\(verb.name)")
      for option in verb.options { #expect(help.out.contains(option.spelling), "\(verb.name) \(option.long)") }
      #expect(!verb.examples.isEmpty, "\(verb.name)")
      for example in verb.examples { #expect(help.out.contains(example.line), "\(verb.name)") }
      #expect(try Shell.meridian(["help"] + words).out == help.out, "\(verb.name)")
    }
  }

  /// A terminal of a usual width, and the page that shows the text, break no line. What is there to be copied stays in one.
  @Test func linesOfHelpAreNotTooLong() throws {
    for text in [HelpText.overview] + Verb.all.map(HelpText.text) {
      let examples = Set(Verb.all.flatMap(\.examples).map { "  " + $0.line })
      for line in text.split(separator: "\n") where !examples.contains(String(line)) {
        #expect(line.count <= 120, "\(line)")
      }
    }
  }

  @Test func examplesParse() throws {
    for verb in Verb.all {
      for example in verb.examples where example.line.hasPrefix("meridian ") && !example.line.contains("|") {
        let words = example.line.split(separator: " ").dropFirst().map { $0.filter { $0 != "'" } }
        guard !words.contains(">"), !words.contains("<") else { continue }
        let found = try #require(Verb.find(words), "\(example.line)")
        #expect(found.verb.name == verb.name, "\(example.line)")
        #expect(throws: Never.self, "\(example.line)") {
          _ = try Arguments(found.verb, Array(words.dropFirst(found.words)))
        }
      }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsHoldEveryOption(shell: String) throws {
    let script = try Shell.meridian(["completions", shell])
    #expect(script.code == 0)
    for verb in Verb.all {
      for option in verb.options {
        let spelled = shell == "fish" ? "-l \(option.long)" : "--\(option.long)"
        #expect(script.out.contains(spelled), "\(verb.name) \(option.long)")
      }
    }
  }

  @Test func bashReadsItsScript() throws {
    let script = try Shell.meridian(["completions", "bash"]).out
    let folder = try Scratch()
    let path = try folder.write(script, to: "completion")
    let probe = """
      source \(path); COMP_WORDS=(meridian help --h); COMP_CWORD=2; _meridian; echo "${COMPREPLY[@]}"
      COMP_WORDS=(meridian comp); COMP_CWORD=1; _meridian; echo "${COMPREPLY[@]}"
      """
    let answer = try Shell.run("/bin/bash", ["--norc", "-c", probe])
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.lines.first == "--help")
    #expect(answer.lines.last?.contains("completions") == true)
  }

  /// Kernels come from the command itself, so that a plug-in of the user's is offered too.
  @Test(
    .enabled(if: Kernels.has("native") && Kernels.has("geos")),
    arguments: [
      (["measure", "--kernel", "nat"], "native"), (["compare", "--kernels", "native,ge"], "native,geos"),
      (["measure", "--kernel", "measure.area", "=", "nat"], "native"), (["measure", "--kernel", "=", "nat"], "native"),
      (["compare", "--op", "simplify.cov"], "simplify.coverage"), (["bench", "sna"], "snap-tolerance snap"),
      (["kernels", "info", "geo"], "geos"), (["completions", "fi"], "fish"), (["help", "snap"], "snap"),
      (["measure", "--kernel", "geos", "no-such-fi"], ""),
    ])
  func bashOffersWhatAWordMayBe(words: [String], offered: String) throws {
    let folder = try Scratch()
    let path = try folder.write(try Shell.meridian(["completions", "bash"]).out, to: "completion")
    let probe = """
      meridian() { "\(Shell.products)/meridian-cli" "$@"; }
      source \(path); COMP_WORDS=(meridian \(words.joined(separator: " "))); COMP_CWORD=\(words.count)
      _meridian; echo "${COMPREPLY[@]}"
      """
    let answer = try Shell.run("/bin/bash", ["--norc", "-c", probe], environment: Kernels.environment)
    #expect(answer.out == offered + "\n", "\(answer.err)")
  }

  @Test func versionIsOneLine() throws {
    let version = try Shell.meridian(["version"])
    #expect(version.code == 0)
    #expect(version.lines == ["meridian 0.1.0 (kernel ABI 0.1)"])
    #expect(try Shell.meridian(["--version"]).out == version.out)
  }
}
