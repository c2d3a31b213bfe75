// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Reads the rule syntax of `mrd_session_use`: rules separated by semicolons or newlines, `#` begins a comment line.
///
///     family[.operation]=id
///     require family[.operation] error<=1e-6 relative, exact, deterministic, all-problems, edges=geodesic
///     prefer fastest | accurate | id,id,...
///
/// Hyphens and underscores inside of the words of a requirement are the same. Whether the kernels exist is not looked at
/// here: rules may be read before kernels are registered.
enum RuleParser {
  static func parse(_ text: String) throws(MeridianError) -> Rules {
    var rules = Rules()
    for line in text.pieces(at: "\n") {
      let line = line.trimmed
      if line.startsWithBytes(of: "#") { continue }
      for piece in line.pieces(at: ";") {
        let rule = piece.trimmed
        if !rule.isEmpty { try read(rule, into: &rules) }
      }
    }
    return rules
  }

  private static func read(_ rule: String, into rules: inout Rules) throws(MeridianError) {
    let words = rule.words
    switch words[0] {
    case "require": rules.requirements.append(try requirement(rule, words))
    case "prefer": rules.preference = try preference(rule)
    default: rules.names.append(try naming(rule))
    }
  }

  private static func naming(_ rule: String) throws(MeridianError) -> NameRule {
    guard let (left, right) = rule.parted(at: "=") else {
      let hint = isIdentifier(rule) ? "; for the family measure write measure=\(rule)" : ""
      throw malformed(rule, "expected family=id, family.operation=id, require ... or prefer ...\(hint)")
    }
    let kernel = right.trimmed
    guard isIdentifier(kernel) else { throw malformed(rule, "'\(kernel)' is not the id of a kernel") }
    let scope = try scope(left.trimmed, in: rule)
    return NameRule(scope: scope, kernel: kernel, text: left.trimmed + "=" + kernel)
  }

  private static func preference(_ rule: String) throws(MeridianError) -> Preference {
    let list = String(Substring(rule.utf8.dropFirst("prefer".utf8.count))).trimmed
    switch list {
    case "fastest": return .fastest
    case "accurate": return .accurate
    default: break
    }
    var ids: [String] = []
    for piece in list.pieces(at: ",", keepingEmpty: true) {
      let id = piece.trimmed
      guard isIdentifier(id) else {
        throw malformed(rule, "expected fastest, accurate or ids separated by commas, found '\(id)'")
      }
      ids.append(id)
    }
    return .kernels(ids)
  }

  private static func requirement(_ rule: String, _ words: [String]) throws(MeridianError) -> RequirementRule {
    guard words.count >= 3 else {
      throw malformed(rule, "expected require family[.operation] and at least one requirement")
    }
    let scope = try scope(words[1], in: rule)
    var requirement = Requirement()
    let terms = words[2...].reduce("") { $0.isEmpty ? $1 : $0 + " " + $1 }
    for term in terms.pieces(at: ",", keepingEmpty: true) { try read(term.trimmed, into: &requirement, in: rule) }
    return RequirementRule(scope: scope, requirement: requirement, text: "require \(words[1]) \(terms)")
  }

  private static func read(
    _ term: String, into requirement: inout Requirement, in rule: String
  ) throws(MeridianError) {
    if let flag = Requirement.flagWords.first(where: { term.isWord($0.word) })?.flag {
      requirement.flags |= flag
    } else if let (left, right) = term.parted(at: "<="), left.trimmed == "error" {
      requirement.error = try errorBound(right.words, in: rule)
    } else if let (left, right) = term.parted(at: "="), left.trimmed == "edges" {
      let word = right.trimmed
      guard let edges = EdgeNames.all.firstIndex(where: { word.isWord($0) }) else {
        throw malformed(rule, "unknown edges '\(word)'; there are \(EdgeNames.all.listed)")
      }
      requirement.edges = Int32(edges)
    } else {
      let known = Requirement.flagWords.map { $0.word } + ["edges=KIND", "error<=NUMBER UNIT"]
      throw malformed(rule, "unknown requirement '\(term)'; there are \(known.listed)")
    }
  }

  private static func errorBound(_ words: [String], in rule: String) throws(MeridianError) -> ErrorBound {
    guard words.count == 2, let limit = words[0].asDouble, limit >= 0,
      let unit = ErrorBound.unitWords.first(where: { $0.word == words[1] })?.unit
    else {
      let units = ErrorBound.unitWords.map { $0.word }.listed
      throw malformed(rule, "expected error<= with a number that is not negative and a unit; units are \(units)")
    }
    return ErrorBound(limit: limit, unit: unit)
  }

  private static func scope(_ text: String, in rule: String) throws(MeridianError) -> Scope {
    let parts = text.pieces(at: ".", keepingEmpty: true)
    guard let name = parts.first, let family = Family.allCases.first(where: { $0.name == name }) else {
      let families = Family.allCases.map { $0.name }.listed
      throw malformed(rule, "unknown family '\(parts.first ?? "")'; there are \(families)", .notFound)
    }
    guard parts.count > 1 else { return Scope(family: family, operation: nil) }
    let offered = Operation.all.filter { $0.family == family }
    let wanted = parts[1]
    guard parts.count == 2, let operation = offered.first(where: { $0.name == wanted }) else {
      throw malformed(
        rule, "unknown operation '\(text)'; \(family.name) has \(offered.map { $0.name }.listed)", .notFound)
    }
    return Scope(family: family, operation: operation)
  }

  private static func malformed(_ rule: String, _ reason: String, _ status: Status = .argument) -> MeridianError {
    MeridianError(status, "rule '\(rule)': \(reason)")
  }
}

/// True for what may be the id of a kernel: letters, digits, dots, hyphens and underscores of ASCII.
func isIdentifier(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.count <= 128
    && text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
      default: false
      }
    }
}
