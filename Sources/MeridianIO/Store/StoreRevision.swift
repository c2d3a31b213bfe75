// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A state of a store that was published, or the one that it was built with.
public struct StoreRevision: Sendable, Equatable {
  /// Counts from 1 along the line of revisions.
  public var number: Int
  /// 32 hexadecimal digits that follow from the store, the parent and the content: what is the same has the same id.
  public var id: String
  /// The id of the revision that this one came from; nil = it is the first.
  public var parent: String?
  /// SHA-256 of the content, in hexadecimal digits: of all tables but those of the store and the R-trees.
  public var content: String
  /// When it was written: UTC after ISO 8601, to the second.
  public var written: String
  /// What wrote it: "meridian 0.1.0".
  public var program: String
  /// Who or what published it, as the publisher said; nil = nobody said.
  public var author: String?

  /// Enough of the id to tell revisions apart by eye.
  public var shortID: String { String(id.prefix(8)) }

  /// "revision 8 (3f2a9c1d, 2026-12-01T00:56:40Z, by tablet 7, meridian 0.1.0)".
  public var description: String {
    "revision \(number) (\(shortID), \(written), " + (author.map { "by \($0), " } ?? "") + program + ")"
  }

  /// The first revision of a store, or with `parent` the next one.
  init(store: String, parent: StoreRevision?, content: String, written: String, program: String, author: String?) {
    number = (parent?.number ?? 0) + 1
    id = Self.id(store: store, parent: parent?.id, content: content)
    self.parent = parent?.id
    self.content = content
    self.written = written
    self.program = program
    self.author = author
  }

  init(
    number: Int, id: String, parent: String?, content: String, written: String, program: String, author: String?
  ) {
    self.number = number
    self.id = id
    self.parent = parent
    self.content = content
    self.written = written
    self.program = program
    self.author = author
  }

  static func id(store: String, parent: String?, content: String) -> String {
    String(SHA256.hex(of: Array("\(store) \(parent ?? "-") \(content)".utf8)).prefix(32))
  }
}

/// What a store says of itself: the one that is published, or a copy that is worked on.
public struct StoreState: Sendable {
  public let file: String
  /// The random id that all copies of a store share.
  public let store: String
  /// The revision that the file is, or that its changes began from.
  public let revision: StoreRevision
  /// True when the content is not that of the revision.
  public let isChanged: Bool
  /// The SHA-256 of the content as it is.
  let content: String
  /// All revisions up to `revision`, by their numbers.
  let history: [StoreRevision]
  /// The id of a revision that was about to be published from here; whether it was, the target says.
  let publishing: String?

  /// What the changes of a working copy began from, as its target sees it: a publication whose end was not noted went through
  /// when the target, or what it came from, has its id.
  package func base(at target: StoreState) -> StoreRevision {
    target.history.first { $0.id == publishing } ?? revision
  }

  /// True when the content is not that of the base.
  package func isChanged(at target: StoreState) -> Bool { content != base(at: target).content }
}
