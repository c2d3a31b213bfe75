// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Makes a working copy the next revision of a store.
///
/// 1. `.TARGET.publishing` is locked: one publication to a target goes on at a time.
/// 2. The target's revision must be the one that the work began from.
/// 3. The working copy, held still, is copied to `.TARGET.publishing`, which becomes the new revision, is looked through and
///    flushed.
/// 4. The working copy notes the revision that is about to be published.
/// 5. `.TARGET.publishing` takes the name of the target.
/// 6. The working copy notes its new base.
///
/// A process that ends before 5 has changed nothing that counts; one that ends behind it has published, which the next
/// publication sees by what 4 noted.
struct Publisher {
  private let publication: Publication

  init(_ publication: Publication) { self.publication = publication }

  func run() throws(FormatError) -> Publication.Result {
    try checkFiles()
    let file = try PublishingFile(for: publication.target, wait: publication.wait, stop: publication.stop)
    let target = try StoreTarget(publication.target)
    let work = try WorkingCopy(publication.work, wait: publication.wait, stop: publication.stop)
    if let conflict = try StoreFile.conflict(of: work.state, with: target.state) {
      return Publication.Result(outcome: .conflict(try keeping(conflict, work, target, file)))
    }
    guard target.state.isChanged || work.state.content != target.state.content else {
      return unchanged(work, target)
    }
    return try publish(work, target, file)
  }

  /// By hand before SQLite has them open: closing any descriptor of a file lets go of a process's locks on it.
  private func checkFiles() throws(FormatError) {
    for file in [publication.target, publication.work] { _ = try GeoPackage.checkedHeader(file) }
    if ReplacementFile.isSameFile(publication.work, publication.target) {
      throw FormatError(file: publication.work, reason: "it is the target itself; a copy of it is worked on")
    }
  }

  private func publish(
    _ work: WorkingCopy, _ target: StoreTarget, _ file: PublishingFile
  ) throws(FormatError) -> Publication.Result {
    let next = StoreRevision(
      store: target.state.store, parent: target.state.revision, content: work.state.content, written: try work.now(),
      program: publication.program, author: publication.author)
    let history = target.state.history + [next]
    try write(work, history, to: file)
    try target.checkUnchanged()
    try work.notePublishing(next)
    try file.replaceTarget()
    return noting(history, work, outcome: .published(next))
  }

  /// The working copy is the target's revision; one that could not note it before does so now.
  private func unchanged(_ work: WorkingCopy, _ target: StoreTarget) -> Publication.Result {
    let outcome = Publication.Outcome.unchanged(target.state.revision)
    guard work.state.revision.id != target.state.revision.id else { return Publication.Result(outcome: outcome) }
    return noting(target.state.history, work, outcome: outcome)
  }

  /// The target is as it should be; if its working copy cannot note it, the next publication finds out.
  private func noting(
    _ history: [StoreRevision], _ work: WorkingCopy, outcome: Publication.Outcome
  ) -> Publication.Result {
    var result = Publication.Result(outcome: outcome)
    do throws(FormatError) { try work.noteBase(history) } catch {
      result.warnings.append("\(error.description); the next publication from it will see what was published")
    }
    return result
  }

  private func keeping(
    _ conflict: Publication.Conflict, _ work: WorkingCopy, _ target: StoreTarget, _ file: PublishingFile
  ) throws(FormatError) -> Publication.Conflict {
    guard publication.keepsBoth else { return conflict }
    var conflict = conflict
    let (state, base) = (work.state, conflict.base)
    let id = StoreRevision.id(store: state.store, parent: base.id, content: state.content)
    let name = Self.conflictName(file.target, id)
    conflict.copy = name
    // The name follows from the content: it was written before, and may have been worked on since.
    guard access(name, F_OK) != 0 else { return conflict }
    let line = state.revision.id == base.id ? state.history : target.state.history
    try write(work, line.filter { $0.number <= base.number }, to: file)
    try file.take(name)
    return conflict
  }

  /// "folder/parcels (conflict 3f2a9c1d).gpkg".
  static func conflictName(_ target: String, _ id: String) -> String {
    let ending = ".gpkg"
    let hasEnding = target.lowercased().hasSuffix(ending)
    return (hasEnding ? String(target.dropLast(ending.count)) : target) + " (conflict \(id.prefix(8)))"
      + (hasEnding ? String(target.suffix(ending.count)) : "")
  }

  /// A copy that was looked through and is on the disk.
  private func write(_ work: WorkingCopy, _ history: [StoreRevision], to file: PublishingFile) throws(FormatError) {
    try work.copy(to: file, history: history, stop: publication.stop)
    try StoreCheck.run(file.path, as: publication.work, stop: publication.stop)
    try file.flush()
  }
}
