// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Which files and rows a run is about, and where the results of many files go.
@Suite(.enabled(if: Kernels.has("native", "validate.valid"))) struct ManyFilesTests {
  private static let point = #"{"type":"Point","coordinates":[1,2]}"#

  @Test func listsAndQuotedPatternsNameFiles() throws {
    let folder = try Scratch()
    for name in ["b.geojson", "a.geojson", "c[1].geojson"] { try folder.write(Self.point, to: name) }
    let path = folder.path
    func files(_ words: [String], input: String = "") throws -> [String] {
      let answer = try Shell.withKernels(["measure", "--crs", "planar", "--format", "csv"] + words, input: input)
      #expect(answer.code == 0, "\(words): \(answer.err)")
      return answer.lines.dropFirst().map { String($0.prefix { $0 != "," }.dropFirst(path.utf8.count + 1)) }
    }
    #expect(try files([path + "/*.geojson"]) == ["a.geojson", "b.geojson", "c[1].geojson"])
    #expect(try files([path + "/c[1].geojson"]) == ["c[1].geojson"], "a file of exactly that name comes first")
    let list = try folder.write("\(path)/b.geojson\r\n\n\(path)/a.geojson", to: "list")
    #expect(try files(["--files-from", list]) == ["b.geojson", "a.geojson"])
    #expect(try files(["--files-from", list, path + "/c*"]) == ["c[1].geojson", "b.geojson", "a.geojson"])
    let nul = "\(path)/a.geojson\0\(path)/b.geojson\0"
    #expect(try files(["--files-from", "-"], input: nul) == ["a.geojson", "b.geojson"])
    for (words, says) in [
      ([path + "/*.shp"], "no file matches"), (["--files-from", path + "/none"], "no such file"),
      (["--files-from", "-", "--from", "wkt", "-"], "standard input cannot be"), ([], "measure needs FILE..."),
      (["--files-from", "/dev/null"], "names no file"),
    ] {
      let answer = try Shell.withKernels(["measure"] + words)
      #expect(answer.code == 2 && answer.err.contains(says), "\(words): \(answer.err)")
    }
  }

  @Test func theFirstRowsAreReadAndNoMore() throws {
    let answer = try Shell.withKernels(["convert", "--rows", "5", "--format", "geojsonseq", Sample.countries])
    let all = try Shell.withKernels(["convert", "--format", "geojsonseq", Sample.countries])
    #expect(answer.lines == Array(all.lines.prefix(5)))
    let more = try Shell.withKernels(["validate", "--rows", "100000", "--summary", Sample.countries])
    #expect(more.out.contains("rows: 177\n"))
    // What is wrong behind them is not seen: row 1 is the first that is not valid.
    let few = try Shell.withKernels(["validate", "--rows", "1", "--jobs", "1", Sample.problems])
    #expect(few.code == 0 && few.out.isEmpty && few.err.isEmpty, "\(few.out)\(few.err)")
  }

  @Test func theOrderIsThatOfTheInputWhateverTheNumberOfJobs() throws {
    let files = [Sample.countries, Sample.problems, Sample.countries]
    let one = try Shell.withKernels(["validate", "-f", "json", "--jobs", "1"] + files)
    #expect(one.lines.count == 177 + 9 + 177)
    for jobs in [["-j", "2"], ["--jobs=5"], ["--threads", "16"]] {
      #expect(try Shell.withKernels(["validate", "-f", "json"] + jobs + files).out == one.out)
    }
  }

  /// Every verb takes the same rows, under the numbers that they have in the file.
  @Test func onlyRowsThatAreNotValid() throws {
    let folder = try Scratch()
    func run(_ words: [String]) throws -> Outcome {
      try Shell.withKernels(words + ["--where-invalid", Sample.problems])
    }
    let report = try run(["validate", "--format", "json"])
    let invalid = try report.objects().map { try #require($0["row"] as? Int) }
    let verdicts = try Shell.withKernels(["validate", "--format", "json", Sample.problems]).objects()
    #expect(invalid == verdicts.filter { $0["valid"] as? Bool == false }.map { $0["row"] as? Int })
    #expect(invalid.count > 3 && invalid.count < verdicts.count)

    let measured = try run(["measure", "--crs", "planar", "--format", "json", "--summary"]).objects()
    #expect(measured.dropLast().map { $0["row"] as? Int } == invalid)
    let summary = try #require(measured.last?["summary"] as? [String: Any])
    #expect(summary["selected"] as? Int == invalid.count && summary["rows"] as? Int == verdicts.count)

    let converted = try run(["convert", "--format", "geojsonseq"])
    let all = try Shell.withKernels(["convert", "--format", "geojsonseq", Sample.problems]).lines
    #expect(converted.lines == invalid.map { all[$0] })

    let (out, changes) = (folder.path + "/fixed.geojsonl", folder.path + "/changes.json")
    _ = try run(["validate", "--repair", out, "--changes", changes])
    #expect(try folder.read("fixed.geojsonl").split(separator: "\n").count == invalid.count)
    let left = try Shell.withKernels(["validate", "--format", "json", out]).objects().count {
      $0["valid"] as? Bool == false
    }
    #expect(left == 0)
    let changed = try folder.read("changes.json").split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(changed.map { $0?["row"] as? Int } == invalid)

    let self_ = try run(["snap", "--self", "--tolerance", "1"])
    #expect(self_.code == 2 && self_.err.contains("would leave out rows"), "\(self_.err)")
  }

  // MARK: - Folders

  @Test func eachFileHasResultsOfItsOwnInAFolder() throws {
    let (folder, out) = (try Scratch(), try Scratch())
    for name in ["a.geojson", "b.geojsonl"] {
      #expect(try Shell.withKernels(["convert", "-o", folder.path + "/" + name, Sample.problems]).code == 0)
    }
    let files = ["/a.geojson", "/b.geojsonl"].map { folder.path + $0 }
    let words = ["--where-invalid", "--summary"]
    let many = try Shell.withKernels(
      ["validate", "-f", "csv", "-o", out.path, "--repair", out.path + "/", "--report", "sarif=\(out.path)/"] + words
        + files)
    #expect(many.code == 1, "\(many.err)")
    #expect(out.names == ["a.csv", "a.geojson", "a.sarif", "b.csv", "b.geojsonl", "b.sarif"])
    for (file, name) in zip(files, ["a.csv", "b.csv"]) {
      let alone = try Shell.withKernels(["validate", "-f", "csv", "--where-invalid", file])
      #expect(try out.read(name) == alone.out)
    }
    let both = try Shell.withKernels(["validate"] + words + files)
    for total in ["files: 2\n", "rows: ", "invalid: ", "problems: "] {
      let line = try #require(both.out.split(separator: "\n").first { $0.hasPrefix(total.dropLast()) })
      #expect(many.err.contains(line + "\n"), "\(line): \(many.err)")
    }
    // Features keep their format, or get another one with its ending.
    let wkt = try Scratch()
    #expect(try Shell.withKernels(["convert", "-f", "wkt", "--quiet", "-o", wkt.path] + files).code == 0)
    #expect(wkt.names == ["a.wkt", "b.wkt"])
    // A folder that is not there is made.
    #expect(try Shell.withKernels(["simplify", "-t", "1", "-o", wkt.path + "/x/y/"] + files).code == 0)
    #expect(access(wkt.path + "/x/y/b.geojsonl", F_OK) == 0)
    for name in ["a.geojson", "b.geojsonl"] { unlink(wkt.path + "/x/y/" + name) }
    rmdir(wkt.path + "/x/y")
  }

  @Test func whatCannotGoToAFolderIsRefused() throws {
    let (folder, out) = (try Scratch(), try Scratch())
    let files = [try folder.write(Self.point, to: "a.geojson"), try folder.write(Self.point, to: "b.geojson")]
    let twin = try out.write(Self.point, to: "a.geojson")
    for (words, says) in [
      (["convert"] + files, "--output FOLDER/"),
      (["validate", "--repair", out.path + "/x.geojson"] + files, "--repair FOLDER/"),
      (["validate", "-f", "csv", "--repair", out.path] + files, "need a folder"),
      (["validate", "-o", out.path, "--repair", out.path + "/x.geojson"] + files, "cannot be one file"),
      (["validate", "-o", out.path, "--write-baseline", out.path + "/"] + files, "one file for all inputs"),
      (["validate", "-o", out.path, "--from", "wkt", "-"], "has no name"),
      (["validate", "--resume", out.path + "/c"] + files, "needs a folder"),
      (["convert", "-o", folder.path + "/"] + files, "would replace what is read"),
      (["convert", "-f", "wkt", "-o", folder.path + "/", files[0], twin], "would both be written"),
    ] {
      let answer = try Shell.withKernels(words)
      #expect(answer.code == 2 && answer.err.contains(says), "\(words): \(answer.err)")
    }
    #expect(out.names == ["a.geojson"])
    // What is wrong with one file does not stop the others.
    let broken = try folder.write("{", to: "broken.geojson")
    let rest = try Scratch()
    let answer = try Shell.withKernels(["simplify", "-t", "1", "-o", rest.path, broken] + files)
    #expect(answer.code == 2 && rest.names == ["a.geojson", "b.geojson"], "\(answer.err)")
  }
}
