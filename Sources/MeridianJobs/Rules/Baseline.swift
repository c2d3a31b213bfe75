// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// Findings that a team knows of and that fail no run: JSON, one finding a line in a fixed order, so that changes of the file
/// can be read line by line.
///
///     {"meridian_baseline": 1, "findings": [
///     {"file": ..., "layer": ..., "id": ..., "geometry": ..., "code": ..., "x": ..., "y": ..., "count": 2}
///     ]}
///
/// A finding that is there several times, as with rows that are twice in a file, is known as often as it is counted.
public struct Baseline: Sendable {
  private static let version = 1
  private static let countColumn = "count"

  private var counts: [Fingerprint: Int] = [:]

  public init() {}

  mutating func add(_ finding: Fingerprint) { add(finding, count: 1) }

  private mutating func add(_ finding: Fingerprint, count: Int) {
    counts[finding, default: 0] += count
  }

  /// True when the finding is known; it is then known one time less.
  mutating func take(_ finding: Fingerprint) -> Bool {
    guard let count = counts[finding], count > 0 else { return false }
    counts[finding] = count - 1
    return true
  }

  /// How many findings of some files are there still. Of files that were not looked at nothing is known.
  func left(of files: [String]) -> Int {
    let names = Set(files.map(FeatureKey.plain))
    return counts.reduce(0) { $0 + (names.contains($1.key.feature.file) ? $1.value : 0) }
  }

  // MARK: - The file

  public init(file: String) throws(JobError) {
    self = try formatted { () throws(FormatError) in
      try Baseline(JSONSource(text: try readWholeFile(file), file: file))
    }
  }

  init(_ source: JSONSource) throws(FormatError) {
    let root = try source.parsed()
    let members = try source.object(root, "a baseline", known: ["meridian_baseline", "findings"])
    guard case .number(let text)? = members["meridian_baseline"]?.content, Int(text) == Self.version else {
      throw source.error(at: root, "this is no baseline of version \(Self.version)")
    }
    guard let list = members["findings"], case .list(let findings) = list.content else {
      throw source.error(at: root, "a baseline needs the list 'findings'")
    }
    for node in findings { try read(node, source) }
  }

  private mutating func read(_ node: JSONNode, _ source: JSONSource) throws(FormatError) {
    let entry = Entry(
      source: source, node: node,
      members: try source.object(node, "a finding", known: Fingerprint.columns + [Self.countColumn]))
    guard let file = try entry.text("file"), let code = try entry.text("code") else {
      throw source.error(at: node, "a finding needs 'file' and 'code'")
    }
    let feature = FeatureKey(
      file: file, layer: try entry.text("layer"), id: try entry.id(), geometry: try entry.text("geometry"))
    guard (feature.id == nil) != (feature.geometry == nil) else {
      throw source.error(at: node, "a finding needs either 'id' or 'geometry'")
    }
    let finding = Fingerprint(
      feature, code: code, x: try entry.number("x") ?? .nan, y: try entry.number("y") ?? .nan)
    add(finding, count: try entry.count(Self.countColumn))
  }

  /// The text of the file.
  var bytes: [UInt8] {
    let lines = counts.filter { $0.value > 0 }.map { finding, count in
      Value.object(finding.fields + [Field(Self.countColumn, .integer(count))]).json
    }
    let list = lines.sorted().joined(separator: ",\n")
    return Array("{\"meridian_baseline\":\(Self.version),\"findings\":[\n\(list)\n]}\n".utf8)
  }

  /// The file appears whole or not at all.
  public func write(to file: String) throws(JobError) {
    let output = try ReportOutput(file)
    try output.write(bytes)
    try output.finish()
  }
}

/// One finding of the file.
private struct Entry {
  let source: JSONSource
  let node: JSONNode
  let members: [String: JSONNode]

  func text(_ name: String) throws(FormatError) -> String? {
    switch members[name]?.content {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw source.error(at: members[name] ?? node, "'\(name)' must be a text or null")
    }
  }

  /// As JSON text, the way ids are kept.
  func id() throws(FormatError) -> String? {
    switch members["id"]?.content {
    case nil, .null: return nil
    case .number(let text): return text
    case .string(let text): return Value.text(text).json
    default: throw source.error(at: members["id"] ?? node, "'id' must be a text, a number or null")
    }
  }

  func number(_ name: String) throws(FormatError) -> Double? {
    switch members[name]?.content {
    case nil, .null: return nil
    case .number(let text): return Double(text)
    default: throw source.error(at: members[name] ?? node, "'\(name)' must be a number or null")
    }
  }

  func count(_ name: String) throws(FormatError) -> Int {
    guard let member = members[name] else { return 1 }
    guard case .number(let text) = member.content, let count = Int(text), count > 0, count <= 1 << 40 else {
      throw source.error(at: member, "'\(name)' must be a whole number above 0")
    }
    return count
  }
}
