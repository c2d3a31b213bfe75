// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import CPlatform
  import Foundation
  import MeridianIO
  import TestSupport
  import Testing

  /// A publisher that is killed at each of its calls that change files: the target is one revision or the other, whole, and
  /// the next publication gets to the same end.
  @Suite(.enabled(if: KillAtCall.canBePreloaded, "under a sanitizer")) struct StoreKillTests {
    /// What a folder holds before the publication.
    private struct Start {
      var files: [(name: String, bytes: [UInt8])] = []

      /// The working copy of a tablet whose battery went flat: what was committed stands in the log.
      init(_ store: StoreShell, log: Bool) throws {
        let work = try store.work("work.gpkg", "oak", mode: "DELETE")
        let program = try StoreEditor(work, mode: log ? "WAL" : nil)
        if log { try program.run("PRAGMA wal_autocheckpoint = 0; UPDATE trees SET name = 'beech' WHERE fid = 1") }
        for name in store.folder.names where !name.hasSuffix("-shm") {
          files.append((name, try store.folder.bytes(name)))
        }
        // Closed it would empty its log.
        withExtendedLifetime(program) {}
      }

      func put(into folder: Scratch) throws {
        for name in folder.names { unlink(folder.path + "/" + name) }
        for file in files { try folder.write(file.bytes, to: file.name) }
      }

      subscript(_ name: String) -> [UInt8]? { files.first { $0.name == name }?.bytes }
    }

    /// - Returns: how many calls there were to be killed at.
    private func killAtEachCall(_ words: [String], _ start: Start, _ check: (Scratch, String) throws -> Void) throws
      -> Int
    {
      let (folder, log, tools) = (try Scratch(), try Scratch(), try Scratch())
      let program = Shell.products + "/meridian-cli"
      let environment = ["LD_PRELOAD": try KillAtCall.library(in: tools)]
      for call in 1..<1000 {
        try start.put(into: folder)
        for name in log.names { unlink(log.path + "/" + name) }
        let files = try ["in", "out", "err"].map { try log.write("", to: $0) }
        let child = try Shell.spawn(
          program, ["store", "publish"] + words.map { $0.replacing("@", with: folder.path) },
          environment.merging(["KILL_AT": "\(call)"]) { $1 }, files: files)
        let code = Shell.wait(for: child)
        guard code == 128 + SIGKILL else {
          let told = try log.read("err")
          #expect(code == 0 || code == 1, "call \(call): \(told)")
          try check(folder, "at the end")
          return call - 1
        }
        try check(folder, "killed at call \(call)")
      }
      return 1000
    }

    @Test(arguments: [false, true]) func theTargetIsOneRevisionOrTheOther(log: Bool) throws {
      let start = try Start(try StoreShell(), log: log)
      let old = try #require(start["town.gpkg"])
      var published = 0
      let calls = try killAtEachCall(["@/work.gpkg", "@/town.gpkg"], start) { folder, moment in
        let (target, work) = (folder.path + "/town.gpkg", folder.path + "/work.gpkg")
        let isNew = try folder.bytes("town.gpkg") != old
        if isNew {
          published += 1
          let state = try StoreFile.state(of: target)
          #expect(state.revision.number == 2 && !state.isChanged, "\(moment)")
          #expect(try StoreEditor(target).rows("PRAGMA integrity_check") == ["ok"], "\(moment)")
        }
        // The tablet goes on before the next publication.
        let program = try StoreEditor(work)
        #expect(try program.rows("PRAGMA integrity_check") == ["ok"], "\(moment)")
        let goesOn = published % 2 == 1
        if goesOn { try program.run("UPDATE trees SET name = 'elm' WHERE fid = 2") }
        let next = try Shell.meridian(["store", "publish", work, target])
        #expect(next.code == 0, "\(moment): \(next.err)")
        let state = try StoreFile.state(of: target)
        #expect(state.revision.number == (isNew && goesOn ? 3 : 2) && !state.isChanged, "\(moment): \(next.err)")
        let names = try StoreEditor(target).rows("SELECT name FROM trees WHERE fid < 3 ORDER BY fid")
        #expect(names == [log ? "beech" : "oak", goesOn ? "elm" : "tree 1"], "\(moment)")
        #expect(try StoreFile.state(of: work).revision.number == state.revision.number, "\(moment)")
        let beside = folder.names.filter { !["work.gpkg-wal", "work.gpkg-shm"].contains($0) }
        #expect(beside == ["town.gpkg", "work.gpkg"], "\(moment): \(beside)")
      }
      #expect(calls >= 30 && published > 3 && published < calls, "\(calls) calls, \(published) after the renaming")
    }

    /// In a conflict the target never changes, and the copy beside it is there whole or not at all.
    @Test func theCopyOfAConflictIsWholeOrNotThere() throws {
      let store = try StoreShell()
      var start = try Start(store, log: false)
      #expect(try store.publish(try store.work("other.gpkg", "elm")).code == 0)
      let old = try store.folder.bytes("town.gpkg")
      start.files = start.files.filter { $0.name == "work.gpkg" } + [("town.gpkg", old)]
      var kept = 0
      let calls = try killAtEachCall(["--keep-both", "@/work.gpkg", "@/town.gpkg"], start) { folder, moment in
        #expect(try folder.file("town.gpkg", is: old), "\(moment)")
        if let name = folder.names.first(where: { $0.hasPrefix("town (conflict ") }) {
          kept += 1
          let copy = try StoreFile.state(of: folder.path + "/" + name)
          #expect(copy.isChanged && copy.revision.number == 1, "\(moment)")
        }
        let next = try Shell.meridian(
          ["store", "publish", "--keep-both", folder.path + "/work.gpkg", folder.path + "/town.gpkg"])
        #expect(next.code == 1, "\(moment): \(next.err)")
        let names = folder.names
        #expect(names.count == 3 && names[0].hasPrefix("town (conflict "), "\(moment): \(names)")
        #expect(try store.tree(folder.path + "/" + names[0]) == "oak", "\(moment)")
      }
      #expect(calls >= 20 && kept > 0 && kept < calls, "\(calls) calls, \(kept) after the renaming")
    }
  }

  /// The library that kills a process at a call.
  enum KillAtCall {
    /// The runtime of a sanitizer has to come first, and would be killed at calls of its own.
    static let canBePreloaded = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil

    static func library(in folder: Scratch) throws -> String {
      let path = folder.path + "/kill_at_call.so"
      let source = Shell.root + "/Tests/CommandTests/kill_at_call.c"
      let built = try Shell.run(
        "/usr/bin/env", ["clang", "-std=c11", "-O1", "-fPIC", "-shared", "-o", path, source])
      try #require(built.code == 0, "\(built.err)")
      return path
    }
  }
#endif
