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
