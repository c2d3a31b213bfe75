// SPDX-License-Identifier: Apache-2.0

/// A working copy that is to become the next revision of a store.
public struct Publication {
  /// The copy that was worked on, and the store that it was copied from.
  public var work: String
  public var target: String
  /// Who or what publishes, for people who meet the revision later.
  public var author: String?
  /// What publishes: "meridian 0.1.0".
  public var program: String
  /// The working copy is written beside the target when it cannot be published.
  public var keepsBoth = false
  /// Seconds to wait for other writers of the working copy and other publications to the target.
  public var wait = 10.0
  /// Ends the work where it is not zero any more, until the moment when the target is replaced.
  public var stop: UnsafePointer<UInt32>?

  public init(work: String, target: String, program: String) {
    self.work = work
    self.target = target
    self.program = program
  }

  public enum Outcome: Sendable {
    /// The target is this revision now.
    case published(StoreRevision)
    /// The working copy is the target's revision, without changes.
    case unchanged(StoreRevision)
    /// Nothing was published.
    case conflict(Conflict)
  }

  /// Why a working copy is not the target's next revision.
  public struct Conflict: Sendable {
    /// What the work began from.
    public let base: StoreRevision
    public let target: StoreRevision
    /// The target's content is not that of its revision: it was written by other means than publishing.
    public let targetIsChanged: Bool
    public let workIsChanged: Bool
    /// Where the working copy was written, if it was.
    public internal(set) var copy: String?
  }

  /// What was done, and what went wrong afterwards, in sentences.
  public struct Result: Sendable {
    public internal(set) var outcome: Outcome
    public internal(set) var warnings: [String] = []
  }
}

extension StoreState {
  /// Why `work` is not the next revision of this store; nil = it may become it.
  ///
  /// A target that was written by other means than publishing is replaced by nothing but its own content: whoever wants to
  /// keep those changes publishes a copy of it.
  func conflict(with work: StoreState) -> Publication.Conflict? {
    let base = work.base(at: self)
    let isAltered = isChanged && content != work.content
    guard base.id != revision.id || isAltered else { return nil }
    return Publication.Conflict(
      base: base, target: revision, targetIsChanged: isAltered, workIsChanged: work.content != base.content)
  }
}
