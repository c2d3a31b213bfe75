// SPDX-License-Identifier: Apache-2.0
import Meridian
import Testing

/// Every fact of Tests/Data/cases, by each kernel that answers it.
@Suite struct CaseTests {
  @Test(arguments: Case.all("measure")) func measure(_ fact: Case) throws {
    try Installed.answer(fact) { kernel, run in
      if fact.operation == "measure.densify" { return try densify(fact, kernel, run) }
      let measured = try numbers(of: fact, run)
      if let status = fact.word(after: "status=") {
        #expect(measured.statuses[0].code.name == status, "\(fact.id) by \(kernel)")
        return
      }
      let status = fact.parameters["status"] ?? "OK"
      #expect(measured.statuses[0].code.name == status, "\(fact.id) by \(kernel): \(measured.statuses[0].name)")
      for (column, expected) in try Expectation.list(fact.expected).enumerated() {
        let (name, value) = (measured.names[column], measured.columns[column][0])
        let isAngle = fact.isOnGlobe && ["x", "azimuth", "azimuth_a", "azimuth_b"].contains(name)
        #expect(
          expected.isMet(by: value, isAngle: isAngle), "\(fact.id) by \(kernel): \(name) \(value) \(fact.expected)")
      }
    }
  }

  private func numbers(of fact: Case, _ run: Run) throws -> Measured {
    var options = MeasureOptions()
    if fact.parameters["side"] == "left" { options.side = .left }
    let name = fact.operation.dropFirst("measure.".count)
    let set = try fact.set()
    if name == "direct" {
      return try Installed.host.measureDirect(
        set, azimuths: [try #require(try fact.number("azimuth"))],
        distances: [try #require(try fact.number("distance"))], run: run)
    }
    if let operation = PairOperation.allCases.first(where: { $0.name == name }) {
      return try Installed.host.measurePair(operation, set, try fact.otherSet(), options: options, run: run)
    }
    let operation = try #require(MeasureOperation.allCases.first { $0.name == name }, "\(fact.operation)")
    return try Installed.host.measure(operation, set, options: options, run: run)
  }

  private func densify(_ fact: Case, _ kernel: String, _ run: Run) throws {
    var options = MeasureOptions()
    options.maxEdgeCoord = try #require(try fact.number("edge"))
    let dense = try Installed.host.densify(try fact.set(), options: options, run: run)
    try expect(dense.set, is: fact, kernel)
  }

  @Test(arguments: Case.all("validate")) func validate(_ fact: Case) throws {
    let operation: ValidateOperation = fact.operation == "validate.simple" ? .simple : .valid
    try Installed.answer(fact) { kernel, run in
      let found = try Installed.host.validate(operation, try fact.set(), run: run)
      let verdict: Verdict = ["valid", "simple"].contains(fact.expected) ? .valid : .invalid
      #expect(found.verdicts == [verdict], "\(fact.id) by \(kernel): \(found.problems.map(\.message))")
      #expect(found.problems.isEmpty == (verdict == .valid), "\(fact.id) by \(kernel)")
      if let place = try fact.place() {
        #expect(found.problems.contains { $0.x == place.0 && $0.y == place.1 }, "\(fact.id) by \(kernel)")
      }
    }
  }

  @Test(arguments: Case.all("repair")) func repair(_ fact: Case) throws {
    var options = RepairOptions()
    let rules: [String: RepairRule] = ["linework": .linework, "even_odd": .evenOdd, "nonzero": .nonzero]
    options.rule = rules[fact.parameters["rule"] ?? ""] ?? .structure
    try Installed.answer(fact) { kernel, run in
      let repaired = try Installed.host.repair(try fact.set(), options: options, run: run)
      if let status = fact.word(after: "status=") {
        #expect(repaired.statuses[0].code.name == status, "\(fact.id) by \(kernel)")
        return
      }
      #expect(repaired.statuses[0].code == .ok || repaired.statuses[0].code == .empty, "\(fact.id) by \(kernel)")
      if let area = fact.word(after: "area=") {
        #expect(repaired.reports[0].areaAfter == Double(area), "\(fact.id) by \(kernel)")
      } else {
        try expect(repaired.set, is: fact, kernel)
      }
    }
  }

  /// libgeos/geos#1504: one bow tie among 1600 squares.
  @Test func oneBadPartOfMany() throws {
    let squares = (0..<1600).map { number in
      let (x, y) = (3 * (number / 40), 3 * (number % 40))
      return "((\(x) \(y),\(x + 1) \(y),\(x + 1) \(y + 1),\(x) \(y + 1),\(x) \(y)))"
    }
    var builder = GeometryBuilder()
    try builder.append(wkt: "MULTIPOLYGON(\(squares.joined(separator: ",")),((-9 -9,-5 -5,-5 -9,-9 -5,-9 -9)))")
    let set = try builder.finish()
    for kernel in Installed.offering("validate.repair") {
      let repaired = try Installed.host.repair(set, run: Run(rules: "validate.repair=\(kernel)"))
      #expect(repaired.reports[0].areaAfter == 1608 && repaired.reports[0].partsAfter == 1602, "\(kernel)")
    }
  }

  @Test(arguments: Case.all("simplify")) func simplify(_ fact: Case) throws {
    let operation = try #require(SimplifyOperation.allCases.first { "simplify." + $0.name == fact.operation })
    var options = SimplifyOptions(tolerances: [try #require(try fact.number("tolerance"))])
    if fact.parameters["collapse"] == "drop" { options.collapse = .drop }
    if fact.parameters["measure"] == "area" { options.measure = .area }
    if fact.parameters["unit"] == "m" { options.unit = .metres }
    options.fixedBoundary = fact.parameters["fixed"] != nil
    try Installed.answer(fact) { kernel, run in
      var run = run
      if options.unit == .metres { run.model = .wgs84Planar }
      if fact.expected == "error" {
        let error = #expect(throws: MeridianError.self, "\(fact.id) by \(kernel)") {
          try Installed.host.simplify(operation, try fact.set(), options: options, run: run)
        }
        #expect(error?.status == .argument, "\(fact.id) by \(kernel): \(error?.message ?? "")")
        return
      }
      let simple = try Installed.host.simplify(operation, try fact.set(), options: options, run: run)
      // A kernel that cannot keep the topology may give the row back as it was and say so.
      let fine: [RowStatus] = fact.parameters["may"] == "withhold" ? [.ok, .empty, .notApplied] : [.ok, .empty]
      #expect(fine.contains(simple.statuses[0].code), "\(fact.id) by \(kernel): \(simple.statuses[0].name)")
      try expect(simple.set, is: fact, kernel)
    }
  }

  @Test(arguments: Case.all("snap")) func snap(_ fact: Case) throws {
    var options = SnapOptions()
    options.toleranceCoord = try fact.number("tolerance") ?? 0
    options.gridScale = try fact.number("scale") ?? 0
    options.keepCollapsed = fact.parameters["keep"] != nil
    let operation: SnapOperation = fact.operation == "snap.grid" ? .grid : .pair
    try Installed.answer(fact) { kernel, run in
      let snapped = try Installed.host.snap(
        operation, try fact.set(), targets: try fact.other.map(fact.set), options: options, run: run)
      if let status = fact.word(after: "status=") {
        #expect(snapped.statuses[0].code.name == status, "\(fact.id) by \(kernel)")
        return
      }
      #expect(snapped.statuses[0].code == .ok || snapped.statuses[0].code == .empty, "\(fact.id) by \(kernel)")
      try expect(snapped.set, is: fact, kernel)
    }
  }

  @Test(arguments: Case.all("index")) func index(_ fact: Case) throws {
    try Installed.answer(fact) { kernel, _ in
      let run = Run(rules: "index.build=\(kernel)")
      let index = try BoxIndex(host: Installed.host, set: try fact.set(), run: run)
      if let unseen = try fact.number("never_hit") {
        let facts = try index.facts
        #expect(facts.neverHit == Int(unseen), "\(fact.id) by \(kernel)")
      }
      let queries = try boxes(of: try fact.otherSet())
      let hits: IndexHits
      if fact.operation == "index.nearest" {
        var options = NearestOptions(count: Int(try fact.number("count") ?? 1))
        if fact.parameters["ties"] == "all" { options.ties = .all }
        hits = try index.nearest(queries, options: options)
      } else {
        hits = try index.window(queries)
      }
      let found = (0..<queries.count).map { hits.ids(ofQuery: $0).map(String.init).joined(separator: " ") }
      let expected = fact.expected.split(separator: "|").map {
        $0.split(separator: " ").filter { $0 != "-" }.joined(separator: " ")
      }
      #expect(found == expected, "\(fact.id) by \(kernel)")
    }
  }

  private func boxes(of set: GeometrySet) throws -> Boxes {
    let bounds = try Installed.host.measure(.bounds, set)
    var boxes = Boxes()
    for row in 0..<set.count {
      boxes.append(bounds.columns[0][row], bounds.columns[1][row], bounds.columns[2][row], bounds.columns[3][row])
    }
    return boxes
  }

  /// The result is the expected geometry, to within `within=`.
  private func expect(_ result: GeometrySet, is fact: Case, _ kernel: String) throws {
    let (found, expected) = (NormalForm(result), NormalForm(try fact.set(fact.expected)))
    let tolerance = try fact.number("within") ?? 0
    #expect(found.equals(expected, tolerance: tolerance), "\(fact.id) by \(kernel): \(found) is not \(expected)")
  }
}

extension Case {
  /// "EMPTY" of an expectation `status=EMPTY`.
  func word(after prefix: String) -> String? {
    expected.hasPrefix(prefix) ? String(expected.dropFirst(prefix.count)) : nil
  }

  var isOnGlobe: Bool { (parameters["model"] ?? "planar") != "planar" }

  /// `at=6,9`: where one of the problems must be.
  func place() throws -> (Double, Double)? {
    guard let numbers = parameters["at"]?.split(separator: ",").map({ Double($0) }) else { return nil }
    return (try #require(numbers[0]), try #require(numbers[1]))
  }
}
