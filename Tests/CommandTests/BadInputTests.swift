// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

@testable import meridian_cli

/// Whatever comes in, the command answers with a sentence that names the file, and with code 2.
@Suite struct BadInputTests {
  private func refused(_ words: [String], input: String = "", says text: String) throws {
    let answer = try Shell.withKernels(words, input: input)
    #expect(answer.code == 2, "\(words): \(answer.err)")
    #expect(answer.err.contains(text), "\(words): \(answer.err)")
    #expect(answer.err.hasPrefix("meridian: error: "), "\(answer.err)")
  }

  @Test(arguments: [
    "{", "[1,2", #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point""#, "nonsense",
    #"{"type":"FeatureCollection"}"#, "\u{0}\u{1}\u{2}",
  ])
  func malformedJSON(text: String) throws {
    let folder = try Scratch()
    let file = try folder.write(text, to: "bad.geojson")
    try refused(["measure", "--crs", "planar", file], says: file)
  }

  @Test func emptyFileDirectoryAndMissingFile() throws {
    let folder = try Scratch()
    let empty = try folder.write("", to: "empty.geojson")
    try refused(["measure", "--crs", "planar", empty], says: empty)
    try refused(["measure", folder.path], says: folder.path)
    try refused(["measure", "--from", "geojson", folder.path], says: "directory")
    try refused(["measure", folder.path + "/none.geojson"], says: "none.geojson")
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything")) func noPermission() throws {
    let folder = try Scratch()
    let file = try folder.write("{}", to: "secret.geojson")
    chmod(file, 0)
    try refused(["measure", file], says: "ermission denied")
  }

  @Test func truncatedDatabaseAndBinary() throws {
    let folder = try Scratch()
    let database = try folder.write("SQLite format 3\0 and nothing else", to: "cut.gpkg")
    try refused(["measure", database], says: "cut.gpkg")
    let answer = try Shell.withKernels(
      ["measure", "--crs", "planar", "--from", "wkb", "-"], input: "010300000001000000FFFFFFFF0000000000000000\n")
    #expect(answer.code == 2, "\(answer.err)")
  }

  @Test func unknownFormatAndStandardInputWithoutOne() throws {
    let folder = try Scratch()
    let file = try folder.write("0123456789", to: "what.xyz")
    try refused(["measure", file], says: "what.xyz")
    try refused(["measure", "-"], says: "'-' is standard input and needs --from")
    try refused(["measure", "--from", "shapefile", file], says: "--from is one of geojson,")
  }

  @Test func unknownKernelAndMalformedRule() throws {
    try refused(["measure", "--kernel", "measure=nobody", Sample.problems], says: "nobody")
    try refused(["measure", "--kernel", "nonsense.area=native", Sample.problems], says: "nonsense")
    try refused(["measure", "--require", "measure.area error<=cheese", Sample.problems], says: "cheese")
    try refused(["kernels", "info", "nobody"], says: "no kernel is called 'nobody'")
  }

  @Test func wrongOptionsOfVerbs() throws {
    try refused(["simplify", Sample.problems], says: "needs --tolerance")
    try refused(["simplify", "--tolerance", "-1", Sample.problems], says: "negative")
    try refused(["simplify", "--tolerance", "1", "--unit", "px", Sample.problems], says: "--zoom")
    for level in ["31", "-1", "inf", "1e9"] {
      try refused(
        ["simplify", "--tolerance", "1", "--unit", "px", "--zoom", level, Sample.problems],
        says: "--zoom needs a level from 0 to 30, not '\(level)'")
    }
    let compare = ["compare", "--kernels", "a,b", "--op", "snap.grid", Sample.problems]
    try refused(compare + ["--tolerance", "-1"], says: "--tolerance needs a number that is not negative")
    try refused(compare + ["--grid", "0"], says: "--grid needs a number above 0")
    try refused(compare + ["--allow", "-1e-9"], says: "--allow needs a number that is not negative")
    try refused(["snap", Sample.problems], says: "exactly one of --grid, --to, --pairs and --self")
    try refused(["snap", "--grid", "0", Sample.problems], says: "above 0")
    try refused(["snap", "--self", Sample.problems], says: "--tolerance")
    try refused(["index", "build", Sample.problems], says: "needs -o")
    try refused(["index", "query", Sample.problems], says: "needs --window")
    try refused(["index", "query", "--window", "1,2,3", Sample.problems], says: "--window is XMIN,YMIN,XMAX,YMAX")
    for window in ["11,45,5,48", "170,-10,-170,10", "5,48,11,45"] {
      try refused(
        ["index", "query", "--window", window, Sample.problems], says: "a minimum may not be above its maximum")
    }
    try refused(["snap", "--grid", "1000", "-u", "m", Sample.problems], says: "--grid takes no --unit")
    try refused(["bench", "potatoes"], says: "there are abi, measure")
    try refused(
      ["compare", "--op", "area", "--kernels", "a,b", Sample.problems], says: "did you mean measure.area?")
    try refused(["compare", "--op", "potato", "--kernels", "a,b", Sample.problems], says: "there are measure.length")
    for body in ["potato", "1e308,298", "1e-9"] {
      try refused(["measure", "--ellipsoid", body, Sample.problems], says: "--ellipsoid is")
    }
    try refused(["index"], says: "index needs one of build, query, nearest")
  }

  @Test func unwritableOutputLeavesNothing() throws {
    let folder = try Scratch()
    try refused(
      ["convert", "-o", folder.path + "/none/out.geojson", Sample.problems], says: folder.path + "/none/out.geojson")
    try refused(["measure", "--crs", "planar", "-o", Sample.problems + "/", Sample.problems], says: Sample.problems)
    try refused(["measure", "--crs", "planar", "-o", "/dev/full", Sample.problems], says: "/dev/full")
    try refused(["convert", "-o", "/dev/full", Sample.problems], says: "/dev/full")
    #expect(folder.names.isEmpty)
  }

  @Test func failedWorkKeepsTheOldFile() throws {
    let folder = try Scratch()
    let old = try folder.write("old", to: "out.geojson")
    let bad = try folder.write(#"{"type":"FeatureCollection","features":[{"type":"Feature","#, to: "bad.geojson")
    try refused(["convert", "-o", old, bad], says: bad)
    #expect(try folder.read("out.geojson") == "old")
    #expect(folder.names == ["bad.geojson", "out.geojson"])
  }

  @Test func otherFilesGoOn() throws {
    let answer = try Shell.withKernels(
      ["measure", "--crs", "planar", "--format", "json", "/nowhere/none.geojson", Sample.problems])
    #expect(answer.code == 2)
    #expect(answer.lines.count == 9)
    #expect(answer.err.contains("/nowhere/none.geojson"))
  }

  @Test func brokenPipeIsQuiet() throws {
    let script = """
      for i in $(seq 2000); do echo '{"type":"Point","coordinates":[1,2]}'; done \
        | "\(Shell.products)/meridian-cli" measure --crs planar --from geojsonseq - | head -1
      echo "${PIPESTATUS[1]}"
      """
    let answer = try Shell.run("/bin/bash", ["--norc", "-c", script], environment: Kernels.environment)
    #expect(answer.lines.last == "0", "\(answer.out) \(answer.err)")
    #expect(answer.err.isEmpty, "\(answer.err)")
  }

  @Test func interruptEndsWith130AndRemovesTheTemporaryFile() throws {
    let folder = try Scratch()
    let pipe = folder.path + "/in"
    try #require(mkfifo(pipe, 0o600) == 0)
    for name in ["out", "err"] { try folder.write("", to: name) }
    // Open for reading and writing, so that neither side waits for the other to come.
    let keep = open(pipe, O_RDWR)
    defer { close(keep) }
    let child = try Shell.spawn(
      Shell.products + "/meridian-cli",
      ["measure", "--crs", "planar", "-o", folder.path + "/result.csv", "--format", "csv", "--from", "wkt", "-"],
      Kernels.environment, files: [pipe, folder.path + "/out", folder.path + "/err"])
    // Wait until it has made its temporary file; then it is reading.
    for _ in 0..<200 where folder.names.count < 4 { usleep(20_000) }
    #expect(folder.names.count == 4, "\(folder.names)")
    kill(child, SIGINT)
    #expect(Shell.wait(for: child) == 130)
    #expect(folder.names == ["err", "in", "out"])
  }

  @Test func closedStandardFilesAreNotTakenForOthers() throws {
    let folder = try Scratch()
    try folder.write("POINT (1 2)\n", to: "in.wkt")
    let script = """
      "\(Shell.products)/meridian-cli" convert -o "\(folder.path)/out.wkt" "\(folder.path)/in.wkt" <&- >&- 2>&-
      echo $?
      "\(Shell.products)/meridian-cli" convert --format wkt "\(folder.path)/in.wkt" <&- >&-
      echo $?
      """
    let answer = try Shell.run("/bin/bash", ["--norc", "-c", script], environment: Kernels.environment)
    #expect(answer.lines == ["0", "2"], "\(answer.err)")
    #expect(answer.err.contains("writing failed"), "\(answer.err)")
    #expect(try folder.read("out.wkt") == "POINT (1 2)\n")
  }

  @Test func hangupIsIgnoredUnderNohup() throws {
    let folder = try Scratch()
    let script = """
      trap '' HUP
      { sleep 0.5; echo 'POINT (1 2)'; } | "\(Shell.products)/meridian-cli" convert --from wkt --format wkt - > "$0" &
      sleep 0.2; kill -HUP $!; wait $!
      echo $?
      """
    let answer = try Shell.run("/bin/bash", ["--norc", "-c", script, folder.path + "/out"])
    #expect(answer.lines == ["0"], "\(answer.err)")
    #expect(try folder.read("out") == "POINT (1 2)\n")
  }
}
