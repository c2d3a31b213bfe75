// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

@testable import Meridian

/// Everything that the families give for a set, as text, so that two runs can be held against each other.
private func everything(_ host: Host, _ set: GeometrySet, _ run: Run) throws -> String {
  let length = try host.measure(.length, set, run: run)
  let bounds = try host.measure(.bounds, set, run: run)
  var options = SimplifyOptions(tolerances: [1, 2])
  options.wantKept = true
  options.collapse = .point
  let simplified = try host.simplify(.douglasPeucker, set, options: options, run: run)
  let validation = try host.validate(.valid, set, run: run)
  let repaired = try host.repair(set, run: run)
  let grid = try host.snap(.grid, set, options: SnapOptions(), run: run)
  return """
    \(length.columns) \(length.statuses.map { $0.name }) \(bounds.columns)
    \((0..<simplified.set.count).map { simplified.set.xs($0) }) \(simplified.outcomes) \(String(describing: simplified.kept))
    \(validation.verdicts) \(validation.problems)
    \((0..<set.count).map { (repaired.set.type(ofRow: $0)?.name ?? "null", repaired.set.xs($0)) }) \(repaired.reports)
    \((0..<set.count).map { (grid.set.type(ofRow: $0)?.name ?? "null", grid.set.xs($0)) }) \(grid.outcomes)
    """
}

@Suite struct DispatchTests {
  @Test(arguments: [1, 7, 42, 1_234] as [UInt64])
  func answersDependNeitherOnThreadsNorOnChunks(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let set = try sketched(randomRows(60, &random))
    let expected = try everything(try handHost(threads: 1), set, Run())
    for threads in [1, 2, 8] {
      for chunk in [1, 3, 17, 1000] {
        let host = try handHost(threads: threads, chunk: chunk, checks: chunk != 17)
        #expect(try everything(host, set, Run()) == expected, "seed \(seed), \(threads) threads, chunks of \(chunk)")
      }
    }
  }

  @Test func rowsNullsEmptiesAndCollectionsAreMeasured() throws {
    let set = try sketched([
      .line([1, 2, 3]), .null, .point(5), .emptyPoint,
      .collection([.point(7), .line([1, 1]), .collection([.point(2)])]),
      .collection([]), .line([999, 1]), .collection([.point(1), .line([999])]), .polygon([[1, 2, 3, 1]]),
    ])
    let host = try handHost(chunk: 2)
    let length = try host.measure(.length, set)
    let names = ["OK", "NULL", "OK", "EMPTY", "OK", "EMPTY", "DOMAIN", "DOMAIN", "OK"]
    #expect(length.statuses.map { $0.name } == names)
    #expect(length.columns[0].map { $0.isNaN ? -1 : $0 } == [6, -1, 5, 0, 11, 0, -1, -1, 7])

    let bounds = try host.measure(.bounds, set)
    #expect((0..<4).map { bounds.columns[$0][4] } == [1, 0, 7, 0])
    #expect(bounds.columns[0][3].isNaN && bounds.columns[0][5].isNaN)
    let counts = try host.measure(.counts, set)
    #expect((0..<3).map { counts.columns[$0][4] } == [3, 6, 4])
    let centroid = try host.measure(.centroid, set)
    #expect(centroid.statuses[4] == .unsupported && centroid.columns[0][4].isNaN)
    #expect(centroid.columns[0][0] == 1)
    #expect(length.answers.kernels == "test.hand")
    #expect(length.answers.list.count == 3)
  }

  @Test func boundsOfCollectionsGoTheShortWayRoundTheGlobe() throws {
    #expect(Longitudes.union([(170, 175), (-179, -170)]) == (170, -170))
    #expect(Longitudes.union([(-10, 10), (5, 20)]) == (-10, 20))
    #expect(Longitudes.union([(170, -170), (160, 172)]) == (160, -170))
    #expect(Longitudes.union([(-180, 180), (0, 1)]) == (-180, 180))
    let set = try sketched([.collection([.line([170, 175]), .line([-179, -170])])], model: .wgs84)
    let bounds = try handHost().measure(.bounds, set)
    #expect(bounds.columns[0][0] == 170 && bounds.columns[2][0] == -170)
  }

  @Test func valuesOfRowsReachTheirRows() throws {
    let set = try sketched([.line([1]), .null, .point(2), .line([3]), .line([4])])
    var options = MeasureOptions()
    options.atFraction = [0.1, 0.2, 0.3, 0.4, 0.5]
    let placed = try handHost(chunk: 1).measure(.interpolate, set, options: options)
    #expect(placed.columns[0].map { $0.isNaN ? -1 : $0 } == [0.1, -1, 0.3, 0.4, 0.5])
    options.atFraction = [1]
    #expect(throws: MeridianError.self) { try handHost().measure(.interpolate, set, options: options) }

    let points = try sketched([.point(1), .null, .point(3)])
    let direct = try handHost(chunk: 1).measureDirect(points, azimuths: [10, 20, 30], distances: [1, 2, 3])
    #expect(direct.columns[0][0] == 2 && direct.columns[0][1].isNaN && direct.columns[0][2] == 6)
    #expect(direct.columns[2][2] == 30)
  }

  @Test func slicesAnd32BitInterleavedArraysAreRead() throws {
    // Five lines, of which rows 1 to 3 are the array; coordinates interleaved, offsets of 32 bits, row 2 null.
    let offsets: [Int32] = [0, 2, 3, 5, 5, 7]
    let coordinates: [Double] = (0..<7).flatMap { [Double($0), 0] }
    let validity: [UInt8] = [0b11011]
    let host = try handHost(chunk: 1)
    try offsets.withUnsafeBufferPointer { offsets in
      try coordinates.withUnsafeBufferPointer { coordinates in
        try validity.withUnsafeBufferPointer { validity in
          var geoms = mrd_geoms()
          geoms.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
          (geoms.type, geoms.dims, geoms.offset_bits, geoms.n_offsets) = (MRD_LINESTRING, MRD_XY, 32, 1)
          (geoms.length, geoms.first) = (4, 1)
          geoms.validity = validity.baseAddress
          geoms.offsets.0 = UnsafeRawPointer(offsets.baseAddress)
          geoms.coords.v.0 = coordinates.baseAddress
          geoms.coords.v.1 = coordinates.baseAddress.map { $0 + 1 }
          geoms.coords.stride = (16, 16, 0, 0)
          geoms.coords.count = 7
          let set = GeometrySet(GeometryArray(borrowing: geoms))
          let length = try host.measure(.length, set)
          #expect(length.statuses.map { $0.name } == ["OK", "NULL", "EMPTY", "OK"])
          #expect(length.columns[0].map { $0.isNaN ? -1 : $0 } == [2, -1, 0, 11])
          let copy = try host.densify(set, options: MeasureOptions())
          #expect((0..<4).map { copy.set.xs($0) } == [[2], nil, [], [5, 6]])

          geoms.coords.count = 6
          #expect(throws: MeridianError.self) {
            try host.measure(.length, GeometrySet(GeometryArray(borrowing: geoms)))
          }
          geoms.coords.count = 7
          geoms.first = 2
          geoms.length = Int64.max
          #expect(throws: MeridianError.self) { try GeometryArray(borrowing: geoms).checkLayout() }
        }
      }
    }
  }

  /// Arrow leaves the offsets of a level away that has no entries: kernels get some all the same.
  @Test func offsetsOfAnEmptyLevelMayBeMissing() throws {
    let host = try handHost(chunk: 1)
    for (type, levels) in [(MRD_POLYGON, UInt32(2)), (MRD_MULTILINESTRING, 2), (MRD_MULTIPOLYGON, 3)] {
      for bits: UInt32 in [32, 64] {
        for first: UInt8 in [0, 1] {
          // Every offset the same: 0, or one that leads behind the level that is not there.
          let offsets = [Int64](repeating: first == 0 ? 0 : 0x1_0000_0001, count: 4)
          try offsets.withUnsafeBufferPointer { offsets in
            var geoms = mrd_geoms()
            geoms.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
            (geoms.type, geoms.dims, geoms.offset_bits, geoms.n_offsets) = (type, MRD_XY, bits, levels)
            geoms.length = 3
            geoms.offsets.0 = UnsafeRawPointer(offsets.baseAddress)
            let array = GeometryArray(borrowing: geoms)
            guard first == 0 else {
              #expect(throws: MeridianError.self) { try array.checkLayout() }
              return
            }
            let length = try host.measure(.length, GeometrySet(array))
            #expect(length.statuses.map { $0.name } == ["EMPTY", "EMPTY", "EMPTY"])
            let copy = try host.densify(GeometrySet(array), options: MeasureOptions())
            #expect(copy.set.count == 3)
          }
        }
      }
    }
  }

  @Test func pairsMeetRowByRow() throws {
    let a = try sketched([.point(1), .line([5, 6]), .null, .collection([.point(9), .point(4)]), .point(0), .point(8)])
    let b = try sketched([.line([3]), .point(1), .point(1), .point(6), .null, .collection([])])
    let distance = try handHost(chunk: 1).measurePair(.distance, a, b)
    #expect(distance.statuses.map { $0.name } == ["OK", "OK", "NULL", "OK", "NULL", "EMPTY"])
    #expect(distance.columns[0].map { $0.isNaN ? -1 : $0 } == [2, 4, -1, 2, -1, -1])
    let inverse = try handHost().measurePair(.inverse, a, b)
    #expect(inverse.statuses[3] == .unsupported)
    let broadcast = try handHost(chunk: 1).measurePair(.distance, a, sketched([.point(2)]), broadcast: true)
    #expect(broadcast.columns[0].map { $0.isNaN ? -1 : $0 } == [1, 3, -1, 2, 2, 6])
    #expect(throws: MeridianError.self) { try handHost().measurePair(.distance, a, sketched([.point(2)])) }
  }

  @Test func problemsCarryTheRowsOfTheSet() throws {
    let set = try sketched([
      .line([1, -2, -3]), .point(-7), .null, .collection([.point(1), .line([-5])]), .line([4]), .line([-1]),
    ])
    for chunk in [1, 1000] {
      let found = try handHost(chunk: chunk).validate(.valid, set)
      #expect(found.verdicts == [.invalid, .invalid, .unknown, .invalid, .valid, .invalid])
      #expect(found.problems.map { $0.row } == [0, 0, 1, 3, 5])
      #expect(
        found.problems.map { $0.message } == ["x is -2", "Edges cross", "x is -7", "x is -5", "x is -1"])
      #expect(found.problems.map { $0.otherRow } == [0, 0, 1, 3, 5])
      #expect(found.problems[1].vertex == 2 && found.problems[3].part == 1 && found.problems[0].part == 0)
      #expect(found.invalidCount == 4)
    }
  }

  @Test func layersOfSingleAndMultiTypesAreOne() throws {
    let set = try sketched([.polygon([[1, 2]]), .multiPolygon([[[3]], [[4]]]), .polygon([[5]]), .point(1)])
    let host = try handHost(chunk: 1)
    // SELF answers with the rows of its call.
    let raw = try host.snap(.numbered(.snap, MRD_SNAP_SELF), set, nil, SnapOptions().abi, Run())
    #expect(raw.outcomes == [3, 3, 3, 1])
    #expect((0..<4).map { raw.set.type(ofRow: $0)?.name } == ["Polygon", "MultiPolygon", "Polygon", "Point"])
    #expect((0..<4).map { raw.set.xs($0) } == [[1, 2], [3, 4], [5], [1]])
    let targets = try sketched([.line([1]), .polygon([[2], [3]]), .multiPolygon([[[4]]])])
    let layer = try host.snap(.numbered(.snap, MRD_SNAP_LAYER), set, targets, SnapOptions().abi, Run())
    #expect(layer.outcomes == [3, 3, 3, 3])
    #expect(throws: MeridianError.self) { try host.snap(.layer, set, options: SnapOptions()) }
    #expect(throws: MeridianError.self) { try host.snap(.layer, set, targets: set, options: SnapOptions()) }
    let partners = try sketched([.point(1), .null, .point(2), .point(3)])
    let pairs = try host.snap(.pair, set, targets: partners, options: SnapOptions())
    #expect(pairs.outcomes == [.moved, .unchanged, .moved, .moved])
    #expect(pairs.statuses[1] == .notApplied)
    #expect((0..<4).map { pairs.set.xs($0) } == [[1, 2], [3, 4], [5], [1]])
  }

  @Test func repairedSinglesStaySingle() throws {
    let set = try sketched([
      .polygon([[1, 2], [3]]), .null, .multiPolygon([[[3]]]), .point(4), .emptyPoint, .polygon([]),
      .collection([.polygon([[7]]), .line([8])]),
    ])
    let repaired = try handHost(chunk: 2).repair(set)
    let types = ["Polygon", nil, "MultiPolygon", "Point", "Point", "Polygon", "GeometryCollection"]
    #expect((0..<7).map { repaired.set.type(ofRow: $0)?.name } == types)
    #expect((0..<7).map { repaired.set.xs($0)?.filter { !$0.isNaN } } == [[1, 2, 3], nil, [3], [4], [], [], [7, 8]])
    #expect(repaired.reports.map { $0.verticesAdded } == [3, 0, 1, 1, 1, 0, 2])
  }

  @Test func pyramidsAreLevelMajorAndKeptVerticesCountInTheirRow() throws {
    let set = try sketched([
      .line([0, 1, 2, 3, 4]), .null, .line([111, 1]), .collection([.point(9), .line([5, 6, 7])]), .line([10, 11]),
    ])
    var options = SimplifyOptions(tolerances: [1, 2])
    options.wantKept = true
    options.collapse = .point
    for chunk in [1, 4, 1000] {
      let made = try handHost(chunk: chunk).simplify(.visvalingam, set, options: options)
      #expect(made.set.count == 10)
      #expect((0..<5).map { made.set.xs($0) } == [[0, 2, 4], nil, [1], [9, 5, 7], [10]])
      #expect((5..<10).map { made.set.xs($0) } == [[0, 3], nil, [1], [9, 5], [10]])
      #expect(made.set.type(ofRow: 7) == .point && made.outcomes[7] == .toPoint)
      let kept = try #require(made.kept)
      #expect(kept.offsets == [0, 3, 3, 3, 6, 7, 9, 9, 9, 11, 12])
      #expect(kept.ids == [0, 2, 4, 0, 1, 3, 0, 0, 3, 0, 1, 0])
    }
  }

  @Test func targetsNameLayersAndRowsOfTheUser() throws {
    let first = try sketched([.line([5]), .point(1), .null, .collection([.line([2]), .point(1)])])
    let second = try sketched([.point(1)])
    let targets = try SnapTargets(host: handHost(chunk: 1), layers: [TargetLayer(first), TargetLayer(second)])
    let points = try sketched([.point(1), .line([1]), .null, .point(5)])
    let found = try targets.query(points, options: SnapQueryOptions())
    #expect(found.offsets == [0, 3, 3, 3, 4])
    #expect(found.hits.map { $0.layer } == [0, 0, 1, 0])
    #expect(found.hits.map { $0.feature } == [1, 3, 0, 0])
    #expect(found.hits[1].part == 1)
    #expect(found.statuses.map { $0.name } == ["OK", "UNSUPPORTED", "NULL", "OK"])
    var options = SnapQueryOptions()
    options.exclusions = [SnapExclusion(layer: 0, feature: 3), SnapExclusion(layer: 7, feature: 1)]
    #expect(try targets.query(points, options: options).hits(ofPoint: 0).map { $0.feature } == [1, 0])
  }

  @Test func whatIsNearestIsLookedForWithoutEnd() throws {
    let set = try sketched([.point(1), .point(5)])
    let targets = try SnapTargets(host: handHost(), layers: [TargetLayer(set)])
    var options = SnapQueryOptions()
    options.toleranceMetres = 2
    options.kindFactors = [0]  // whatever it is, it does not count
    let found = try targets.nearest(try sketched([.point(5), .point(3), .point(1)]), options: options)
    #expect(found.offsets == [0, 1, 1, 2] && found.hits.map { $0.feature } == [1, 0])
    #expect(found.hits.allSatisfy { $0.distance == .infinity })
  }

  @Test func exclusionsThatCannotBeReadAreRefused() throws {
    let points = try sketched([.point(0)])
    let targets = try SnapTargets(host: handHost(), layers: [TargetLayer(points)])
    func status(size: UInt32, count: Int64) -> Status? {
      withUnsafePointer(to: mrd_snap_exclusion()) { exclusion in
        var options = mrd_snap_query_options()
        options.struct_size = UInt32(MemoryLayout<mrd_snap_query_options>.size)
        options.exclusions = exclusion
        options.n_exclusions = count
        options.exclusion_size = size
        do throws(MeridianError) {
          _ = try targets.query(points, options, Run())
          return nil
        } catch { return error.status }
      }
    }
    let size = UInt32(MemoryLayout<mrd_snap_exclusion>.size)
    #expect(status(size: size, count: 1) == nil)
    #expect(status(size: size - 8, count: 1) == .abi)
    #expect(status(size: size, count: -1) == .argument)
    #expect(status(size: size, count: .max) == .argument)
  }

  @Test func editorsKeepTheirGeometry() throws {
    let set = try sketched([.null, .line([1, 2]), .collection([])])
    let editor = try Editor(host: handHost(), set: set, row: 1)
    #expect(try editor.edit([]).verdict == .valid)
    #expect(try editor.edit([Edit(.move, vertex: 0, x: -1)]).verdict == .invalid)
    let error = #expect(throws: MeridianError.self) {
      try editor.edit([Edit(.move, vertex: 0, x: 1), Edit(.remove, vertex: 4)])
    }
    #expect(error?.row == 1 && error?.status == .argument)
    #expect(throws: MeridianError.self) { try Editor(host: handHost(), set: set, row: 0) }
    #expect(throws: MeridianError.self) { try Editor(host: handHost(), set: set, row: 9) }
  }

  @Test func indexesAnswerThroughTheirKernel() throws {
    let host = try handHost(threads: 8)
    let set = try sketched([.line([1, 3]), .null, .point(2), .emptyPoint, .point(9)])
    let index = try BoxIndex(host: host, set: set)
    #expect(try index.facts.boxes == 5 && index.facts.neverHit == 2)
    var windows = Boxes()
    for _ in 0..<3000 { windows.append(2, -1, 3, 1) }
    windows.append(9, 0, 9, 0)
    let hits = try index.window(windows)
    #expect(hits.offsets.count == 3002 && hits.ids.count == 6001)
    #expect(Array(hits.ids(ofQuery: 2999)) == [0, 2] && Array(hits.ids(ofQuery: 3000)) == [4])
    var options = NearestOptions(count: 2)
    options.exclude = [Int64](repeating: 4, count: windows.count)
    let nearest = try index.nearest(windows, options: options)
    #expect(Array(nearest.ids(ofQuery: 3000)) == [2, 0] && nearest.distances.suffix(2) == [7, 8])
    #expect(try index.join().pairs.map { [$0.0, $0.1] } == [[0, 2]])
    try index.insert(
      {
        var boxes = Boxes(); boxes.append(point: 2, 0); return boxes
      }(), ids: [70])
    // Three boxes that meet each other, in nine pairs, and the one at 9 with itself.
    #expect(try index.join(index).pairs.count == 10)
    #expect(try index.remove([70, 71]) == 1)
    let error = #expect(throws: MeridianError.self) { try index.save() }
    #expect(error?.status == .unsupported)
    let silent = try BoxIndex(host: host, boxes: Boxes())
    #expect(#expect(throws: MeridianError.self) { try silent.facts }?.message == "test.hand: facts failed: no boxes")
  }

  @Test func metresPerPointFollowTheFormula() {
    #expect(abs(metresPerPoint(latitude: 0, zoom: 0) - 78_271.516964) < 1e-6)
    #expect(abs(metresPerPoint(latitude: 60, zoom: 1, tile: 256) - 39_135.758482) < 1e-6)
    #expect(metresPerPoint(latitude: 0, zoom: 0, tile: 0) == metresPerPoint(latitude: 0, zoom: 0, tile: 512))
    #expect(metresPerPoint(latitude: 91, zoom: 0).isNaN && metresPerPoint(latitude: .nan, zoom: 0).isNaN)
  }

  @Test func problemCodesHaveNamesAndSentences() {
    let catalog = ProblemCode.catalog
    for entry in catalog {
      #expect(ProblemCode.named(entry.code.name) == entry.code)
      #expect(!entry.code.sentence.isEmpty && !entry.code.sentence.hasSuffix("."))
      #expect(catalog.filter { $0.code == entry.code }.count == 1)
    }
    #expect(catalog.count == 37)
    #expect(ProblemCode(rawValue: MRD_PROBLEM_CROSSING).name == "CROSSING")
    #expect(ProblemCode(rawValue: 77).name == "PROBLEM_77")
  }

  @Test func kernelsAreCompared() throws {
    let host = try handHost(biased: true)
    let set = try sketched([.line([1, 2]), .null, .point(5), .line([999])])
    let area = try #require(Operation.all.first { $0.fullName == "measure.length" })
    let same = try host.compare(area, set, a: "hand", b: "hand")
    #expect(same.isEqual && same.timeRatio > 0 && same.numbers[0].compared == 2)
    let other = try host.compare(area, set, a: "hand", b: "biased")
    #expect(other.answersB.kernels == "test.biased")
    #expect(other.numbers[0].different == 2 && other.numbers[0].maxAbsolute == 0.5 && other.numbers[0].row == 0)
    #expect(other.numbers[0].maxRelative == 0.5 / 3.5)
    #expect(
      NumberDifference.ulps(1, 1.0.nextUp) == 1
        && NumberDifference.ulps(-Double.leastNonzeroMagnitude, .leastNonzeroMagnitude) == 2)
    #expect(NumberDifference.ulps(0, -0.0) == 0)
    let near = GeometryDifference(try sketched([.line([0, 1, 4]), .null]), try sketched([.line([0, 4]), .null]))
    #expect(near.different == 1 && near.differentCount == 1 && near.maxHausdorff == 1 && near.equal == 0)
    let index = try #require(Operation.all.first { $0.fullName == "index.nearest" })
    #expect(try host.compare(index, set, a: "hand", b: "hand").isEqual)
  }
}
