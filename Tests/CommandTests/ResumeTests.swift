// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// Runs that are stopped and go on: the results are those of one run, whenever and however it was stopped.
@Suite(.enabled(if: Kernels.has("native", "validate.repair"))) struct ResumeTests {
  /// Files of polygons of which some are not valid.
  private static func files(_ count: Int, rows: Int, seed: UInt64, in folder: Scratch) throws -> [String] {
    var random = TestRandom(seed: seed)
    return try (0..<count).map { number in
      let lines = (0..<rows).map { row in
        var points = (0..<6).map { _ in
          "[\(Int.random(in: 0...9, using: &random)),\(Int.random(in: 0...9, using: &random))]"
        }
        points.append(points[0])
        return "{\"type\":\"Feature\",\"id\":\(row),\"properties\":null,\"geometry\":{\"type\":\"Polygon\","
          + "\"coordinates\":[[\(points.joined(separator: ","))]]}}\n"
      }
      return try folder.write(lines.joined(), to: "f\(number).geojsonl")
    }
  }

  /// Starts a run in the background; its standard error goes to `err` in `log`.
  private func start(_ words: [String], _ log: Scratch) throws -> pid_t {
    for name in ["in", "out", "err"] {
      unlink(log.path + "/" + name)
      try log.write("", to: name)
    }
    return try Shell.spawn(
      Shell.products + "/meridian-cli", words, Kernels.environment,
      files: ["in", "out", "err"].map { log.path + "/" + $0 })
  }

  @Test(arguments: [UInt64(1), 2, 3]) func killsAtAnyMomentChangeNothing(seed: UInt64) throws {
    let (data, log, one, other) = (try Scratch(), try Scratch(), try Scratch(), try Scratch())
    let files = try Self.files(24, rows: 40, seed: seed, in: data)
    func words(_ out: Scratch) -> [String] {
      ["validate", "-f", "csv", "-o", out.path, "--repair", out.path, "--changes", out.path, "--summary"]
    }
    let whole = try Shell.withKernels(words(one) + files)
    #expect(whole.code == 1 && one.names.count == 3 * files.count, "\(whole.err)")
    let checkpoint = data.path + "/checkpoint"
    var random = TestRandom(seed: seed)
    var kills = 0
    while kills < 200 {
      let child = try start(words(other) + ["--resume", checkpoint] + files, log)
      usleep(UInt32.random(in: 1000...400_000, using: &random))
      kill(child, SIGKILL)
      let code = Shell.wait(for: child)
      if code == 1 { break }
      let told = try log.read("err")
      #expect(code == 128 + SIGKILL, "seed \(seed): \(code) \(told)")
      kills += 1
    }
    #expect(kills > 0, "seed \(seed): the run was over before it could be killed")
    #expect(one.names == other.names, "seed \(seed), \(kills) kills")
    for name in one.names { #expect(try one.bytes(name) == other.bytes(name), "seed \(seed): \(name)") }
    #expect(try log.read("err") == whole.err, "seed \(seed): totals of all files")
    #expect(access(checkpoint, F_OK) != 0, "a run that gets to its end removes it")
  }

  @Test func anInterruptedRunSaysWhatIsDoneAndGoesOn() throws {
    let (data, log, out) = (try Scratch(), try Scratch(), try Scratch())
    let files = try Self.files(40, rows: 200, seed: 4, in: data)
    let checkpoint = data.path + "/checkpoint"
    let words = ["simplify", "-t", "1", "-o", out.path, "--resume", checkpoint]
    let child = try start(words + files, log)
    for _ in 0..<2000 where out.names.filter({ $0.hasPrefix("f") }).count < 3 { usleep(2000) }
    kill(child, SIGINT)
    #expect(Shell.wait(for: child) == 130)
    let told = try log.read("err")
    #expect(told.contains("of 40 files are done; the same command goes on from there"), "\(told)")
    let done = out.names.count
    #expect(done >= 3 && done < 40 && out.names.allSatisfy { $0.hasPrefix("f") }, "\(out.names)")
    // Another job may not go on with it, nor two at once.
    let wrong = try Shell.withKernels(["simplify", "-t", "2", "-o", out.path, "--resume", checkpoint] + files)
    #expect(wrong.code == 2 && wrong.err.contains("checkpoint of another job"), "\(wrong.err)")
    let held = open(checkpoint, O_RDWR)
    #expect(flock(held, LOCK_EX) == 0)
    let second = try Shell.withKernels(words + files)
    #expect(second.code == 2 && second.err.contains("another run goes on"), "\(second.err)")
    close(held)
    // A file that has changed meanwhile, and one whose result is gone, are done again.
    let before = try out.bytes("f1.geojsonl")
    try data.write("", to: "f0.geojsonl")
    unlink(out.path + "/f1.geojsonl")
    #expect(try Shell.withKernels(words + files).code == 0)
    #expect(out.names.count == 40 && access(checkpoint, F_OK) != 0)
    #expect(try out.read("f0.geojsonl").isEmpty && out.bytes("f1.geojsonl") == before)
  }

  @Test func whatIsNoCheckpointIsLeftAlone() throws {
    let (data, out) = (try Scratch(), try Scratch())
    let file = try Self.files(1, rows: 1, seed: 5, in: data)[0]
    let text = try data.read("f0.geojsonl")
    let answer = try Shell.withKernels(["convert", "-o", out.path, "--resume", file, file])
    #expect(answer.code == 2 && answer.err.contains("is no checkpoint"), "\(answer.err)")
    #expect(try data.read("f0.geojsonl") == text)
    let missing = data.path + "/missing.geojsonl"
    let checkpoint = data.path + "/checkpoint"
    let words = ["convert", "-o", out.path, "--resume", checkpoint, file, missing]
    #expect(try Shell.withKernels(words).code == 2)
    #expect(try data.read("checkpoint").contains("\"done\""), "the file that was missing is to be done still")
    try data.write(text, to: "missing.geojsonl")
    #expect(try Shell.withKernels(words).code == 0 && out.names == ["f0.geojsonl", "missing.geojsonl"])
  }

  /// One file: what was there stays, and the row that was reached is told.
  @Test func anInterruptedFileIsNotHalfThere() throws {
    let (data, log) = (try Scratch(), try Scratch())
    let pipe = log.path + "/in"
    try data.write("old", to: "result.csv")
    try #require(mkfifo(pipe, 0o600) == 0)
    for name in ["out", "err"] { try log.write("", to: name) }
    let keep = open(pipe, O_RDWR)
    defer { close(keep) }
    let child = try Shell.spawn(
      Shell.products + "/meridian-cli",
      ["measure", "--crs", "planar", "-o", data.path + "/result.csv", "--from", "wkt", "-"],
      Kernels.environment, files: [pipe, log.path + "/out", log.path + "/err"])
    let lines = [UInt8](String(repeating: "POINT (1 2)\n", count: 9000).utf8)
    var at = 0
    while at < lines.count { at += max(0, lines[at...].withUnsafeBytes { write(keep, $0.baseAddress, $0.count) }) }
    // The first batch has got to the disk.
    for _ in 0..<2000 {
      var status = stat()
      let temporary = data.names.first { $0.hasPrefix(".") }.map { data.path + "/" + $0 } ?? ""
      if stat(temporary, &status) == 0, status.st_size > 1000 { break }
      usleep(5000)
    }
    kill(child, SIGINT)
    #expect(Shell.wait(for: child) == 130)
    let told = try log.read("err")
    #expect(told.contains("interrupted after 8192 rows; no file was written"), "\(told)")
    #expect(try data.read("result.csv") == "old" && data.names == ["result.csv"])
  }
}
