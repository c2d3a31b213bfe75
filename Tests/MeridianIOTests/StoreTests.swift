// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import Foundation
  import Meridian
  import TestSupport
  import Testing

  @testable import MeridianIO

  @Suite struct StoreTests {
    @Test func aNewStoreIsAGeoPackageWithAFirstRevision() throws {
      let store = try StoreFolder()
      let state = try StoreFile.state(of: store.target)
      #expect(state.revision.number == 1 && state.revision.parent == nil && !state.isChanged)
      #expect(state.revision.program == "test 1" && state.store.count == 32)
      #expect(store.folder.entries == ["town.gpkg"])
      let package = try GeoPackage(path: store.target)
      #expect(package.layers.map(\.name) == ["trees", "paths"] && package.warnings.isEmpty)
      #expect(package.layers.map(\.definition)[0] == #"PROJCS["CH1903+ / LV95"]"#)
      // Another store with the same features is another store.
      let second = try StoreFolder()
      let other = try StoreFile.state(of: second.target)
      #expect(other.store != state.store && other.revision.id != state.revision.id)
    }

    /// Whatever is changed of the content is seen, and a file that only lies in other pages is not changed.
    @Test(arguments: [
      ("UPDATE trees SET name = 'x' WHERE fid = 3", true), ("UPDATE trees SET name = name", false),
      ("UPDATE trees SET height = 3 WHERE fid = 3", true), ("DELETE FROM trees WHERE fid = 10", true),
      ("UPDATE trees SET name = NULL WHERE fid = 3", true), ("UPDATE trees SET name = '' WHERE fid = 3", true),
      ("UPDATE trees SET geom = (SELECT geom FROM trees WHERE fid = 1) WHERE fid = 3", true),
      ("UPDATE trees SET name = 'tree 2tree 3' WHERE fid = 3; UPDATE trees SET name = '' WHERE fid = 4", true),
      ("INSERT INTO trees (name) VALUES ('new'); DELETE FROM trees WHERE name = 'new'", false),
      ("CREATE TABLE notes (text TEXT)", true), ("CREATE INDEX by_name ON trees (name)", true), ("VACUUM", false),
      ("PRAGMA journal_mode = WAL", false), ("REINDEX", false),
      ("UPDATE gpkg_contents SET identifier = 'a' || rowid", true),
    ]) func changesAreThoseOfTheContent(sql: String, isChange: Bool) throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work).run(sql)
      #expect(try StoreFile.state(of: work).isChanged == isChange)
      #expect(try store.publish(work).outcome.text == (isChange ? "published 2" : "unchanged 1"))
      #expect(store.folder.entries == ["town.gpkg", "work.gpkg"])
    }

    /// The field program has the file open in WAL mode, and nothing of what it committed has left its log.
    @Test func whatIsInTheLogIsPublished() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      let program = try StoreEditor(work, mode: "WAL")
      try program.run("PRAGMA wal_autocheckpoint = 0; UPDATE trees SET name = 'oak' WHERE fid = 1")
      let result = try store.publish(work, author: "tablet 7")
      #expect(result.outcome.text == "published 2" && result.warnings.isEmpty)
      #expect(try store.names().first == "oak")
      #expect(
        !store.folder.entries.contains { $0.hasPrefix("town.gpkg-") || $0.hasPrefix(".") }, "\(store.folder.entries)")
      #expect(try store.bytes()[18..<20] == Data([1, 1]), "the mode of a rollback journal")
      let state = try StoreFile.state(of: store.target)
      #expect(state.revision.author == "tablet 7" && state.revision.program == "test 2" && !state.isChanged)
      #expect(try StoreFile.state(of: work).revision == state.revision)
      // It goes on, and so does the line of revisions.
      try program.run("UPDATE trees SET name = 'elm' WHERE fid = 2")
      #expect(try store.publish(work).outcome.text == "published 3")
      #expect(
        try StoreEditor(store.target).rows("SELECT number, author FROM meridian_revision") == [
          "1|NULL", "2|tablet 7", "3|NULL",
        ])
      #expect(try StoreEditor(store.target).rows("PRAGMA integrity_check") == ["ok"])
    }

    /// What others changed while the field program read is not lost, and a reader does not hold up a publication.
    @Test func aReaderOfTheWorkingCopyMayGoOn() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      let reader = try StoreEditor(work, mode: "WAL")
      try reader.run("BEGIN; SELECT count(*) FROM trees")
      try StoreEditor(work).run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      #expect(try store.publish(work, wait: 0).outcome.text == "published 2")
      #expect(try store.names().first == "oak")
    }

    @Test func aWriterOfTheWorkingCopyIsWaitedForAndThenTold() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      let before = try store.bytes()
      for mode in ["WAL", "DELETE"] {
        let writer = try StoreEditor(work, mode: mode)
        try writer.run("BEGIN IMMEDIATE; UPDATE trees SET name = 'oak' WHERE fid = 1")
        let error = try #require(throws: FormatError.self) { try store.publish(work, wait: 0.1) }
        #expect(error.file == work && error.reason == "another program is writing it", "\(mode)")
        try writer.run("ROLLBACK")
        #expect(store.targetIs(before))
      }
      #expect(store.folder.entries == ["town.gpkg", "work.gpkg"])
    }

    // MARK: - Conflicts

    @Test func theSecondOfTwoIsAConflict() throws {
      let store = try StoreFolder()
      let (one, other) = (try store.copy("one.gpkg"), try store.copy("other.gpkg"))
      try StoreEditor(one).run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      try StoreEditor(other, mode: "WAL").run("UPDATE trees SET name = 'elm' WHERE fid = 1")
      #expect(try store.publish(one).outcome.text == "published 2")
      let (target, work) = (try store.bytes(), try store.names(other))
      let refused = try store.publish(other).outcome
      #expect(
        refused.text == "conflict 1 2" && refused.conflict?.copy == nil && refused.conflict?.workIsChanged == true)
      #expect(store.targetIs(target) && store.folder.entries == ["one.gpkg", "other.gpkg", "town.gpkg"])
      // Both sides are kept when that is wished for, once: the copy may have been worked on.
      let copy = try #require(try store.publish(other, keepsBoth: true).outcome.conflict?.copy)
      #expect(try store.names(copy) == work && store.bytes(copy)[18..<20] == Data([1, 1]) && store.targetIs(target))
      #expect(URL(fileURLWithPath: copy).lastPathComponent.hasPrefix("town (conflict "))
      try StoreEditor(copy).run("UPDATE trees SET name = 'oak or elm' WHERE fid = 1")
      #expect(try store.publish(other, keepsBoth: true).outcome.conflict?.copy == copy)
      #expect(try store.names(copy).first == "oak or elm" && store.folder.entries.count == 4)
      #expect(try store.publish(copy).outcome.text == "conflict 1 2")
      #expect(try StoreFile.state(of: other).revision.number == 1)
    }

    /// A process that ended between the new name and the note in the working copy, with all that may happen afterwards.
    @Test func aPublicationWhoseEndWasNotNotedIsNoConflict() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      let first = try StoreFile.state(of: work).revision.id
      let editor = try StoreEditor(work)
      try editor.run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      #expect(try store.publish(work).outcome.text == "published 2")
      func forget() throws {
        try editor.run(
          """
          UPDATE meridian_store SET publishing = revision, revision = '\(first)';
          DELETE FROM meridian_revision WHERE number > 1
          """)
      }
      try forget()
      #expect(try StoreFile.state(of: work).isChanged)
      #expect(try store.publish(work).outcome.text == "unchanged 2")
      #expect(try StoreFile.state(of: work).revision.number == 2)
      try forget()
      try editor.run("UPDATE trees SET name = 'elm' WHERE fid = 2")
      #expect(try store.publish(work).outcome.text == "published 3")
      // Somebody else published on top of it: a conflict, from what was published here.
      try editor.run("UPDATE trees SET name = 'ash' WHERE fid = 3")
      let other = try store.copy("other.gpkg")
      try StoreEditor(other).run("UPDATE trees SET name = 'yew' WHERE fid = 4")
      #expect(try store.publish(other).outcome.text == "published 4")
      let third = try StoreFile.state(of: other).history[2].id
      try editor.run(
        """
        UPDATE meridian_store SET publishing = '\(third)', revision = '\(first)';
        DELETE FROM meridian_revision WHERE number > 1
        """)
      #expect(try store.publish(work).outcome.text == "conflict 3 4")
    }

    /// Nobody is held off from writing to the target by other means; such changes are not replaced in silence.
    @Test func aTargetThatWasWrittenByOtherMeansIsAConflict() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work).run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      try StoreEditor(store.target).run("UPDATE trees SET name = 'elm' WHERE fid = 2")
      let target = try store.bytes()
      let outcome = try store.publish(work).outcome
      #expect(outcome.text == "conflict 1 1" && outcome.conflict?.targetIsChanged == true)
      #expect(store.targetIs(target))
      // A copy of it makes what it is a revision.
      let adopted = try store.copy("adopted.gpkg")
      #expect(try store.publish(adopted).outcome.text == "published 2")
      #expect(try !StoreFile.state(of: store.target).isChanged && store.names()[1] == "elm")
      #expect(try store.publish(work).outcome.text == "conflict 1 2")
    }

    /// A target that was set back to a former revision, from a backup.
    @Test func anOlderTargetIsAConflict() throws {
      let store = try StoreFolder()
      let (work, backup) = (try store.copy("work.gpkg"), try store.bytes())
      try StoreEditor(work).run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      #expect(try store.publish(work).outcome.text == "published 2")
      try backup.write(to: URL(fileURLWithPath: store.target))
      let outcome = try store.publish(work).outcome
      #expect(outcome.text == "conflict 2 1" && outcome.conflict?.workIsChanged == false)
    }
  }
#endif
