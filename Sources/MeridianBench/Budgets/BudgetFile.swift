// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Reads budgets from JSON: `{"budgets": [{...}]}`.
///
/// Members and limits that are not known are errors: a limit with a slip in its name would never be enforced.
package enum BudgetFile {
  package static func read(_ file: String) throws(FormatError) -> [Budget] {
    try decode(try readWholeFile(file), file: file)
  }

  static func decode(_ text: [UInt8], file: String) throws(FormatError) -> [Budget] {
    let source = JSONSource(text: text, file: file)
    let root = try source.parsed()
    let members = try source.object(root, "the file", known: ["budgets"])
    guard case .list(let items)? = members["budgets"]?.content else {
      throw source.error(at: root, "the member 'budgets' must be a list")
    }
    var budgets: [Budget] = []
    for item in items {
      let budget = try BudgetEntry(source, item).budget
      if budgets.contains(where: { $0.name == budget.name }) {
        throw source.error(at: item, "two budgets are named '\(budget.name)'")
      }
      budgets.append(budget)
    }
    return budgets
  }
}

/// One entry of the file.
private struct BudgetEntry {
  private static let known = [
    "name", "suite", "case", "scale", "kernel", "reference", "cpu_level", "short", "enforced", "margin", "limits",
    "reason", "pending",
  ]

  private let source: JSONSource
  private let node: JSONNode
  private let members: [String: JSONNode]

  init(_ source: JSONSource, _ node: JSONNode) throws(FormatError) {
    self.source = source
    self.node = node
    members = try source.object(node, "a budget", known: Self.known)
  }

  var budget: Budget {
    get throws(FormatError) {
      guard let suite = Suite(rawValue: try text("suite")) else {
        throw source.error(
          at: node, "the suite must be one of \(Suite.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      let budget = Budget(
        name: try text("name"), suite: suite, benchCase: try text("case"),
        scale: try number("scale", in: 0x1p-20...1) ?? 1, kernel: try text("kernel"),
        reference: try optionalText("reference"), cpuLevel: try cpuLevel(),
        isShort: try flag("short", false), isEnforced: try flag("enforced", true),
        margin: try number("margin", in: 1...1000) ?? 1, limits: try limits(), reason: try text("reason"),
        pending: try pending())
      if budget.limit(of: .timeRatio) != nil, budget.reference == nil {
        throw source.error(at: node, "'\(budget.name)' limits time_ratio and names no reference")
      }
      if budget.reference == budget.kernel {
        throw source.error(at: node, "'\(budget.name)' names the same kernel as kernel and as reference")
      }
      return budget
    }
  }

  /// A level that no machine has would never be enforced.
  private func cpuLevel() throws(FormatError) -> String? {
    guard let level = try optionalText("cpu_level") else { return nil }
    guard Host.cpuLevels.contains(level) else {
      throw source.error(
        at: members["cpu_level"] ?? node,
        "there is no CPU level '\(level)'; there are \(Host.cpuLevels.joined(separator: ", "))")
    }
    return level
  }

  private func limits() throws(FormatError) -> [Budget.Limit] {
    let names = Budget.Figure.allCases.map(\.rawValue)
    guard let node = members["limits"] else { throw source.error(at: node, "a budget needs 'limits'") }
    let members = try source.object(node, "limits", known: names)
    guard !members.isEmpty else { throw source.error(at: node, "a budget needs a limit") }
    var limits: [Budget.Limit] = []
    for figure in Budget.Figure.allCases {
      guard let member = members[figure.rawValue] else { continue }
      limits.append(Budget.Limit(figure: figure, value: try value(member, figure.rawValue, in: 0...1e300)))
    }
    return limits
  }

  private func text(_ name: String) throws(FormatError) -> String {
    guard let text = try optionalText(name), !text.isEmpty else {
      throw source.error(at: node, "a budget needs '\(name)', a text")
    }
    return text
  }

  /// A reason, never "".
  private func pending() throws(FormatError) -> String? {
    members["pending"] == nil ? nil : try text("pending")
  }

  private func optionalText(_ name: String) throws(FormatError) -> String? {
    guard let member = members[name] else { return nil }
    if case .null = member.content { return nil }
    guard case .string(let text) = member.content else {
      throw source.error(at: member, "'\(name)' must be a text, not \(member.kind)")
    }
    return text
  }

  private func flag(_ name: String, _ absent: Bool) throws(FormatError) -> Bool {
    guard let member = members[name] else { return absent }
    guard case .bool(let value) = member.content else {
      throw source.error(at: member, "'\(name)' must be true or false, not \(member.kind)")
    }
    return value
  }

  private func number(_ name: String, in range: ClosedRange<Double>) throws(FormatError) -> Double? {
    guard let member = members[name] else { return nil }
    return try value(member, name, in: range)
  }

  private func value(
    _ member: JSONNode, _ name: String, in range: ClosedRange<Double>
  ) throws(FormatError) -> Double {
    guard case .number(let text) = member.content, let value = Double(text), range.contains(value) else {
      throw source.error(
        at: member, "'\(name)' must be a number from \(range.lowerBound) to \(range.upperBound), not \(member.kind)")
    }
    return value
  }
}
