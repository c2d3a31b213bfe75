// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// Every operation that declares MRD_OP_CANCELS answers so when it finds the cancel word set, however little there is to do:
/// whatever gives a result without the word gives none with it.
@Suite struct CancelTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  /// One or two rows of each type, small ones and some of more coordinates than a vector has lanes.
  private static let samples: [[String]] = {
    let many = (0..<12).map { "\($0) \($0 % 5 * 2)" }.joined(separator: ",")
    let ring = "0 0,4 0,8 1,8 4,8 8,4 9,0 8,1 4,0 0"
    return [
      ["POINT(1 2)"], ["POINT(1 2)", "POINT(3 4)"], ["MULTIPOINT(1 2,3 4)"], ["MULTIPOINT(\(many))"],
      ["LINESTRING(0 0,1 2)"], ["LINESTRING(\(many))"], ["MULTILINESTRING((0 0,1 2),(3 3,\(many)))"],
      ["POLYGON((0 0,4 0,0 4,0 0))"], ["POLYGON((\(ring)),(2 2,3 2,2 3,2 2))"], ["POLYGON((0 0,4 4,4 0,0 4,0 0))"],
      ["POLYGON((0 0,4 0,0 4,0 0))", "POLYGON((5 5,9 5,5 9,5 5))"],
      ["MULTIPOLYGON(((\(ring))),((20 20,24 20,20 24,20 20)))"],
    ]
  }()

  private static let models: [(edges: Int32, metric: Int32)] = [
    (MRD_EDGES_PLANAR, MRD_METRIC_COORD), (MRD_EDGES_GREAT_CIRCLE, MRD_METRIC_SPHERE),
    (MRD_EDGES_GEODESIC, MRD_METRIC_ELLIPSOID), (MRD_EDGES_PLATE_CARREE, MRD_METRIC_ELLIPSOID),
  ]

  private func geoms(_ wkt: [String], _ model: (edges: Int32, metric: Int32) = models[0]) throws -> TestGeoms {
    try TestGeoms(
      wkt, edges: model.edges, metric: model.metric, radius: 6_378_137,
      flattening: model.metric == MRD_METRIC_ELLIPSOID ? 1 / 298.257223563 : 0)
  }

  /// Runs a call twice. True = it is served.
  @discardableResult
  private func expectCancels(_ name: String, _ run: (_ cancelled: Bool) throws -> mrd_status) rethrows -> Bool {
    guard try run(false) == MRD_OK else { return false }
    let status = try run(true)
    #expect(status == MRD_E_CANCELLED, "\(name)")
    return true
  }

  private func declaresCancel(_ info: UnsafePointer<mrd_op_info>?) -> Bool {
    info.map { $0.pointee.flags & MRD_OP_CANCELS != 0 } ?? false
  }

  @Test func measures() throws {
    let native = try MeasureRun(library)
    var served: Set<UInt32> = []
    for model in Self.models {
      for wkt in Self.samples {
        let rows = try geoms(wkt, model)
        for op: UInt32 in 1...20 where declaresCancel(native.table.info(op)) {
          let shares = op == MRD_MEASURE_INTERPOLATE ? wkt.map { _ in 0.5 } : nil
          let isServed = expectCancels("measure \(op) of \(wkt), \(model)") {
            native.measure(op, rows, columns: 8, fraction: shares, cancelled: $0).status
          }
          if isServed { served.insert(op) }
        }
        for other in Self.samples where other.count == wkt.count {
          let b = try geoms(other, model)
          for op: UInt32 in 1...40 where declaresCancel(native.table.info(op)) {
            let isServed = expectCancels("pair \(op) of \(wkt) and \(other), \(model)") {
              native.pair(op, rows, b, columns: 6, cancelled: $0).status
            }
            if isServed { served.insert(op) }
          }
        }
        let isDirect = expectCancels("direct of \(wkt), \(model)") {
          let some = wkt.map { _ in 30.0 }
          return native.direct(rows, azimuth: some, distance: some, cancelled: $0).status
        }
        if isDirect { served.insert(MRD_MEASURE_DIRECT) }
        let isDensified = expectCancels("densify of \(wkt), \(model)") {
          native.densify(rows, metres: 50_000, coord: 0.5, cancelled: $0).status
        }
        if isDensified { served.insert(MRD_MEASURE_DENSIFY) }
      }
    }
    let offered = (1..<64).filter { declaresCancel(native.table.info($0)) }
    #expect(served == Set(offered))
  }

  /// The word is set while rows are read: at some row length each look at it comes at every moment once.
  @Test(arguments: [MRD_MEASURE_CLOSEST, MRD_MEASURE_DISTANCE])
  func closestPlacesAtAnyMoment(_ op: UInt32) throws {
    let native = try MeasureRun(library)
    let near = "MULTIPOINT(0.1 0.3)"
    for count in 4070...4100 {
      let many = "MULTIPOINT(" + Array(repeating: "5 7", count: count).joined(separator: ",") + ")"
      let a = try geoms(["POINT(0 0)", "POINT(0 0)", "POINT(0 0)"])
      let b = try geoms([near, many, many])
      let result = native.pair(op, a, b, columns: 6, stopsAfterResult: true)
      #expect(result.status == MRD_E_CANCELLED, "\(count) points")
    }
  }

  @Test func validity() throws {
    let table = try library.validate()
    let changes: [(inout mrd_validate_options) -> Void] = [
      { _ in }, { $0.dialect = MRD_DIALECT_ESRI }, { $0.dialect = MRD_DIALECT_RFC7946 },
      { $0.mode = MRD_MODE_VERDICT }, { $0.mode = MRD_MODE_FIRST }, { $0.flags = MRD_VALIDATE_WARNINGS },
      {
        $0.flags = MRD_VALIDATE_AT_DECIMALS
        $0.decimals = 3
      },
    ]
    for wkt in Self.samples {
      let rows = try geoms(wkt)
      for (number, change) in changes.enumerated() {
        for op in [MRD_VALIDATE_VALID, MRD_VALIDATE_SIMPLE] where declaresCancel(table.info(op)) {
          let isServed = expectCancels("check \(op) of \(wkt), options \(number)") {
            let call = GuardedCall(rows: rows.rows)
            call.isCancelled = $0
            return ValidateRun.check(table, op, rows, call: call, change).status
          }
          #expect(isServed || op == MRD_VALIDATE_SIMPLE)
        }
      }
      for rule in [MRD_REPAIR_STRUCTURE, MRD_REPAIR_LINEWORK, MRD_REPAIR_EVEN_ODD, MRD_REPAIR_NONZERO] {
        let isServed = expectCancels("repair of \(wkt) by \(rule)") {
          let call = GuardedCall(rows: rows.rows)
          call.isCancelled = $0
          return RepairCall(table, rows, rule: rule, call: call).status
        }
        #expect(isServed)
      }
    }
  }

  @Test func simplification() throws {
    let table = try library.simplify()
    let operations = [
      MRD_SIMPLIFY_DOUGLAS_PEUCKER, MRD_SIMPLIFY_VISVALINGAM, MRD_SIMPLIFY_TOPOLOGY_PRESERVING, MRD_SIMPLIFY_COVERAGE,
    ]
    for wkt in Self.samples {
      let rows = try geoms(wkt)
      for op in operations where declaresCancel(table.info(op)) {
        for flags in op == MRD_SIMPLIFY_VISVALINGAM ? [0, MRD_SIMPLIFY_NO_CROSSING] : [0] {
          for tolerances in [[1.0], [1, 2]] {
            let isServed = try expectCancels("simplify \(op) of \(wkt), \(tolerances)") {
              var options = SimplifyRun.Options(op)
              options.tolerances = tolerances
              options.flags = flags
              options.isCancelled = $0
              return try SimplifyRun(library, rows, options).status
            }
            #expect(isServed)
          }
        }
      }
    }
  }

  @Test func snapping() throws {
    let points = try geoms(["POINT(1 2)"])
    for wkt in Self.samples {
      let layers = [SnapRun.Layer(try geoms(wkt))]
      let isServed = try expectCancels("snap to \(wkt)") { try SnapRun(library, layers, cancelled: $0).status }
      #expect(isServed)
      let run = try SnapRun(library, layers)
      expectCancels("query of \(wkt)") { run.query(points, SnapRun.Options(), cancelled: $0).status }
    }
  }

  @Test func indexes() throws {
    let table = try library.index()
    #expect(!declaresCancel(table.info(MRD_INDEX_SAVE)) && !declaresCancel(table.info(MRD_INDEX_OPEN)))
    for count in [1, 40] {
      let corners = (0..<count).flatMap { number -> [Double] in [Double(number), 0, Double(number) + 1.5, 1] }
      corners.withUnsafeBufferPointer { corners in
        var boxes = mrd_boxes()
        boxes.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
        boxes.length = Int64(count)
        if let base = corners.baseAddress { boxes.v = (base, base + 1, base + 2, base + 3) }
        boxes.stride = (32, 32, 32, 32)
        var nearest = mrd_nearest_options()
        nearest.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
        nearest.k = 1
        func status(_ cancelled: Bool, _ body: (UnsafeMutablePointer<mrd_call>) -> mrd_status) -> mrd_status {
          let call = GuardedCall(rows: count)
          call.isCancelled = cancelled
          return call.run(body)
        }
        var index: OpaquePointer?
        expectCancels("build of \(count)") { cancelled in
          table.release(index)
          return status(cancelled) { table.build(&boxes, nil, &index, $0) }
        }
        #expect(index == nil)
        #expect(status(false) { table.build(&boxes, nil, &index, $0) } == MRD_OK)
        expectCancels("window") { status($0) { table.window(index, &boxes, nil, $0) } }
        expectCancels("nearest") { status($0) { table.nearest(index, &boxes, &nearest, $0) } }
        expectCancels("join") { status($0) { table.join(index, nil, $0) } }
        table.release(index)
      }
    }
  }
}
