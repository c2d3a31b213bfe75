// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianIO

/// Publishes working copies of stores, and says how they stand to their stores.
public struct StoreJob {
  let messages: Messages
  public init(_ messages: Messages) { self.messages = messages }

  /// - Returns: false for a conflict, which is told.
  public func publish(_ publication: Publication) throws(JobError) -> Bool {
    var publication = publication
    publication.stop = Interrupt.cancelWord
    let result = try formatted { () throws(FormatError) in try StoreFile.publish(publication) }
    for warning in result.warnings { messages.warn(warning) }
    let (work, target) = (publication.work, publication.target)
    switch result.outcome {
    case .published(let revision): messages.note("\(target) is \(revision.description) now")
    case .unchanged(let revision):
      messages.note("\(target): nothing to publish, \(work) is \(revision.description) without changes")
    case .conflict(let conflict):
      messages.error(Self.sentence(conflict, work, target))
      messages.note(Self.advice(conflict, work, target))
      return false
    }
    return true
  }

  static func sentence(_ conflict: Publication.Conflict, _ work: String, _ target: String) -> String {
    let own = conflict.workIsChanged ? "" : " and has no changes of its own"
    guard conflict.base.id == conflict.target.id else {
      return "\(target): conflict: it is \(conflict.target.description), and \(work) began from "
        + conflict.base.description + own
    }
    let means = "by other means than 'store publish'"
    return
      "\(target): conflict: both began from \(conflict.base.description), but the target was changed since \(means)"
      + (conflict.workIsChanged ? "" : ", and \(work) was not")
  }

  private static func advice(_ conflict: Publication.Conflict, _ work: String, _ target: String) -> String {
    if let copy = conflict.copy { return "\(target) stays as it is; \(copy) has what is in \(work)" }
    return "nothing was changed; --keep-both writes a copy of \(work) beside the target"
  }

  /// How a store stands by itself, or as a working copy to its target.
  ///
  /// - Returns: the row, and false when publishing would be a conflict.
  public func status(_ file: String, target: String?) throws(JobError) -> (row: StoreRow, mayPublish: Bool) {
    try formatted { () throws(FormatError) in
      let state = try StoreFile.state(of: file)
      guard let target else { return (StoreRow(state: state, target: nil, conflict: nil), true) }
      let other = try StoreFile.state(of: target)
      let conflict = try StoreFile.conflict(of: state, with: other)
      return (StoreRow(state: state, target: other, conflict: conflict), conflict == nil)
    }
  }
}

extension Publication {
  /// By this version of Meridian.
  public init(work: String, target: String) { self.init(work: work, target: target, program: StoreBuild.program) }
}

/// How a working copy stands to its store.
public struct StoreRow: ReportRow {
  let state: StoreState
  let target: StoreState?
  let conflict: Publication.Conflict?

  public static let columns =
    ["file", "store"] + names + ["changed", "target"] + names.map { "target_" + $0 }
    + ["target_changed", "standing"]
  private static let names = ["number", "revision", "written", "program", "author"]

  public var fields: [Field] {
    let base = target.map { state.base(at: $0) } ?? state.revision
    let values: [Value] =
      [.text(state.file), .text(state.store)] + Self.values(base)
      + [.bool(isChanged), Value(target?.file)] + Self.values(target?.revision)
      + [target.map { .bool($0.isChanged) } ?? .null, Value(standing)]
    return zip(Self.columns, values).map { Field($0, $1) }
  }

  private static func values(_ revision: StoreRevision?) -> [Value] {
    guard let revision else { return names.map { _ in .null } }
    return [
      .integer(revision.number), .text(revision.id), .text(revision.written), .text(revision.program),
      Value(revision.author),
    ]
  }

  private var isChanged: Bool { target.map { state.isChanged(at: $0) } ?? state.isChanged }

  /// "unchanged", "changed", "behind", "conflict"; nil without a target.
  var standing: String? {
    guard target != nil else { return nil }
    guard let conflict else { return isChanged ? "changed" : "unchanged" }
    return conflict.workIsChanged || conflict.base.number > conflict.target.number ? "conflict" : "behind"
  }

  public var lines: [String] {
    let base = target.map { state.base(at: $0) } ?? state.revision
    var lines = [
      "\(state.file): store \(state.store), \(base.description), "
        + (isChanged ? "changed since" : "without changes")
    ]
    guard let target, let standing else { return lines }
    lines.append(
      "\(target.file): \(target.revision.description)"
        + (target.isChanged ? ", changed since by other means than 'store publish'" : ""))
    switch standing {
    case "changed": lines.append("\(standing): 'store publish' makes the next revision")
    case "unchanged": lines.append("\(standing): nothing to publish")
    case "behind": lines.append("\(standing): copy \(target.file) anew")
    default: lines.append("\(standing): 'store publish' would be refused")
    }
    return lines
  }
}
