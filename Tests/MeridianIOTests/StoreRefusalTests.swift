// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import Foundation
  import Meridian
  import TestSupport
  import Testing

  @testable import MeridianIO

  /// What is not published: a working copy that is damaged, a target that is not its store.
  @Suite struct StoreRefusalTests {
    /// Publishes, which must fail with these words and change nothing.
    private func refused(
      _ store: StoreFolder, _ work: String, says words: String, of file: String? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let (target, entries) = (try? store.bytes(), store.folder.entries)
      let error = #expect(throws: FormatError.self, sourceLocation: sourceLocation) { try store.publish(work) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")", sourceLocation: sourceLocation)
      #expect(error?.file == file ?? work, sourceLocation: sourceLocation)
      #expect(store.targetIs(target), sourceLocation: sourceLocation)
      #expect(store.folder.entries == entries, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
      ("DELETE FROM rtree_trees_geom WHERE id = 4", "layer trees: its R-tree does not find feature 4"),
      (
        "UPDATE rtree_trees_geom SET minx = 8.5, maxx = 9 WHERE id = 4",
        "layer trees: its R-tree does not find feature 4"
      ),
      ("INSERT INTO rtree_trees_geom VALUES (99, 0, 1, 0, 1)", "layer trees: its R-tree has entries of features"),
      ("UPDATE rtree_trees_geom_rowid SET nodeno = 77 WHERE rowid = 4", "layer trees: its R-tree is damaged"),
      ("PRAGMA application_id = 7", "its application id is not that of a GeoPackage"),
      ("DROP TABLE gpkg_geometry_columns", "there is no table gpkg_geometry_columns"),
      (
        "UPDATE gpkg_geometry_columns SET column_name = 'shape' WHERE table_name = 'trees'",
        "layer trees: the geometry column"
      ),
      (
        "UPDATE gpkg_contents SET srs_id = 123456 WHERE table_name = 'trees'", "refers to a row of gpkg_spatial_ref_sys"
      ),
      (
        "DROP TRIGGER rtree_trees_geom_update6; UPDATE trees SET geom = x'4750000100000000' WHERE fid = 2",
        "the geometry of feature 2 is malformed"
      ),
    ]) func whatDoesNotAgreeIsNotPublished(sql: String, words: String) throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work).run("PRAGMA foreign_keys = OFF; UPDATE trees SET name = 'oak' WHERE fid = 1; " + sql)
      try refused(store, work, says: words)
    }

    /// Field programs write curves, which have no reader here: they are published, and have to be in the R-tree as others are.
    @Test func curvesArePublished() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      let program = try StoreEditor(work)
      func hex(_ values: [Double]) -> String {
        values.map { String(format: "%016llx", $0.bitPattern.byteSwapped) }.joined()
      }
      let arc = "47500003" + "00000000" + hex([0, 2, 0, 1]) + "01" + "08000000" + "03000000" + hex([0, 0, 1, 1, 2, 0])
      try program.run("INSERT INTO paths (geom) VALUES (x'\(arc)')")
      #expect(try store.publish(work).outcome.text == "published 2")
      try program.run("DELETE FROM rtree_paths_geom WHERE id = 3; INSERT INTO paths (geom) VALUES (NULL)")
      try refused(store, work, says: "layer paths: its R-tree does not find feature 3")
    }

    /// Wherever a page is damaged: what is published is whole, or nothing is.
    @Test func aDamagedFileIsNotPublished() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work).run("CREATE INDEX by_name ON trees (name); UPDATE trees SET name = 'oak' WHERE fid = 1")
      let (whole, target) = (try store.bytes(work), try store.bytes())
      var refusals = 0
      for page in 0..<(whole.count / 4096) {
        var damaged = whole
        for at in 0..<64 { damaged[page * 4096 + (page == 0 ? 100 : 0) + at] ^= 0x5a }
        try damaged.write(to: URL(fileURLWithPath: work))
        do {
          let result = try store.publish(work)
          #expect(try StoreEditor(store.target).rows("PRAGMA integrity_check") == ["ok"], "page \(page): \(result)")
          try target.write(to: URL(fileURLWithPath: store.target))
        } catch {
          #expect(error is FormatError && store.targetIs(target), "page \(page)")
          refusals += 1
        }
        #expect(store.folder.entries.filter { $0.hasPrefix(".") || $0.hasPrefix("town.gpkg-") } == [], "page \(page)")
      }
      #expect(refusals > whole.count / 4096 / 2, "\(refusals) of \(whole.count / 4096) pages")
    }

    /// An index that lacks rows is a damage that only a look at the copied pages shows: a copy made row by row would hide it.
    @Test func anIndexWithoutItsRowsIsSeen() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work).run(
        """
        CREATE INDEX by_name ON trees (name); CREATE TABLE spare (name TEXT); CREATE INDEX by_spare ON spare (name);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'by_spare') WHERE name = 'by_name'
        """)
      try refused(store, work, says: "the database is damaged")
    }

    @Test func targetsThatAreNotItsStore() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work).run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      let target = try store.bytes()
      let place = URL(fileURLWithPath: store.target)
      let other = try StoreFolder()
      try other.bytes().write(to: place)
      try refused(store, work, says: "it is a copy of another store")
      try StoreEditor(store.target).run("DROP TABLE meridian_revision")
      try refused(store, work, says: "it is no store", of: store.target)
      try Data("text".utf8).write(to: place)
      try refused(store, work, says: "not an SQLite database", of: store.target)
      try Data().write(to: place)
      try refused(store, work, says: "the file is empty", of: store.target)
      try FileManager.default.removeItem(at: place)
      try refused(store, work, says: "there is no such file", of: store.target)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      try refused(store, work, says: "it is a directory", of: store.target)
      try FileManager.default.removeItem(at: place)
      try target.write(to: place)
      try refused(store, store.target, says: "it is the target itself")
      try refused(store, store.folder.path + "/none.gpkg", says: "there is no such file")
      #expect(try store.publish(work).outcome.text == "published 2")
    }

    /// A log beside the target belongs to the file that is there: its successor would be read through it.
    @Test func aTargetThatIsOpenForWritingIsRefused() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work).run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      var program: StoreEditor? = try StoreEditor(store.target, mode: "WAL")
      try program?.run("UPDATE trees SET name = 'elm' WHERE fid = 2; UPDATE trees SET name = 'tree 1' WHERE fid = 2")
      try refused(store, work, says: "another program has it open for writing", of: store.target)
      program = nil
      // Empty ones, as a reader has them, go with the old file.
      program = try StoreEditor(store.target, mode: "WAL")
      #expect(try program?.rows("SELECT count(*) FROM trees") == ["10"])
      #expect(store.folder.entries.contains("town.gpkg-shm"))
      #expect(try store.publish(work).outcome.text == "published 2")
      #expect(store.folder.entries == ["town.gpkg", "work.gpkg"])
      #expect(try program?.rows("SELECT name FROM trees WHERE fid = 1") == ["tree 0"], "it has the old file still")
      #expect(try store.names().first == "oak")
    }

    /// A file that was copied over the target, or taken away, after it was looked at.
    @Test func aTargetThatIsReplacedMeanwhileIsSeen() throws {
      let store = try StoreFolder()
      let looked = try StoreTarget(store.target)
      try looked.checkUnchanged()
      let bytes = try store.bytes()
      try bytes.write(to: URL(fileURLWithPath: store.target), options: .atomic)
      let replaced = #expect(throws: FormatError.self) { try looked.checkUnchanged() }
      #expect(replaced?.reason.contains("replaced or wrote it meanwhile") == true)
      unlink(store.target)
      let gone = #expect(throws: FormatError.self) { try looked.checkUnchanged() }
      #expect(gone?.reason == "there is no such file or folder")
    }

    @Test func anotherPublicationIsWaitedForAndThenTold() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      var other: PublishingFile? = try PublishingFile(for: store.target, wait: 0, stop: nil)
      let error = #expect(throws: FormatError.self) { try store.publish(work, wait: 0.1) }
      #expect(error?.reason == "another publication to it goes on; try again")
      #expect(other != nil && store.folder.entries == [".town.gpkg.publishing", "town.gpkg", "work.gpkg"])
      other = nil
      #expect(try store.publish(work).outcome.text == "unchanged 1")
      #expect(store.folder.entries == ["town.gpkg", "work.gpkg"])
    }

    /// As for every output: the file behind a link is replaced, and keeps its permissions.
    @Test func linksAreFollowedAndPermissionsStay() throws {
      let store = try StoreFolder()
      let (work, real) = (try store.copy("work.gpkg"), store.folder.path + "/real.gpkg")
      try StoreEditor(work).run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      try FileManager.default.moveItem(atPath: store.target, toPath: real)
      try #require(symlink("real.gpkg", store.target) == 0 && chmod(real, 0o640) == 0)
      #expect(try store.publish(work).outcome.text == "published 2")
      var status = stat()
      #expect(lstat(store.target, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(stat(real, &status) == 0 && status.st_mode & 0o777 == 0o640)
      #expect(try store.names(real).first == "oak")
    }

    /// Systems without a number of an authority are told apart, each with its definition.
    @Test func layersOfTwoLocalSystems() throws {
      let folder = TemporaryFolder()
      let path = folder.path + "/a.gpkg"
      let writer = try StoreFile.create(
        path, layer: Layer(name: "a", crs: .other("site A"), definition: "LOCAL_CS[\"A\"]"), program: "test")
      try writer.startLayer(Layer(name: "b", crs: .other("site B"), definition: "LOCAL_CS[\"B\"]"))
      try writer.startLayer(Layer(name: "c", crs: .other("site A"), definition: "LOCAL_CS[\"A\"]"))
      try writer.finish()
      let layers = try GeoPackage(path: path).layers
      #expect(layers.map(\.crs) == [.other("site A"), .other("site B"), .other("site A")])
      #expect(layers.map(\.definition) == ["LOCAL_CS[\"A\"]", "LOCAL_CS[\"B\"]", "LOCAL_CS[\"A\"]"])
    }
  }
#endif
