// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// What one call of the native validator gave.
struct ValidateRun {
  var status: mrd_status
  var verdicts: [UInt8]
  var problems: [mrd_problem]
  var call: GuardedCall

  static func check(
    _ table: mrd_family_validate, _ op: UInt32 = MRD_VALIDATE_VALID, _ geoms: TestGeoms, call: GuardedCall? = nil,
    _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) -> ValidateRun {
    let call = call ?? GuardedCall(rows: geoms.rows)
    var options = mrd_validate_options()
    options.struct_size = UInt32(MemoryLayout<mrd_validate_options>.size)
    change(&options)
    var verdicts = [UInt8](repeating: 9, count: geoms.rows)
    var out = mrd_problems_out()
    out.struct_size = UInt32(MemoryLayout<mrd_problems_out>.size)
    let status = verdicts.withUnsafeMutableBufferPointer { buffer in
      out.verdicts = buffer.baseAddress
      return call.run { table.check(op, geoms.pointer, &options, &out, $0) }
    }
    let problems = status == MRD_OK ? call.values(MRD_BUF_RECORDS, mrd_problem.self) : []
    #expect(call.isIntact)
    #expect(status != MRD_OK || problems.count == Int(out.count))
    return ValidateRun(status: status, verdicts: verdicts, problems: problems, call: call)
  }

  /// The problems of one row as `Data/problems.tsv` writes them.
  func lines(row: Int) -> [String] {
    problems.filter { $0.row == Int64(row) }.map { problem in
      "\(Self.name(problem.code)) \(problem.x) \(problem.y) \(problem.part) \(problem.ring) "
        + "\(problem.other_part) \(problem.other_ring)"
    }
  }

  /// The codes and places alone, which do not change with the start, the direction or the order of rings.
  func places(row: Int) -> [String] {
    problems.filter { $0.row == Int64(row) }.map { "\(Self.name($0.code)) \($0.x + 0) \($0.y + 0)" }.sorted()
  }

  static func name(_ code: Int32) -> String {
    let names = [
      "NONFINITE", "RING_NOT_CLOSED", "TOO_FEW_POINTS", "CROSSING", "RING_SELF_TOUCH", "EDGE_OVERLAP",
      "DUPLICATE_RING", "SPIKE", "HOLE_OUTSIDE_SHELL", "NESTED_HOLES", "NESTED_SHELLS", "DISCONNECTED_INTERIOR",
    ]
    if code == MRD_PROBLEM_ANTIPODAL_EDGE { return "ANTIPODAL_EDGE" }
    return (1...12).contains(code) ? names[Int(code) - 1] : "\(code)"
  }
}

/// The lines of a file of facts, cut at tabs.
func facts(_ path: String) throws -> [[String]] {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(path).standardized
  return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    .map { $0.split(separator: "\t").map(String.init) }
}

/// A multipolygon as lists of rings of vertices, to turn and mix.
struct Polygons {
  var parts: [[[String]]]

  init(_ wkt: String) {
    let body = wkt.drop { $0 != "(" }.dropFirst(3).dropLast(3)
    parts = body.components(separatedBy: ")),((").map { part in
      part.components(separatedBy: "),(").map { $0.split(separator: ",").map(String.init) }
    }
  }

  var wkt: String {
    let text = parts.map { "(" + $0.map { "(" + $0.joined(separator: ",") + ")" }.joined(separator: ",") + ")" }
    return "MULTIPOLYGON(" + text.joined(separator: ",") + ")"
  }

  /// Other starts and directions of rings, another order of holes and parts.
  func mixed(_ random: inout TestRandom) -> Polygons {
    var copy = self
    for part in parts.indices {
      for ring in parts[part].indices {
        var vertices = Array(parts[part][ring].dropLast())
        if vertices.isEmpty { continue }
        let start = Int.random(in: 0..<vertices.count, using: &random)
        vertices = Array(vertices[start...] + vertices[..<start])
        if Bool.random(using: &random) { vertices.reverse() }
        copy.parts[part][ring] = vertices + vertices.prefix(1)
      }
      copy.parts[part] = copy.parts[part].prefix(1) + copy.parts[part].dropFirst().shuffled(using: &random)
    }
    copy.parts.shuffle(using: &random)
    return copy
  }
}
