// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// What counts as what: codes that are switched off, or are warnings or errors whatever the kernel says.
public struct FindingRules: Sendable {
  public enum Level: String, CaseIterable, Sendable {
    case off, warning, error
  }

  private var levels: [String: Level] = [:]
  /// What a finding is held against, by code; in the units of `ValidateOptions`.
  private var thresholds: [String: Double] = [:]

  /// No rules: everything counts as the kernel says.
  public init() {}

  /// Reads rules from JSON: `{"rules": {"REPEATED_POINT": "error", "SMALL_ANGLE": {"level": "warning", "threshold": 1}}}`.
  /// What is not known is an error that names the file and the line.
  public init(file: String) throws(JobError) {
    self = try formatted { () throws(FormatError) in
      try FindingRules(JSONSource(text: try readWholeFile(file), file: file))
    }
  }

  init(_ source: JSONSource) throws(FormatError) {
    let root = try source.parsed()
    let rules = try source.object(root, "the file", known: ["rules"])["rules"]
    guard case .object(let members)? = rules?.content else {
      throw source.error(at: rules ?? root, "the member 'rules' must be an object of codes")
    }
    for (code, member) in members.sorted(by: { $0.value.offset < $1.value.offset }) {
      guard FindingCode.all.contains(where: { $0.name == code }) else {
        let near = nearest(code, FindingCode.all.map(\.name))
        throw source.error(at: member, "there is no code '\(code)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
      try read(member, of: code, source)
    }
  }

  private mutating func read(_ node: JSONNode, of code: String, _ source: JSONSource) throws(FormatError) {
    guard case .object = node.content else {
      levels[code] = try Self.level(node, code, source)
      try checkThreshold(node, of: code, source)
      return
    }
    let members = try source.object(node, "the rule of \(code)", known: ["level", "threshold"])
    guard let level = members["level"] else { throw source.error(at: node, "the rule of \(code) needs a 'level'") }
    levels[code] = try Self.level(level, code, source)
    if let threshold = members["threshold"] {
      guard Self.thresholdCodes[code] != nil else { throw source.error(at: threshold, "\(code) has no threshold") }
      guard case .number(let text) = threshold.content, let number = Double(text), number > 0, number.isFinite else {
        throw source.error(at: threshold, "the threshold of \(code) must be a number above 0, not \(threshold.kind)")
      }
      thresholds[code] = number
    }
    try checkThreshold(node, of: code, source)
  }

  private static func level(_ node: JSONNode, _ code: String, _ source: JSONSource) throws(FormatError) -> Level {
    if case .string(let word) = node.content, let level = Level(rawValue: word) { return level }
    let words = Level.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    throw source.error(at: node, "\(code) must be one of \(words), not \(node.kind)")
  }

  /// Without a threshold such a code would never be found, and the rule would seem to be kept.
  private func checkThreshold(_ node: JSONNode, of code: String, _ source: JSONSource) throws(FormatError) {
    guard Self.thresholdCodes[code] != nil, levels[code] != .off, thresholds[code] == nil else { return }
    throw source.error(
      at: node, "\(code) is found only by a threshold: {\"level\": \"warning\", \"threshold\": NUMBER}")
  }

  private static let thresholdCodes: [String: WritableKeyPath<ValidateOptions, Double> & Sendable] = [
    "NEAR_REPEATED_POINT": \.nearRepeatedCoord, "SMALL_ANGLE": \.minAngleDegrees, "SHORT_EDGE": \.minEdgeCoord,
    "SMALL_AREA": \.minAreaCoord, "SLIVER": \.minSliverRatio, "LOW_CLEARANCE": \.minClearanceCoord,
  ]

  // MARK: - Use

  /// True when an error may count for less: then a row is only known to be valid when all its problems are known.
  var mayExcuse: Bool {
    FindingCode.all.contains { $0.severity == .error && levels[$0.name].map { $0 != .error } ?? false }
  }

  /// Asks a kernel for what the rules are about.
  func apply(to options: inout ValidateOptions) {
    for (code, threshold) in thresholds {
      if let path = Self.thresholdCodes[code] { options[keyPath: path] = threshold }
    }
    let asksForWarnings = FindingCode.all.contains { code in
      code.severity == .warning && levels[code.name].map { $0 != .off } ?? false
    }
    if asksForWarnings { options.warnings = true }
  }

  /// The finding as it counts; nil = it does not.
  /// - Parameter warnings: true = warnings that no rule names are wanted too.
  func judged(_ finding: Finding, warnings: Bool) -> Finding? {
    var judged = finding
    switch levels[finding.code] {
    case .off: return nil
    case .warning: judged.severity = .warning
    case .error: judged.severity = .error
    case nil: return finding.severity == .warning && !warnings ? nil : finding
    }
    return judged
  }
}
