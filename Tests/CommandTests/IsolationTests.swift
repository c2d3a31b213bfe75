// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import MeridianIO
import TestSupport
import Testing

@testable import MeridianJobs

/// Kernels in worker processes: what one does to its process costs the row that made it do so.
@Suite struct IsolationTests {
  /// The rows of `fails_by_row.c` that fail, with the code and a part of the message.
  private static let failing: [Int: (x: Int, code: String, says: String)] = [
    5: (1001, "KERNEL_CRASHED", "SIGSEGV"), 17: (1002, "KERNEL_TIMED_OUT", "longer than 2.5 s"),
    23: (1003, "KERNEL_MEMORY", ""), 31: (1004, "KERNEL_CORRUPT", ""), 40: (1005, "KERNEL_CRASHED", "SIGABRT"),
    41: (1006, "KERNEL_CRASHED", "exit code 3"),
  ]
  private static let rows = 48

  /// Lines, with an id that is the row's number; `well` = none that fails.
  private static func lines(_ folder: Scratch, well: Bool = false) throws -> String {
    let lines = (0..<rows).map { row in
      let x = well ? 7 : failing[row]?.x ?? 7
      return
        "{\"type\":\"Feature\",\"id\":\(row),\"properties\":null,\"geometry\":{\"type\":\"LineString\",\"coordinates\":"
        + "[[\(x),1],[2,\(row)],[3,3]]}}\n"
    }
    return try folder.write(lines.joined(), to: well ? "well.geojsonl" : "failing.geojsonl")
  }

  private static let fixture = Result {
    try FixtureLibrary("fails_by_row", operations: FixtureLibrary.operations + ["validate.valid"])
  }

  /// Runs a verb with the fixture for the operation that it is about.
  private func run(_ words: [String], isolated: Bool = true) throws -> Outcome {
    let directory = try Self.fixture.get().directory.path
    let operations = ["measure": "measure.length", "simplify": "simplify.douglas_peucker"]
    let kernel = "\(operations[words[0]] ?? "validate.valid")=\(FixtureLibrary.id)"
    let isolation = isolated ? ["--isolate", "--time-limit", "2.5", "--memory-limit", "64", "--jobs", "1"] : []
    return try Shell.withKernels(
      words + isolation + ["--kernel", kernel, "--crs", "planar"],
      environment: ["SWIFT_BACKTRACE": "enable=no", "MERIDIAN_PLUGIN_ONLY": BuiltKernels.path + ":" + directory])
  }

  @Test func aRowThatBreaksTheKernelIsAFinding() throws {
    let folder = try Scratch()
    let file = try Self.lines(folder)
    let answer = try run(["validate", "-f", "json", file, "--summary"])
    #expect(answer.code == 1, "\(answer.err)")
    let objects = try answer.objects()
    #expect(objects.count == Self.rows + 1)
    for (row, object) in objects.dropLast().enumerated() {
      let problems = try #require(object["problems"] as? [[String: Any]])
      guard let (_, code, says) = Self.failing[row] else {
        #expect(object["valid"] as? Bool == true && problems.isEmpty, "row \(row)")
        continue
      }
      #expect(object["valid"] as? Bool == false && problems.count == 1, "row \(row)")
      #expect(problems.first?["code"] as? String == code, "row \(row): \(problems)")
      #expect(says.isEmpty || (problems.first?["message"] as? String ?? "").contains(says), "row \(row): \(problems)")
    }
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    #expect(summary["kernel_failed"] as? Int == Self.failing.count)
    // Rules know the codes.
    let rules = try folder.write(#"{"rules":{"KERNEL_CRASHED":"off","KERNEL_TIMED_OUT":"warning"}}"#, to: "rules.json")
    let fewer = try run(["validate", "--rules", rules, file])
    #expect(fewer.code == 1 && fewer.lines.count == 3, "\(fewer.out)")
  }

  @Test(arguments: [1001, 1005, 1006]) func withoutIsolationTheProcessGoes(x: Int) throws {
    let folder = try Scratch()
    let file = try folder.write("LINESTRING (\(x) 1, 2 2)\n", to: "one.wkt")
    let code = try run(["validate", file], isolated: false).code
    #expect(code == (x == 1006 ? 3 : 128 + (x == 1001 ? SIGSEGV : SIGABRT)))
  }

  @Test func otherVerbsLeaveTheRowAndSayWhy() throws {
    let folder = try Scratch()
    let (file, well) = (try Self.lines(folder), try Self.lines(folder, well: true))
    guard Kernels.has("native", "measure.area") else { return }
    let measured = try run(["measure", "-f", "json", file])
    let fine = try run(["measure", "-f", "json", well]).objects()
    #expect(measured.code == 2)
    let simplified = try run(["simplify", "-t", "1", "-f", "geojsonseq", file])
    #expect(simplified.code == 2 && simplified.lines.count == Self.rows)
    for (row, object) in try measured.objects().enumerated() {
      guard let (x, code, says) = Self.failing[row] else {
        #expect(
          object["length_planar"] as? Double == fine[row]["length_planar"] as? Double
            && object["status"] as? String == "OK")
        continue
      }
      #expect(object["status"] as? String == "FAILED" && object["length_planar"] is NSNull, "row \(row)")
      #expect(measured.err.contains("row \(row): \(code): "), "\(measured.err)")
      #expect(simplified.lines[row].contains("[\(x),1]"))
      #expect(simplified.err.contains("row \(row) is left as it was: "), "\(simplified.err)")
      #expect(says.isEmpty || (measured.err.contains(says) && simplified.err.contains(says)))
    }
  }

  @Test func aWorkerIsNoVerb() throws {
    let answer = try Shell.meridian([IsolatedWorker.verb])
    #expect(answer.code == 2 && answer.err.contains("unknown verb"))
    for option in ["--time-limit", "--memory-limit"] {
      let alone = try Shell.withKernels(["validate", option, "100", Sample.problems])
      #expect(alone.code == 2 && alone.err.contains("belongs to --isolate"), "\(alone.err)")
    }
  }

  // MARK: - Kernels that are fine

  /// Polygons, of which many are not valid, lines, points, collections and nulls.
  private static func mixed(_ count: Int, seed: UInt64, in folder: Scratch) throws -> String {
    var random = TestRandom(seed: seed)
    func place() -> String { "[\(Int.random(in: 0...20, using: &random)),\(Int.random(in: 0...20, using: &random))]" }
    func ring() -> String {
      let places = (0..<Int.random(in: 3...9, using: &random)).map { _ in place() }
      return "[" + (places + [places[0]]).joined(separator: ",") + "]"
    }
    func geometry(_ kind: Int) -> String {
      switch kind {
      case 0: return "null"
      case 1: return "{\"type\":\"Point\",\"coordinates\":\(place())}"
      case 2: return "{\"type\":\"LineString\",\"coordinates\":\(ring())}"
      case 3: return "{\"type\":\"GeometryCollection\",\"geometries\":[\(geometry(1)),\(geometry(5)),\(geometry(2))]}"
      case 4: return "{\"type\":\"MultiPolygon\",\"coordinates\":[[\(ring())],[\(ring()),\(ring())]]}"
      default: return "{\"type\":\"Polygon\",\"coordinates\":[\(ring())]}"
      }
    }
    let rows = (0..<count).map { row in
      "{\"type\":\"Feature\",\"id\":\(row),\"properties\":{},\"geometry\":\(geometry(Int.random(in: 0...9, using: &random)))}\n"
    }
    return try folder.write(rows.joined(), to: "mixed.geojsonl")
  }

  private static let jobs: [[String]] = [
    ["validate", "-f", "csv", "--warnings", "--report", "geojson=OUT", "--summary"],
    ["validate", "--repair", "OUT", "--summary"],
    ["simplify", "--method", "topology", "-t", "2", "-o", "OUT", "--summary"],
    ["measure", "-f", "csv", "--crs", "planar", "--summary"],
    ["validate", "--check", "layer", "--summary"],
    ["simplify", "--method", "coverage", "-t", "2", "-o", "OUT", "--summary"],
  ]

  private static func words(_ job: [String], _ out: String, _ file: String) -> [String] {
    job.map { $0.hasSuffix("OUT") ? $0.dropLast(3) + out : $0 } + [file]
  }

  @Test(.enabled(if: Kernels.has("native", "validate.layer")), arguments: jobs.indices)
  func theResultsAreThoseOfOneProcess(number: Int) throws {
    let folder = try Scratch()
    let job = Self.jobs[number]
    let file = try Self.mixed(number < 4 ? 1200 : 80, seed: UInt64(number), in: folder)
    let here = try Shell.withKernels(Self.words(job, folder.path + "/here.geojson", file))
    let there = try Shell.withKernels(Self.words(job, folder.path + "/there.geojson", file) + ["--isolate"])
    #expect(here.code == there.code && here.code < 2, "\(job): \(here.err) \(there.err)")
    #expect(here.out == there.out && here.err == there.err, "\(job): \(here.err) \(there.err)")
    guard job.contains(where: { $0.hasSuffix("OUT") }) else { return }
    #expect(try folder.bytes("here.geojson") == folder.bytes("there.geojson"), "\(job)")
  }

  /// Workers are killed at random moments, many times: nothing is lost and nothing is blamed.
  @Test(.enabled(if: Kernels.has("native", "validate.repair")), arguments: 0..<3)
  func killsOfWorkersChangeNothing(number: Int) throws {
    let folder = try Scratch()
    let file = try Self.mixed(2000, seed: UInt64(number), in: folder)
    let job = Self.jobs[number]
    let here = try Shell.withKernels(Self.words(job, folder.path + "/here.geojson", file))
    for name in ["in", "out", "err"] { try folder.write("", to: name) }
    let child = try Shell.spawn(
      Shell.products + "/meridian-cli", Self.words(job, folder.path + "/there.geojson", file) + ["--isolate"],
      Kernels.environment, files: ["in", "out", "err"].map { folder.path + "/" + $0 })
    var random = TestRandom(seed: UInt64(number))
    var kills = 0
    var code: Int32?
    while code == nil {
      usleep(UInt32.random(in: 1000...(kills == 0 ? 30_000 : 700_000), using: &random))
      var status: Int32 = 0
      if waitpid(child, &status, WNOHANG) == child {
        code = (status >> 8) & 0xff
        #expect(status & 0x7f == 0)
      } else if kills < 12 {
        // On a slow machine a batch may take longer than a worker lives: the last ones are let alone.
        for worker in Self.children(of: child) {
          kill(worker, SIGKILL)
          kills += 1
        }
      }
    }
    let told = try folder.read("err")
    #expect(kills > 0 && code == here.code, "\(job): \(kills) kills, \(told)")
    #expect(try folder.read("out") == here.out && told == here.err, "\(job), \(kills) kills")
    guard job.contains(where: { $0.hasSuffix("OUT") }) else { return }
    #expect(try folder.bytes("here.geojson") == folder.bytes("there.geojson"), "\(job), \(kills) kills")
  }

  private static func children(of parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { name in
      guard let process = pid_t(name), let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
      else { return nil }
      let words = stat[stat.index(after: end)...].split(separator: " ")
      return words.count > 1 && pid_t(words[1]) == parent && words[0] != "Z" ? process : nil
    }
  }

  // MARK: - Shared memory

  private static func sets(seed: UInt64) throws -> [GeometrySet] {
    let folder = try Scratch()
    let reader = try openReader(try mixed(300, seed: seed, in: folder))
    let mixed = try #require(try reader.next(BatchLimit())).geometries
    let text =
      "POINT EMPTY\nPOINT Z (1 2 3)\nLINESTRING M (1 2 3, 4 5 6)\nPOLYGON EMPTY\nGEOMETRYCOLLECTION EMPTY\n"
      + "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION (LINESTRING ZM (1 2 3 4, 5 6 7 8)))\nMULTIPOINT (1 2, 3 4)\n"
    let odd = try openReader(try folder.write(text, to: "odd.wkt"))
    return [
      mixed, try #require(try odd.next(BatchLimit())).geometries, mixed.selecting([]), mixed.selecting([7, 3, 3]),
    ]
  }

  private static func rows(_ set: GeometrySet) -> [[UInt8]] {
    (0..<set.count).map { row in
      var bytes: [UInt8] = []
      if set.type(ofRow: row) != nil { _ = WKBWriter.append(row: row, of: set, to: &bytes) }
      return bytes
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func setsAreTheSameOnTheOtherSide(seed: UInt64) throws {
    for set in try Self.sets(seed: seed) {
      let block = try SharedBlock()
      try block.put(set)
      for copies in [true, false] {
        var reader = try block.reader(block.count)
        #expect(Self.rows(try reader.set(copies: copies)) == Self.rows(set), "seed \(seed)")
      }
      // Cut anywhere and put together again it is the same.
      let middle = set.count / 3
      let parts = [Array(0..<middle), Array(middle..<set.count)].map { set.selecting($0) }
      #expect(Self.rows(.joined(parts)) == Self.rows(set), "seed \(seed)")
    }
  }

  /// A broken worker may write anything.
  @Test(arguments: [UInt64(1), 2]) func whatIsBrokenIsAnErrorOrASet(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    var errors = 0
    for _ in 0..<20 {
      for set in try Self.sets(seed: seed).prefix(2) {
        let block = try SharedBlock()
        try block.put(set)
        let bytes = UnsafeMutableRawBufferPointer(start: block.start, count: block.count)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        var reader = try block.reader(Int.random(in: 0...3, using: &random) == 0 ? block.count / 2 : block.count)
        do {
          let read = try reader.set(copies: true)
          for array in read.arrays { try array.checkLayout() }
          _ = Self.rows(read)
        } catch {
          errors += 1
        }
      }
    }
    #expect(errors > 0, "seed \(seed)")
  }
}
