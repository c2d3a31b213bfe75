// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import CPlatform
  import Foundation
  import TestSupport
  import Testing

  /// A published store and working copies of it, as a shell sees them.
  struct StoreShell {
    let folder: Scratch
    var target: String { folder.path + "/town.gpkg" }

    init() throws {
      folder = try Scratch()
      let rows = (0..<40).map { row in
        #"{"type":"Feature","properties":{"name":"tree \#(row)"},"geometry":{"type":"Point","coordinates":[\#(row),1]}}"#
      }
      let (data, lines) = (try Scratch(), rows.joined(separator: "\n"))
      let (trees, paths) = (
        try data.write(lines, to: "trees.geojsonl"), try data.write("LINESTRING (0 0, 5 5)\n", to: "paths.wkt")
      )
      let built = try Shell.meridian(["index", "build", "-o", target, trees, paths])
      try #require(built.code == 0, "\(built.err)")
    }

    /// A working copy in which the first tree has got a name.
    func work(_ name: String, _ tree: String, mode: String = "WAL") throws -> String {
      let path = try folder.write(try folder.bytes("town.gpkg"), to: name)
      let program = try StoreEditor(path, mode: mode)
      try program.run("UPDATE trees SET name = '\(tree)' WHERE fid = 1")
      return path
    }

    func publish(_ work: String, _ words: [String] = []) throws -> Outcome {
      try Shell.meridian(["store", "publish", work, target] + words)
    }

    func tree(_ file: String? = nil) throws -> String {
      try StoreEditor(file ?? target).rows("SELECT name FROM trees WHERE fid = 1")[0]
    }
  }

  extension Scratch {
    /// As an answer and no comparison: where files of this size differ, a test would look for all differences for hours.
    func file(_ name: String, is bytes: [UInt8]) throws -> Bool { try self.bytes(name) == bytes }
  }

  @Suite struct StoreTests {
    @Test func buildWorkPublishStatus() throws {
      let store = try StoreShell()
      #expect(store.folder.names == ["town.gpkg"])
      let layers = try Shell.meridian(["convert", "-f", "wkt", "--layer", "paths", store.target])
      #expect(layers.lines == ["LINESTRING (0 0, 5 5)"], "\(layers.err)")
      let work = try store.work("work.gpkg", "oak")
      let status = try Shell.meridian(["store", "status", "--format", "json", work, store.target])
      let before = try #require(try status.objects().first)
      #expect(status.code == 0 && before["standing"] as? String == "changed" && before["number"] as? Int == 1)
      #expect(before["changed"] as? Bool == true && before["target_changed"] as? Bool == false)
      let published = try store.publish(work, ["--author", "tablet 7"])
      #expect(published.code == 0 && published.out.isEmpty, "\(published.err)")
      #expect(
        published.err.contains("town.gpkg is revision 2 (") && published.err.contains("by tablet 7, meridian 0.1.0"))
      #expect(try store.tree() == "oak" && store.folder.names == ["town.gpkg", "work.gpkg"])
      let again = try store.publish(work)
      #expect(again.code == 0 && again.err.contains("nothing to publish"), "\(again.err)")
      let after = try Shell.meridian(["store", "status", store.target])
      #expect(
        after.code == 0 && after.out.contains("revision 2 (") && after.out.contains("without changes"), "\(after.out)")
    }

    @Test func aConflictNamesBothRevisionsAndHasACodeOfItsOwn() throws {
      let store = try StoreShell()
      let (one, other) = (try store.work("one.gpkg", "oak"), try store.work("other.gpkg", "elm"))
      #expect(try store.publish(one, ["--author", "Anna"]).code == 0)
      let target = try store.folder.bytes("town.gpkg")
      let refused = try store.publish(other)
      #expect(refused.code == 1, "\(refused.err)")
      for words in [
        "conflict: it is revision 2 (", "by Anna", "other.gpkg began from revision 1 (", "nothing was changed",
      ] {
        #expect(refused.err.contains(words), "\(words): \(refused.err)")
      }
      let status = try Shell.meridian(["store", "status", other, store.target])
      #expect(status.code == 1 && status.lines.last?.hasPrefix("conflict") == true, "\(status.out)")
      #expect(store.folder.names == ["one.gpkg", "other.gpkg", "town.gpkg"])
      let kept = try store.publish(other, ["--keep-both"])
      let copy = try #require(store.folder.names.first { $0.hasPrefix("town (conflict ") }, "\(kept.err)")
      #expect(kept.code == 1 && kept.err.contains(copy) && store.folder.names.count == 4)
      #expect(try store.tree(store.folder.path + "/" + copy) == "elm" && store.folder.file("town.gpkg", is: target))
      let behind = try store.work("behind.gpkg", "tree 0")
      _ = try store.publish(try store.work("more.gpkg", "ash"))
      let state = try Shell.meridian(["store", "status", "-f", "csv", behind, store.target])
      #expect(state.code == 1 && state.out.contains(",conflict"), "\(state.out)")
    }

    /// Each begins from the same revision: one of them is the next, and the others are told.
    @Test func exactlyOneOfManyPublishersAtOnceWins() throws {
      let store = try StoreShell()
      for round in 1...4 {
        let names = (0..<5).map { "round \(round) work \($0)" }
        let works = try names.map { try store.work($0 + ".gpkg", $0) }
        let logs = try works.map { _ in try Scratch() }
        let children = try zip(works, logs).map { work, log in
          let files = try ["in", "out", "err"].map { try log.write("", to: $0) }
          return try Shell.spawn(
            Shell.products + "/meridian-cli", ["store", "publish", "--wait", "60", work, store.target], [:],
            files: files)
        }
        let codes = children.map { Shell.wait(for: $0) }
        let told = try logs.map { try $0.read("err") }
        #expect(codes.sorted() == [0, 1, 1, 1, 1], "\(told)")
        let winner = try #require(codes.firstIndex(of: 0))
        #expect(try store.tree() == names[winner])
        let facts = try StoreEditor(store.target).rows("SELECT max(number), count(*) FROM meridian_revision")
        #expect(facts == ["\(round + 1)|\(round + 1)"])
        for work in works { unlink(work) }
        #expect(store.folder.names == ["town.gpkg"])
      }
    }

    @Test func whatCannotBePublishedIsToldWithTwo() throws {
      let store = try StoreShell()
      let work = try store.work("work.gpkg", "oak")
      let target = try store.folder.bytes("town.gpkg")
      func refuses(_ words: [String], _ sentence: String) throws {
        let names = store.folder.names
        let answer = try Shell.meridian(["store"] + words)
        #expect(answer.code == 2 && answer.err.contains(sentence) && answer.out.isEmpty, "\(words): \(answer.err)")
        #expect(store.folder.names == names)
        #expect(try store.folder.file("town.gpkg", is: target))
      }
      try refuses(["publish", work], "store publish needs WORK TARGET")
      try refuses(["publish", work, store.folder.path + "/none.gpkg"], "none.gpkg: there is no such file")
      try refuses(["publish", store.folder.path + "/none.gpkg", store.target], "none.gpkg: there is no such file")
      try refuses(["publish", store.target, store.target], "it is the target itself")
      try refuses(["publish", work, store.folder.path + "/none/none.gpkg"], "there is no such file")
      try refuses(["publish", "--wait", "-1", work, store.target], "--wait is a number of seconds")
      let plain = store.folder.path + "/plain.gpkg"
      #expect(try Shell.meridian(["convert", "--layer", "trees", "-o", plain, store.target]).code == 0)
      try refuses(["publish", work, plain], "plain.gpkg: it is no store")
      try refuses(["status", plain], "plain.gpkg: it is no store")
      let writer = try StoreEditor(work)
      try writer.run("BEGIN IMMEDIATE")
      try refuses(["publish", "--wait", "0.1", work, store.target], "work.gpkg: another program is writing it")
      try writer.run("ROLLBACK")
      // Another user's files stay as they are.
      guard getuid() != 0 else { return }
      try #require(chmod(store.target, 0o400) == 0)
      try refuses(["publish", work, store.target], "town.gpkg: permission denied")
      try #require(chmod(store.target, 0o600) == 0 && chmod(work, 0o400) == 0)
      try refuses(["publish", work, store.target], "work.gpkg: it may not be written")
    }

    /// A limit on the size of files stands for a disk that is full, at any moment.
    @Test func withoutRoomTheTargetStaysAsItIs() throws {
      let store = try StoreShell()
      let work = try store.work("work.gpkg", "oak", mode: "DELETE")
      let target = try store.folder.bytes("town.gpkg")
      let script = """
        trap '' XFSZ; ulimit -f $2
        "\(Shell.products)/meridian-cli" store publish "$0" "$1"
        echo $?
        """
      for blocks in [0, 4, 20, 60, target.count / 1024 - 1] {
        let answer = try Shell.run("/bin/bash", ["--norc", "-c", script, work, store.target, "\(blocks)"])
        #expect(answer.lines == ["2"] || blocks == 0, "\(blocks): \(answer.err)")
        #expect(blocks == 0 || answer.err.contains("town.gpkg: "), "\(answer.err)")
        #expect(try store.folder.file("town.gpkg", is: target) && store.folder.names == ["town.gpkg", "work.gpkg"])
      }
      #expect(try store.publish(work).code == 0 && store.tree() == "oak")
    }

    @Test func ctrlCWhileOthersPublishChangesNothing() throws {
      let store = try StoreShell()
      let work = try store.work("work.gpkg", "oak")
      let (log, target) = (try Scratch(), try store.folder.bytes("town.gpkg"))
      let lock = open(try store.folder.write("", to: ".town.gpkg.publishing"), O_RDWR)
      #expect(flock(lock, LOCK_EX) == 0)
      let files = try ["in", "out", "err"].map { try log.write("", to: $0) }
      let child = try Shell.spawn(
        Shell.products + "/meridian-cli", ["store", "publish", "--wait", "60", work, store.target], [:], files: files)
      usleep(500_000)
      kill(child, SIGINT)
      #expect(Shell.wait(for: child) == 130)
      close(lock)
      #expect(try store.folder.file("town.gpkg", is: target))
      #expect(try store.publish(work).code == 0 && store.folder.names == ["town.gpkg", "work.gpkg"])
    }

    @Test func indexesAndStoresAreToldApartByTheName() throws {
      let store = try StoreShell()
      let index = store.folder.path + "/town.mrdx"
      let several = try Shell.meridian(["index", "build", "-o", index, Sample.problems, Sample.problems])
      #expect(several.code == 2 && several.err.contains("several files go into a store"), "\(several.err)")
      let measured = try Shell.meridian(["index", "build", "--metric", "sphere", "-o", store.target, Sample.problems])
      #expect(measured.code == 2 && measured.err.contains("--metric"), "\(measured.err)")
      // Layers of one name are layers of their own, and a file that cannot be read leaves what was there.
      let copies = store.folder.path + "/copies.gpkg"
      #expect(try Shell.meridian(["index", "build", "-o", copies, Sample.problems, Sample.problems]).code == 0)
      let tables = try StoreEditor(copies).rows("SELECT table_name FROM gpkg_geometry_columns")
      #expect(tables == ["problems", "problems_2"])
      let before = try store.folder.bytes("copies.gpkg")
      let broken = try Shell.meridian([
        "index", "build", "-o", copies, Sample.problems, store.folder.path + "/none.wkt",
      ])
      #expect(broken.code == 2 && broken.err.contains("nothing was written"), "\(broken.err)")
      #expect(try store.folder.file("copies.gpkg", is: before))
    }

    @Test(.enabled(if: Kernels.has("native", "index.build"))) func aStoreIsQueriedAsAnyFile() throws {
      let store = try StoreShell()
      let hits = try Shell.withKernels(
        ["index", "query", "--layer", "trees", "--window", "2.5,0,5,2", store.target])
      #expect(hits.lines == ["3", "4", "5"], "\(hits.err)")
    }
  }
#endif
