// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs
import Testing

@testable import MeridianBench

/// Every case of the catalogue with every kernel of this build, at a tiny scale.
@Suite struct CatalogueTests {
  static let workloads = Workloads(scale: 0.0002, seed: 5)
  private static let suites: [Suite] = [.measure, .validate, .simplify, .snap, .index, .interactive, .jobs]

  @Test func namesAreUniqueAndTellTheirParts() throws {
    var names: Set<String> = []
    for suite in Suite.allCases {
      for one in try Catalogue.cases(suite: suite, Self.workloads) {
        #expect(names.insert(one.head.name).inserted, "\(one.head.name) twice")
        #expect(one.head.suite == suite && one.head.units > 0 && one.head.rows > 0)
        if suite == .abi || suite == .jobs { continue }
        #expect(one.head.name.hasPrefix("\(one.head.operation)/\(one.head.workload)/"))
      }
    }
    #expect(
      names.isSuperset(of: [
        "measure.area/G2/planar", "measure.inverse/P1/geodesic", "measure.distance/P2/great_circle",
        "validate.valid/G4/first", "validate.valid/G3/all",
        "validate.repair/G4-invalid/structure", "simplify.douglas_peucker/L1/fine",
        "simplify.coverage/C1/tolerance 0.001",
        "snap.query/S1/nearest", "snap.query/S1/far", "snap.query/S1/best", "index.window/B1/sorted",
        "index.nearest/B2/8 nearest", "index.window/B2/single",
      ]))
  }

  @Test func countsAreThoseOfTheWorkloads() throws {
    let workloads = Self.workloads
    for set in [
      workloads.lineSet, workloads.smallRingSet, workloads.ringSet, workloads.coastSet, workloads.faultySet,
      workloads.invalidSet, workloads.districtSet,
    ] {
      let made = try set.set.value()
      #expect(made.count == set.rows && made.vertexCount == set.vertices, "\(set.name)")
      #expect(made.arrays.allSatisfy { $0.type == set.type }, "\(set.name)")
    }
  }

  @Test func memoryIsReadOnceBesidePlanarMeasures() throws {
    let cases = try Catalogue.cases(suite: .measure, Self.workloads)
    func named(_ name: String) throws -> BenchCase { try #require(cases.first { $0.head.name == name }) }
    let planar = try named("measure.area/G3/planar")
    let read = try planar.prepare(Installed.host, kernel: MemoryRead.name).run()
    let arrays = try Self.workloads.g3.value().arrays
    let sums = arrays.map { array in (0..<Int(array.geoms.coords.count)).reduce(0) { $0 + array.x($1) + array.y($1) } }
    let sum = sums.reduce(0, +)
    #expect(abs((read.kept as? Double ?? .nan) - sum) <= 1e-9 * max(1, abs(sum)))
    #expect(try planar.judge(read, of: MemoryRead.name, on: Installed.host) == nil)
    let geodesic = try named("measure.area/G3/geodesic")
    #expect(throws: MeridianError.self) { try geodesic.prepare(Installed.host, kernel: MemoryRead.name) }
  }

  @Test(arguments: suites) func casesRunWithEveryKernelAndAreRight(_ suite: Suite) throws {
    var answered = 0
    // An adapter may have been left out of the build.
    var isOffered = false
    for one in try Catalogue.cases(suite: suite, Self.workloads) {
      isOffered = isOffered || Installed.host.kernels.contains { $0.operations.contains(one.head.operation) }
      for kernel in Installed.kernels where try runs(one, kernel) { answered += 1 }
    }
    #expect(answered > 0 || !isOffered)
  }

  /// False when the kernel refuses, which has to have a reason.
  private func runs(_ one: BenchCase, _ kernel: String) throws -> Bool {
    let prepared: PreparedRun
    do {
      prepared = try one.prepare(Installed.host, kernel: kernel)
    } catch {
      #expect(error.status == .unsupported || error.status == .notFound, "\(one.head.name): \(error.message)")
      #expect(!error.message.isEmpty)
      return false
    }
    let outcome = try prepared.answers()
    if prepared.judged != nil { _ = try prepared.run() }
    if let single = prepared.single {
      #expect(prepared.singles > 0)
      try single(0)
      try single(prepared.singles - 1)
    }
    guard let accuracy = try one.judge(outcome, of: kernel, on: Installed.host) else { return true }
    let name = "\(one.head.name) by \(kernel): \(accuracy)"
    #expect(one.oracleName(on: Installed.host) != nil)
    #expect(accuracy.compared > 0, "\(name)")
    #expect(accuracy.wrong == 0, "\(name)")
    #expect(accuracy.violations ?? 0 == 0, "\(name)")
    return true
  }

  /// What nobody judges could be anything: saved bytes show when they are opened, and whole measuring jobs have the
  /// right answers of the cases that they consist of.
  @Test func everyCaseHasAnOracleThatAKernelCanHave() throws {
    let without = try Suite.allCases.filter { $0 != .abi }.flatMap { suite in
      try Catalogue.cases(suite: suite, Self.workloads).filter { $0.oracle == nil && !$0.hasOracleSource }
    }.map(\.head.name)
    let known = ["index.save/B1/to bytes", "index.save/B2/to bytes", "jobs.measure.area/big.geojson"]
    #expect(Set(without).isSubset(of: known), "\(without)")
  }

  /// Each call moves a vertex, in every lap: a figure that stays as it is measures nothing.
  @Test func everyEditMovesItsVertex() throws {
    var ring = Ring()
    for corner in 0..<10_000 { ring.append(Double(corner), 1) }
    ring.close()
    var moves = FigureMoves(ring)
    var places = ring.y
    for lap in 0..<3 {
      var moved: Set<Int> = []
      for _ in 0..<10_000 {
        let edit = moves.next()
        #expect(edit.y != places[edit.vertex], "lap \(lap), vertex \(edit.vertex)")
        places[edit.vertex] = edit.y
        moved.insert(edit.vertex)
      }
      #expect(moved.count == 10_000 && places.dropLast().allSatisfy { ($0 < 1) == (lap % 2 == 0) })
    }
  }

  @Test func aKernelIsNotHeldAgainstItself() throws {
    guard Installed.kernels.contains("proj") else { return }
    let cases = try Catalogue.cases(suite: .measure, Self.workloads)
    let one = try #require(cases.first { $0.head.name == "measure.length/L1/geodesic" })
    let outcome = try one.prepare(Installed.host, kernel: "proj").run()
    #expect(one.oracleName(on: Installed.host) == "proj")
    #expect(try one.judge(outcome, of: "proj", on: Installed.host) == nil)
    #expect(try one.judge(outcome, of: "meridian.proj", on: Installed.host) == nil)
    // Held against it, other answers are found wrong.
    var wrong = outcome
    wrong.columns[0][2] += 1
    let accuracy = try #require(try one.judge(wrong, of: "native", on: Installed.host))
    #expect(accuracy.worstRow == 2 && abs(accuracy.largest - 1) < 1e-6)
  }

  @Test func refusalsSayWhy() throws {
    guard Installed.kernels.contains("geos") else { return }
    let cases = try Catalogue.cases(suite: .measure, Self.workloads)
    let one = try #require(cases.first { $0.head.name == "measure.area/G2/geodesic" })
    do {
      _ = try one.prepare(Installed.host, kernel: "geos")
      Issue.record("geos measured geodesics")
    } catch {
      #expect(error.message.contains("geodesic"), "\(error.message)")
    }
  }
}
