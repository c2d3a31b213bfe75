// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import MeridianABI
import Testing

/// Insertion, removal, files and bytes.
@Suite struct IndexLifeTests {
  @Test(arguments: 0..<6) func changesFollowAModel(seed: Int) throws {
    var random = SeededGenerator(UInt64(3000 + seed))
    let curved = seed % 2 == 1
    let edges = curved ? MRD_EDGES_GEODESIC : MRD_EDGES_PLANAR
    var model: [Int64: TestBox] = [:]
    let start = randomBoxes(50, &random, curved: curved)
    for (id, box) in start.enumerated() { model[Int64(id)] = box }
    var next: Int64 = 50
    let index = try TestIndex(start, edges: edges)
    for step in 0..<40 {
      let boxes = randomBoxes(Int.random(in: 0...12, using: &random), &random, curved: curved)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        try index.insert(boxes)
        for box in boxes {
          model[next] = box
          next += 1
        }
      case 1:
        let ids = boxes.map { _ in Int64.random(in: -1000...1000, using: &random) }
        if Set(ids).count == ids.count, ids.allSatisfy({ model[$0] == nil }) {
          try index.insert(boxes, ids: ids)
          for (id, box) in zip(ids, boxes) { model[id] = box }
          next = max(next, (ids.max() ?? -1) + 1)
        } else {
          #expect(throws: CallError.self, "seed \(seed), step \(step)") { try index.insert(boxes, ids: ids) }
        }
      default:
        let ids = (0..<8).map { _ in Int64.random(in: -20...next, using: &random) }
        let there = Set(ids).filter { model[$0] != nil }
        #expect(try index.remove(ids) == Int64(there.count), "seed \(seed), step \(step)")
        for id in ids { model[id] = nil }
      }
      let windows = randomBoxes(10, &random, curved: curved)
      let expected = windows.map { Oracle.window(model, $0, curved: curved) }
      #expect(try index.window(windows).ids == expected, "seed \(seed), step \(step)")
      let facts = try index.facts()
      #expect(Int(facts.boxes) == model.count, "seed \(seed), step \(step)")
      #expect(Int(facts.never_hit) == model.values.count { !Oracle.canHit($0, curved: curved) })
      if !curved {
        let live = model.values.filter { Oracle.canHit($0, curved: false) }
        #expect(facts.bounds.0 == live.map(\.xmin).min() ?? .infinity, "seed \(seed), step \(step)")
        #expect(facts.bounds.3 == live.map(\.ymax).max() ?? -.infinity, "seed \(seed), step \(step)")
      }
    }
    #expect(
      try TestIndex.open(bytes: index.save(), edges: edges).window([TestBox(-9, -9, 9, 9)]).ids
        == index.window([TestBox(-9, -9, 9, 9)]).ids)
  }

  @Test func theLastIdIsALimitAndNoCrash() throws {
    let index = try TestIndex([])
    try index.insert([TestBox(0, 0, 1, 1)], ids: [.max])
    let error = #expect(throws: CallError.self) { try index.insert([TestBox(0, 0, 1, 1)]) }
    #expect(error?.status == MRD_E_LIMIT)
    #expect(try index.window([TestBox(0, 0, 1, 1)]).ids == [[.max]])
    let bytes = try index.save()
    #expect(try TestIndex.open(bytes: bytes).window([TestBox(0, 0, 1, 1)]).ids == [[.max]])
  }

  @Test func aFileIsMadeOnceAndOpened() throws {
    let folder = TemporaryFolder()
    let path = folder.file("boxes #1?.index")
    do {
      let index = try TestIndex([TestBox(0, 0, 1, 1), TestBox(.nan, 0, 1, 1)], path: path)
      #expect(try index.facts().flags & MRD_OP_PERSISTS != 0)
      try index.insert([TestBox(5, 5, 6, 6)])
    }
    let again = #expect(throws: CallError.self) { try TestIndex([TestBox(0, 0, 1, 1)], path: path) }
    #expect(again?.status == MRD_E_ARGUMENT)
    let index = try TestIndex.open(file: path)
    #expect(try index.window([TestBox(0, 0, 9, 9)]).ids == [[0, 2]])
    #expect(try index.facts().never_hit == 1)
    try index.insert([TestBox(7, 7, 8, 8)])
    #expect(try index.window([TestBox(6, 6, 9, 9)]).ids == [[2, 3]])
    let reader = try TestIndex.open(file: path, readOnly: true)
    #expect(try reader.facts().flags & MRD_OP_INSERT_REMOVE == 0)
    let refused = #expect(throws: CallError.self) { try reader.insert([TestBox(0, 0, 1, 1)]) }
    #expect(refused?.status == MRD_E_UNSUPPORTED)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["boxes #1?.index"])
  }

  @Test func aFailedBuildLeavesNoFile() throws {
    let folder = TemporaryFolder()
    #expect(throws: CallError.self) {
      try TestIndex([TestBox(0, 0, 1, 1)], path: folder.file("a.index"), cancelled: true)
    }
    #expect(throws: CallError.self) { try TestIndex([TestBox(0, 0, 1, 1)], path: folder.file("no/such/a.index")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(throws: CallError.self) { try TestIndex.open(file: folder.file("a.index")) }
    #expect(throws: CallError.self) { try TestIndex.open(file: folder.path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  /// Every change of a byte is found by the checksum; behind a right checksum the contents are checked by themselves.
  @Test(arguments: 0..<4) func damagedBytesAreRefused(seed: Int) throws {
    var random = SeededGenerator(UInt64(4000 + seed))
    let boxes = randomBoxes(200, &random)
    let bytes = try TestIndex(boxes).save()
    for size in [0, 1, 31, 32, 33, 200, bytes.count - 1] {
      #expect(throws: CallError.self, "size \(size)") { try TestIndex.open(bytes: Array(bytes.prefix(size))) }
    }
    for _ in 0..<20 {
      var copy = bytes
      copy[Int.random(in: 0..<copy.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      #expect(throws: CallError.self, "seed \(seed)") { try TestIndex.open(bytes: copy) }
    }
  }

  /// The same for a file, which has no checksum: either refused with words, or every answer is still right.
  @Test(arguments: 0..<4) func damagedFilesAreRefusedOrRight(seed: Int) throws {
    var random = SeededGenerator(UInt64(5000 + seed))
    let folder = TemporaryFolder()
    let boxes = randomBoxes(200, &random)
    let path = folder.file("a.index")
    _ = try TestIndex(boxes, path: path)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let window = [TestBox(-9, -9, 9, 9), TestBox(1, 1, 2, 2)]
    let expected = try TestIndex.open(file: path).window(window).ids
    var refused = 0
    for round in 0..<60 {
      var copy = bytes
      if round % 10 == 0 {
        copy.removeLast(Int.random(in: 1..<copy.count, using: &random))
      } else {
        for _ in 0..<4 {
          copy[Int.random(in: 0..<copy.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      let damaged = folder.file("b\(round).index")
      try Data(copy).write(to: URL(fileURLWithPath: damaged))
      do {
        let index = try TestIndex.open(file: damaged)
        // A changed coordinate that is still a box with its entry in the tree cannot be told from a right one; what
        // must hold is that the ids are among those given.
        let ids = try index.window(window).ids
        #expect(
          ids.joined().allSatisfy { (0..<200).contains($0) }, "seed \(seed), round \(round): \(ids) and not \(expected)"
        )
      } catch let error as CallError {
        #expect(!error.message.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  @Test func strangersAreRefused() throws {
    let folder = TemporaryFolder()
    let plain = folder.file("plain.db")
    var database: OpaquePointer?
    #expect(sqlite3_open(plain, &database) == SQLITE_OK)
    sqlite3_exec(database, "CREATE TABLE box(id INTEGER PRIMARY KEY)", nil, nil, nil)
    sqlite3_close(database)
    #expect(throws: CallError.self) { try TestIndex.open(file: plain) }

    let path = folder.file("a.index")
    _ = try TestIndex([TestBox(0, 0, 1, 1)], path: path)
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    sqlite3_exec(database, "CREATE TRIGGER t AFTER INSERT ON box BEGIN DELETE FROM box; END", nil, nil, nil)
    sqlite3_close(database)
    let trigger = #expect(throws: CallError.self) { try TestIndex.open(file: path) }
    #expect(trigger?.message.contains("tables") == true)

    let other = folder.file("b.index")
    _ = try TestIndex([TestBox(0, 0, 1, 1)], path: other)
    #expect(sqlite3_open(other, &database) == SQLITE_OK)
    sqlite3_exec(database, "UPDATE box SET xmax = 5", nil, nil, nil)
    sqlite3_close(database)
    let moved = #expect(throws: CallError.self) { try TestIndex.open(file: other) }
    #expect(moved?.message.contains("differ") == true)
  }
}
