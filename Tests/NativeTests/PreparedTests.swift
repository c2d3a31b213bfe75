// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// A geometry under edit against a check from the beginning.
@Suite struct PreparedTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  /// Rings of polygons as they are stored; what an edit does to them, by the words of the header.
  private struct Model {
    var parts: [[[SIMD2<Double>]]]
    var areClosed: [[Bool]]

    init(_ parts: [[[SIMD2<Double>]]]) {
      self.parts = parts
      areClosed = parts.map { $0.map { $0.count > 1 && $0[0] == $0[$0.count - 1] } }
    }

    mutating func apply(_ edit: mrd_edit) {
      let (part, ring) = (Int(edit.part), Int(edit.ring))
      var list = parts[part][ring]
      var vertex = Int(edit.vertex)
      let isClosed = areClosed[part][ring]
      if isClosed && edit.kind != MRD_EDIT_INSERT && vertex == list.count - 1 { vertex = 0 }
      switch edit.kind {
      case MRD_EDIT_MOVE: list[vertex] = [edit.x, edit.y]
      case MRD_EDIT_INSERT: list.insert([edit.x, edit.y], at: vertex)
      default:
        list.remove(at: vertex)
        if list.count < 2 { areClosed[part][ring] = false }
      }
      if areClosed[part][ring] { list[list.count - 1] = list[0] }
      parts[part][ring] = list
    }

    var wkt: String {
      func list(_ items: [String]) -> String { "(" + items.joined(separator: ",") + ")" }
      return "MULTIPOLYGON" + list(parts.map { list($0.map { list($0.map { "\($0.x) \($0.y)" }) }) })
    }
  }

  private struct Answer: Equatable {
    var status: mrd_status
    var verdict: UInt8
    var problems: [String]
  }

  private func words(_ problem: mrd_problem) -> String {
    "\(problem.code) \(problem.severity) \(problem.part) \(problem.ring) \(problem.vertex) \(problem.other_part) "
      + "\(problem.other_ring) \(problem.other_vertex) \(problem.x) \(problem.y) \(problem.jts_code)"
  }

  private func prepare(
    _ wkt: String, _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) throws -> (status: mrd_status, handle: OpaquePointer?) {
    let call = GuardedCall(rows: 1)
    var options = mrd_validate_options()
    options.struct_size = UInt32(MemoryLayout<mrd_validate_options>.size)
    change(&options)
    var handle: OpaquePointer?
    let geoms = try TestGeoms([wkt])
    // Row 0 of the array is the spare one in front; the handle is of the first row behind it.
    let status = call.run { table.prepare(geoms.pointer, &options, &handle, $0) }
    return (status, handle)
  }

  private func edit(_ handle: OpaquePointer?, _ edits: [mrd_edit]) -> Answer {
    let call = GuardedCall(rows: 1)
    var verdict: UInt8 = 9
    var out = mrd_problems_out()
    out.struct_size = UInt32(MemoryLayout<mrd_problems_out>.size)
    let status = withUnsafeMutablePointer(to: &verdict) { verdict in
      out.verdicts = verdict
      return call.run {
        table.edit(handle, edits, UInt32(MemoryLayout<mrd_edit>.stride), 0, Int64(edits.count), &out, $0)
      }
    }
    #expect(call.isIntact)
    let problems = status == MRD_OK ? call.values(MRD_BUF_RECORDS, mrd_problem.self) : []
    return Answer(status: status, verdict: verdict, problems: problems.map(words))
  }

  private func check(_ wkt: String, _ change: (inout mrd_validate_options) -> Void = { _ in }) throws -> Answer {
    let run = ValidateRun.check(table, MRD_VALIDATE_VALID, try TestGeoms([wkt]), change)
    return Answer(status: run.status, verdict: run.verdicts[0], problems: run.problems.map(words))
  }

  private func anEdit(_ model: Model, _ size: Int, _ random: inout TestRandom) -> mrd_edit {
    let part = Int.random(in: 0..<model.parts.count, using: &random)
    let ring = Int.random(in: 0..<model.parts[part].count, using: &random)
    let count = model.parts[part][ring].count
    let kind =
      count == 0
      ? MRD_EDIT_INSERT : [MRD_EDIT_MOVE, MRD_EDIT_MOVE, 2, 3].randomElement(using: &random) ?? MRD_EDIT_MOVE
    var end = count
    if kind == MRD_EDIT_INSERT { end = model.areClosed[part][ring] ? count : count + 1 }
    var place = SIMD2(
      Double(Int.random(in: 0...size, using: &random)), Double(Int.random(in: 0...size, using: &random)))
    // Near something that is there, and sometimes nowhere.
    if Int.random(in: 0..<4, using: &random) == 0 { place += [0.5, 0.25] }
    if Int.random(in: 0..<200, using: &random) == 0 { place.x = .nan }
    return mrd_edit(
      kind: kind, pad0: 0, part: Int64(part), ring: Int64(ring),
      vertex: Int64.random(in: 0..<Int64(end), using: &random),
      x: place.x, y: place.y)
  }

  private func rings(_ size: Int, _ random: inout TestRandom) -> [[[SIMD2<Double>]]] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        var ring = (0..<Int.random(in: 3...9, using: &random)).map { _ in
          SIMD2(Double(Int.random(in: 0...size, using: &random)), Double(Int.random(in: 0...size, using: &random)))
        }
        ring.append(ring[0])
        return ring
      }
    }
  }

  private func follow(
    _ start: [[[SIMD2<Double>]]], edits: Int, size: Int, batch: Int, _ random: inout TestRandom, _ words: String,
    _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) throws {
    var model = Model(start)
    let made = try prepare(model.wkt, change)
    #expect(made.status == MRD_OK)
    defer { table.release(made.handle) }
    for step in 0..<edits {
      let before = model.wkt
      var list: [mrd_edit] = []
      for _ in 0..<Int.random(in: 1...batch, using: &random) {
        list.append(anEdit(model, size, &random))
        model.apply(list[list.count - 1])
      }
      let (own, expected) = (edit(made.handle, list), try check(model.wkt, change))
      #expect(own == expected, "\(words), step \(step): \(before) by \(list)")
      if own != expected { return }
    }
  }

  @Test func randomEditsOnCoarseGrids() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<60 {
      let size = Int.random(in: 2...12, using: &random)
      try follow(rings(size, &random), edits: 40, size: size, batch: 3, &random, "seed \(seed)")
    }
  }

  /// One ring, and rings far apart: what is answered without a look at the whole.
  @Test func editsOfLargerRings() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for round in 0..<12 {
      let count = [40, 300, 1000][round % 3]
      func ring(_ x: Double, _ y: Double, _ radius: Int, _ count: Int) -> [SIMD2<Double>] {
        // Star-shaped about its middle by construction, on whole numbers.
        var points: [SIMD2<Double>] = []
        for index in 0..<count {
          let share = Double(index) / Double(count)
          let side = Int(share * 4)
          let along = (share * 4 - Double(side)) * 2 - 1
          let corner = [SIMD2(along, -1), SIMD2(1, along), SIMD2(-along, 1), SIMD2(-1, -along)][side]
          let reach = Double(Int.random(in: (radius / 2)...radius, using: &random))
          points.append([x + (corner.x * reach * 64).rounded(), y + (corner.y * reach * 64).rounded()])
        }
        return points + [points[0]]
      }
      var parts = [[ring(0, 0, 60, count)]]
      if round % 2 == 1 { parts[0].append(ring(0, 0, 20, 20)) }
      if round % 4 == 3 { parts.append([ring(9000, 0, 50, 60)]) }
      try follow(parts, edits: 40, size: 4000, batch: 1, &random, "seed \(seed), \(count)")
    }
  }

  @Test func modesDialectsAndThresholds() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let changes: [(inout mrd_validate_options) -> Void] = [
      { $0.mode = MRD_MODE_FIRST }, { $0.mode = MRD_MODE_VERDICT }, { $0.limit = 2 }, { $0.dialect = MRD_DIALECT_ESRI },
      { $0.flags = MRD_VALIDATE_WARNINGS }, { $0.min_edge_coord = 1.5 },
    ]
    for change in changes {
      for _ in 0..<6 {
        try follow(rings(5, &random), edits: 25, size: 5, batch: 2, &random, "seed \(seed)", change)
      }
    }
  }

  @Test func refusedEditsChangeNothing() throws {
    let text = "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)))"
    let made = try prepare(text)
    defer { table.release(made.handle) }
    func anEdit(_ kind: Int32, _ vertex: Int64, part: Int64 = 0, ring: Int64 = 0) -> mrd_edit {
      mrd_edit(kind: kind, pad0: 0, part: part, ring: ring, vertex: vertex, x: 2, y: 9)
    }
    let good = anEdit(MRD_EDIT_MOVE, 0)
    for bad in [
      anEdit(9, 0), anEdit(MRD_EDIT_MOVE, 5), anEdit(MRD_EDIT_MOVE, -1), anEdit(MRD_EDIT_INSERT, 5),
      anEdit(MRD_EDIT_REMOVE, 5), anEdit(MRD_EDIT_MOVE, 0, part: 1), anEdit(MRD_EDIT_MOVE, 0, ring: 1),
    ] {
      #expect(edit(made.handle, [good, bad]).status == MRD_E_ARGUMENT)
    }
    #expect(edit(made.handle, []) == (try check(text)))
    #expect(edit(made.handle, [good]) == (try check("MULTIPOLYGON(((2 9,4 0,4 4,0 4,2 9)))")))
    #expect(try prepare("MULTIPOINT((1 2))").status == MRD_E_UNSUPPORTED)
    #expect(try prepare(text) { $0.flags = MRD_VALIDATE_AT_DECIMALS }.status == MRD_E_UNSUPPORTED)
    table.release(nil)
  }

  @Test func linesAreEdited() throws {
    let made = try prepare("LINESTRING(0 0,1 0)")
    defer { table.release(made.handle) }
    let edits = [mrd_edit(kind: MRD_EDIT_REMOVE, pad0: 0, part: 0, ring: -1, vertex: 1, x: 0, y: 0)]
    #expect(edit(made.handle, edits) == (try check("LINESTRING(0 0)")))
    let more = [mrd_edit(kind: MRD_EDIT_INSERT, pad0: 0, part: 0, ring: -1, vertex: 1, x: 3, y: 3)]
    #expect(edit(made.handle, more) == (try check("LINESTRING(0 0,3 3)")))
  }
}
