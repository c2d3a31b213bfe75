// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The files of docs/ci, run as git and a build service run them.
@Suite(.enabled(if: Kernels.has("native", "validate.valid"))) struct RecipeTests {
  private static let bowTie = #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}"#
  private static let point = #"{"type":"Point","coordinates":[1,2]}"#
  private static let hasGit = (try? Shell.run("/usr/bin/env", ["git", "--version"]).code) == 0

  /// A folder with folders in it.
  private final class Tree {
    let path = FileManager.default.temporaryDirectory.path + "/meridian-recipes-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
      let file = URL(fileURLWithPath: path + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
    func read(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    /// Runs a line of a shell in the folder, with the command under its name.
    func sh(_ line: String, _ environment: [String: String] = [:]) throws -> Outcome {
      var all = Kernels.environment.merging(environment) { $1 }
      all["HOME"] = path + "/home"
      all["GIT_CONFIG_NOSYSTEM"] = "1"
      let script = "cd '\(path)' && meridian() { '\(Shell.products)/meridian-cli' \"$@\"; } && \(line)"
      return try Shell.run("/bin/sh", ["-c", script], environment: all)
    }
  }

  private func repository() throws -> Tree {
    let tree = try Tree()
    let made = try tree.sh(
      "git init -q . && git config user.name x && git config user.email x@example.org && "
        + "mkdir -p .git/hooks && cp '\(Shell.root)/docs/ci/pre-commit' .git/hooks/pre-commit")
    #expect(made.code == 0, "\(made.err)")
    return tree
  }

  private func commit(_ tree: Tree, _ more: String = "git add -A") throws -> Outcome {
    try tree.sh("\(more) && git commit -q -m x", ["MERIDIAN": Shell.products + "/meridian-cli"])
  }

  @Test(.enabled(if: hasGit)) func theHookJudgesWhatIsCommitted() throws {
    let tree = try repository()
    try tree.write(Self.point, to: "data/a point.geojson")
    try tree.write("no geometry", to: "notes.txt")
    #expect(try commit(tree).code == 0)
    // Nothing to judge.
    try tree.write("still none", to: "notes.txt")
    #expect(try commit(tree).code == 0)

    try tree.write(Self.bowTie, to: "data/-bow tie.geojson")
    let stopped = try commit(tree)
    #expect(stopped.code == 1, "\(stopped.err)")
    #expect((stopped.out + stopped.err).contains("data/-bow tie.geojson:0: error CROSSING"), "\(stopped.err)")
    #expect(stopped.err.contains("the commit is stopped"))

    // The index counts, not the working tree: in both directions.
    try tree.write(Self.point, to: "data/-bow tie.geojson")
    #expect(try commit(tree, "true").code == 1)
    #expect(try commit(tree).code == 0)
    try tree.write(Self.bowTie, to: "data/a point.geojson")
    try tree.write("other", to: "notes.txt")
    #expect(try commit(tree, "git add notes.txt").code == 0)
    #expect(try tree.sh("git log --oneline").lines.count == 4)
  }

  @Test(.enabled(if: hasGit)) func theHookKnowsTheBaselineAndTheRules() throws {
    let tree = try repository()
    try tree.write(Self.bowTie, to: "data/old.geojson")
    let begun = try tree.sh(
      "mkdir .meridian && meridian validate --write-baseline .meridian/baseline.json data/*.geojson")
    #expect(begun.code == 0, "\(begun.err)")
    #expect(try commit(tree).code == 0)
    try tree.write(Self.bowTie, to: "data/new.geojson")
    #expect(try commit(tree).code == 1)
    try tree.write(#"{"rules": {"CROSSING": "warning"}}"#, to: ".meridian/rules.json")
    #expect(try commit(tree).code == 0)
    // Rules and the baseline are those of the index as well: `git add` of all was not asked for.
    try tree.write(#"{"rules": {"CROSSING": "error"}}"#, to: ".meridian/rules.json")
    try tree.write(Self.bowTie, to: "data/newer.geojson")
    #expect(try commit(tree, "git add data").code == 0)
    try tree.write(#"{"rules": {"CROSSING": "off"}}"#, to: ".meridian/rules.json")
    #expect(try tree.sh("git reset -q --soft HEAD~1 && git rm -q --cached .meridian/rules.json").code == 0)
    #expect(try commit(tree, "true").code == 1)
    // Without the command nothing is waved through.
    let missing = try tree.sh("touch x && git add x && git commit -q -m x", ["MERIDIAN": "/nowhere/meridian"])
    #expect(missing.code == 1 && missing.err.contains("is not installed"), "\(missing.err)")
  }

  /// The scripts of the steps of the workflow that have one, by their names.
  private static func steps() throws -> [String: String] {
    let text = try String(contentsOfFile: Shell.root + "/docs/ci/geometries.yml", encoding: .utf8)
    var (steps, name, inside): ([String: String], String, Bool) = ([:], "", false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("      - ") {
        name = line.hasPrefix("      - name: ") ? String(line.dropFirst(14)) : ""
        inside = false
      } else if line == "        run: |" {
        inside = true
      } else if inside, line.hasPrefix("          ") {
        steps[name, default: ""] += line.dropFirst(10) + "\n"
      }
    }
    return steps
  }

  @Test func theWorkflowsStepWritesItsReportsAndFailsOnWhatIsNew() throws {
    let step = try #require(try Self.steps()["Validate"])
    let tree = try Tree()
    try tree.write(step, to: "step.sh")
    // The name stands for the command in programs that xargs starts too.
    try tree.write("#!/bin/sh\nexec '\(Shell.products)/meridian-cli' \"$@\"\n", to: "bin/meridian")
    func run() throws -> Outcome {
      try tree.sh("chmod +x bin/meridian && PATH=\"$PWD/bin:$PATH\" GEOMETRIES=data bash -e step.sh")
    }
    #expect(try run().code == 1)
    try tree.write(Self.point, to: "data/sub/a point.geojson")
    let fine = try run()
    #expect(fine.code == 0 && !fine.out.contains("::error"), "\(fine.err)")
    try tree.write(Self.bowTie, to: "data/old.geojson")
    let known = "PATH=\"$PWD/bin:$PATH\" meridian validate --write-baseline .meridian/baseline.json data/old.geojson"
    #expect(try tree.sh("mkdir -p .meridian && \(known)").code == 0)
    #expect(try run().code == 0)
    try tree.write(Self.bowTie, to: "data/new.geojson")
    let failed = try run()
    #expect(failed.code != 0)
    #expect(failed.lines.filter { $0.hasPrefix("::error file=data/new.geojson,title=CROSSING::") }.count == 1)
    #expect(!failed.out.contains("old.geojson"))
    for name in ["geometries.sarif", "geometries.xml", "geometries.html"] { #expect(tree.has("reports/" + name)) }
    #expect(try tree.read("reports/geometries.sarif").contains("\"uri\":\"data/new.geojson\""))
  }

  /// What the page tells people to type is what there is.
  @Test func everyStepOfTheWorkflowIsAShellScript() throws {
    let steps = try Self.steps()
    #expect(Set(steps.keys) == ["Install Meridian", "Validate"])
    let tree = try Tree()
    for (name, step) in steps {
      try tree.write(step, to: "step.sh")
      #expect(try tree.sh("bash -n step.sh").code == 0, "\(name)")
    }
  }
}
