// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What a rule is about: a family or one operation of it.
struct Scope: Equatable, Sendable {
  let family: Family
  let operation: Operation?

  func covers(_ other: Operation) -> Bool {
    operation.map { $0 == other } ?? (family == other.family)
  }
}

/// `measure.area=proj`
struct NameRule: Equatable, Sendable {
  let scope: Scope
  /// Id or short id, as written.
  let kernel: String
  /// The rule as written, for reasons and messages.
  let text: String
}

/// `require measure.area error<=1e-6 relative, exact`
struct RequirementRule: Equatable, Sendable {
  let scope: Scope
  let requirement: Requirement
  let text: String
}

/// `prefer fastest | accurate | id,id,...`
enum Preference: Equatable, Sendable {
  case fastest
  case accurate
  case kernels([String])
}

/// The rules of one source, in the order in which they were written.
struct Rules: Equatable, Sendable {
  var names: [NameRule] = []
  var requirements: [RequirementRule] = []
  var preference: Preference?

  /// Adds rules that were written later.
  mutating func append(_ later: Rules) {
    names += later.names
    requirements += later.requirements
    preference = later.preference ?? preference
  }

  /// The naming that holds for an operation: a narrower scope over a wider, then the later one.
  func name(for operation: Operation) -> NameRule? {
    names.last { $0.scope.operation == operation } ?? names.last { $0.scope.covers(operation) }
  }

  /// The requirement that holds for an operation, likewise.
  func requirement(for operation: Operation) -> RequirementRule? {
    requirements.last { $0.scope.operation == operation } ?? requirements.last { $0.scope.covers(operation) }
  }
}

/// A rule as written, with what it is about.
package struct RuleScope: Sendable {
  package let rule: String
  let scope: Scope

  /// True when the rule says something of the operation.
  package func covers(_ operation: Operation) -> Bool { scope.covers(operation) }
}

/// Rules with the place that they come from: " in MERIDIAN_KERNEL", or nothing for those of the call and the session.
struct RuleSource: Sendable {
  let rules: Rules
  let place: String
}
