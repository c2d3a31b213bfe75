// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import meridian_cli

@Suite(.enabled(if: Kernels.has("native", "index.build") || Kernels.has("sqlite"))) struct IndexTests {
  /// Ten unit squares in a row, the fourth without a geometry.
  static let squares: String = (0..<10).map { number in
    let x = Double(number * 10)
    let geometry =
      number == 3
      ? "null" : #"{"type":"Polygon","coordinates":[[[\#(x),0],[\#(x + 1),0],[\#(x + 1),1],[\#(x),1],[\#(x),0]]]}"#
    return #"{"type":"Feature","properties":null,"geometry":\#(geometry)}"#
  }.joined(separator: "\n")

  @Test(arguments: ["native", "sqlite"].filter { Kernels.has($0, "index.save") })
  func buildQueryAndNearest(kernel: String) throws {
    let folder = try Scratch()
    let data = try folder.write(Self.squares, to: "squares.geojsonl")
    let index = folder.path + "/squares.mrdx"
    let built = try Shell.withKernels(["index", "build", "--kernel", "index=\(kernel)", "-s", "-o", index, data])
    #expect(built.code == 0, "\(built.err)")
    #expect(built.err.contains("boxes: 10") && built.err.contains("never_hit: 1"), "\(built.err)")
    #expect(built.err.contains("kernel: index.build, planar edges, by meridian.\(kernel)"), "\(built.err)")
    #expect(folder.names == ["squares.geojsonl", "squares.mrdx"])
    for file in [index, data] {
      let words = ["--kernel", "index=\(kernel)", file]
      let hits = try Shell.withKernels(["index", "query", "--window", "11,1,45,2"] + words)
      #expect(hits.lines == ["1", "2", "4"], "\(file): \(hits.err)")
      let count = try Shell.withKernels(["index", "query", "--window", "-5,-5,500,500", "--count"] + words)
      #expect(count.lines == ["9"])
      let near = try Shell.withKernels(
        ["index", "nearest", "--point", "5.5,0.5", "-k", "3", "--format", "json"] + words)
      let rows = try near.objects()
      #expect(rows.map { $0["row"] as? Int } == [0, 1, 2])
      #expect(rows.map { $0["distance"] as? Double } == [4.5, 4.5, 14.5])
      let bound = try Shell.withKernels(
        ["index", "nearest", "--point", "5.5,0.5", "-k", "9", "--max-distance", "4.5"] + words)
      #expect(bound.lines.count == 2, "\(bound.out) \(bound.err)")
    }
  }

  /// As for every output: links are followed, permissions stay, and a device is not replaced by a file.
  @Test(.enabled(if: Kernels.has("sqlite"))) func databaseFileTakesThePlaceOfAFileOnly() throws {
    let folder = try Scratch()
    let data = try folder.write(Self.squares, to: "squares.geojsonl")
    let index = try folder.write("old", to: "old.sqlite")
    let (link, pipe) = (folder.path + "/link.sqlite", folder.path + "/pipe")
    try #require(chmod(index, 0o640) == 0 && symlink("old.sqlite", link) == 0 && mkfifo(pipe, 0o600) == 0)
    func build(_ output: String) throws -> Outcome {
      try Shell.withKernels(["index", "build", "--kernel", "index=sqlite", "-o", output, data])
    }
    #expect(try build(link).code == 0)
    #expect(try folder.bytes("old.sqlite").starts(with: Array("SQLite format 3".utf8)))
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(index, &status) == 0 && status.st_mode & 0o777 == 0o640)
    let refused = try build(pipe)
    #expect(refused.code == 2 && refused.err.contains("pipe"), "\(refused.err)")
    #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(folder.names == ["link.sqlite", "old.sqlite", "pipe", "squares.geojsonl"])
  }

  /// A limit on the size of files stands for a disk that is full.
  @Test(.enabled(if: Kernels.has("sqlite"))) func databaseFileWithoutRoomLeavesNothing() throws {
    let folder = try Scratch()
    let rows = (0..<4000).map { "POINT (\($0) \($0))" }.joined(separator: "\n")
    let data = try folder.write(rows, to: "points.wkt")
    let script = """
      trap '' XFSZ; ulimit -f 40
      "\(Shell.products)/meridian-cli" index build --kernel index=sqlite -o "$0" "$1"
      echo $?
      """
    let answer = try Shell.run(
      "/bin/bash", ["--norc", "-c", script, folder.path + "/a.sqlite", data], environment: Kernels.environment)
    #expect(answer.lines == ["2"])
    #expect(answer.err.contains("a.sqlite: "), "\(answer.err)")
    #expect(folder.names == ["points.wkt"])
  }

  @Test func windowsInJSON() throws {
    let answer = try Shell.withKernels(
      [
        "index", "query", "--window", "0,0,1,1", "--window", "200,0,300,1", "--format", "json", "--from", "geojsonseq",
        "-",
      ],
      input: Self.squares)
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.lines == [#"{"window":[0,0,1,1],"row":0}"#])
  }

  @Test(.enabled(if: Kernels.has("native", "index.save") || Kernels.has("sqlite", "index.save")))
  func damagedIndexIsRefused() throws {
    let folder = try Scratch()
    let data = try folder.write(Self.squares, to: "squares.geojsonl")
    let index = folder.path + "/squares.mrdx"
    #expect(try Shell.withKernels(["index", "build", "-o", index, data]).code == 0)
    var bytes = try folder.bytes("squares.mrdx")
    bytes.removeLast(bytes.count / 2)
    let cut = try folder.write(bytes, to: "cut.mrdx")
    let answer = try Shell.withKernels(["index", "query", "--window", "0,0,1,1", cut])
    #expect(answer.code == 2)
    #expect(answer.err.contains("cut.mrdx"), "\(answer.err)")
  }
}
