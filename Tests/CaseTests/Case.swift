// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import MeridianABI
import MeridianIO
import Testing

/// One fact: an operation, what it is given, and what is right. A line of a file in Tests/Data/cases; its README tells
/// the words.
struct Case: Sendable, CustomTestStringConvertible {
  let id: String
  let operation: String
  let parameters: [String: String]
  /// Well-known text, rows between ` | `.
  let geometry: String
  /// The second geometry of operations that take two: targets, queries.
  let other: String?
  let expected: String

  var testDescription: String { "\(id) \(operation)" }

  /// A parameter as a number; a missing one is nil, a word that is no number a fault of the file.
  func number(_ name: String) throws -> Double? {
    guard let word = parameters[name] else { return nil }
    let value: Double = try #require(Double(word), "\(id): \(name)=\(word)")
    return value
  }

  static func all(_ file: String) -> [Case] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    guard let text = try? String(contentsOf: folder.appending(path: "Data/cases/\(file).tsv"), encoding: .utf8) else {
      fatalError("Tests/Data/cases/\(file).tsv cannot be read")
    }
    let cases = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(Case.init)
    precondition(!cases.isEmpty && Set(cases.map(\.id)).count == cases.count, "\(file): no cases, or two with one id")
    return cases
  }

  private init(_ line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7 else { fatalError("a case needs seven fields: \(line)") }
    id = fields[0]
    operation = fields[1]
    var parameters: [String: String] = [:]
    for word in fields[2].split(separator: " ") where word != "-" {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      parameters[parts[0]] = parts.count == 2 ? parts[1] : ""
    }
    self.parameters = parameters
    geometry = fields[3]
    other = fields[4] == "-" ? nil : fields[4]
    expected = fields[5]
  }

  /// The edge model and metric that `model=` names; planar without one.
  func model() throws -> GeometryModel {
    let word = parameters["model"] ?? "planar"
    if word == "planar" { return .planar }
    if word == "wgs84" { return .wgs84 }
    let parts = word.split(separator: ":", maxSplits: 1)
    let numbers = try parts[1].split(separator: ",").map { try #require(Double($0), "\(id): \(word)") }
    switch parts[0] {
    case "sphere":
      return GeometryModel(
        edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, semiMajor: numbers[0], flattening: 0)
    case "ellipsoid":
      return GeometryModel(
        edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, semiMajor: numbers[0], flattening: numbers[1])
    default: throw CaseFault("\(id): no model \(word)")
    }
  }

  /// `geometry`, or another text of this case, as a set of rows under the case's model.
  func set(_ text: String? = nil) throws -> GeometrySet {
    var builder = GeometryBuilder(model: try model())
    for row in (text ?? geometry).split(separator: "|").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if row == "NULL" { try builder.null() } else { try builder.append(wkt: row) }
    }
    return try builder.finish()
  }

  func otherSet() throws -> GeometrySet {
    let text: String = try #require(other, "\(id) needs a second geometry")
    return try set(text)
  }
}

struct CaseFault: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension GeometryBuilder {
  /// Appends well-known text as one row.
  mutating func append(wkt: String) throws {
    try (Array(wkt.utf8) + [0x20]).withUnsafeBytes { _ = try WKTReader.read($0, into: &self) }
  }
}
