// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian

@testable import MeridianIO

/// SplitMix64: the same numbers for the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A folder of its own for each test; removed when let go.
final class TemporaryFolder {
  let path: String
  init() {
    path = NSTemporaryDirectory() + "/meridian-io-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }
  func contents(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
  }
  var entries: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

/// The records of a file of `Data`, without the first line, which tells where they come from.
func facts(_ name: String) throws -> [[String: Any]] {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Data/" + name)
  let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
  return try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
}

/// The geometry of one WKT.
func geometry(_ wkt: String) throws -> GeometrySet {
  var builder = GeometryBuilder()
  try (Array(wkt.utf8) + [0x20]).withUnsafeBytes { _ = try WKTReader.read($0, into: &builder) }
  return try builder.finish()
}

/// Rows as text, every ordinate by its bits (all NaN alike), so that equal text means equal geometry.
func fingerprint(_ set: GeometrySet, row: Int) -> String {
  func bits(_ value: Double) -> String { value.isNaN ? "nan" : String(value.bitPattern, radix: 16) }
  func geometry(_ array: GeometryArray, _ index: Int) -> String {
    func list(_ range: Range<Int>, level: Int) -> String {
      "["
        + range.map {
          level == array.type.offsetLevels ? coordinate($0) : list(array.span(level: level, $0), level: level + 1)
        }
        .joined(separator: ",") + "]"
    }
    func coordinate(_ at: Int) -> String {
      var ordinates = [array.x(at), array.y(at)]
      if array.dimensions.hasZ { ordinates.append(array.ordinate(2, at)) }
      if array.dimensions.hasM { ordinates.append(array.ordinate(3, at)) }
      return ordinates.map(bits).joined(separator: " ")
    }
    return "\(array.type.name)\(array.dimensions.rawValue)"
      + list(array.span(index), level: min(1, array.type.offsetLevels))
  }
  switch set.place(ofRow: row) {
  case .null: return "null"
  case .geometry(let array, let index): return geometry(set.arrays[array], index)
  case .collection(let number):
    let collection = set.collections[number]
    let members = collection.tokens.map { token in
      switch token {
      case .begin: "("
      case .end: ")"
      case .geometry(let array, let index): geometry(set.arrays[array], index)
      }
    }
    return "Collection\(collection.dimensions.rawValue)(" + members.joined(separator: ";") + ")"
  }
}

/// Everything of a reader.
struct ReadRows {
  var geometries: [String] = []
  var attributes: [Attributes] = []
  var problems: [RowProblem] = []
  var warnings: [String] = []
  var error: FormatError?
  var crs = CoordinateReference.unknown

  init(_ file: String, format: Format? = nil, limit: BatchLimit = BatchLimit(), options: ReadOptions = ReadOptions()) {
    do throws(FormatError) {
      let reader = try openReader(file, format: format, options: options)
      do throws(FormatError) {
        while let batch = try reader.next(limit) {
          for row in 0..<batch.count { geometries.append(fingerprint(batch.geometries, row: row)) }
          attributes += batch.attributes
          problems += batch.problems
        }
      } catch { self.error = error }
      warnings = reader.warnings
      crs = reader.layer.crs
    } catch { self.error = error }
  }

  func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
}
