// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Foundation
import MeridianABI
import TestSupport
import Testing

/// What holds for the plug-in as a whole: declarations, damaged arrays, layouts, CPU levels.
@Suite struct NativeContractTests {
  let native: MeasureRun
  init() throws { native = try MeasureRun(LoadedLibrary("MeridianNative")) }

  private let operations: [(String, UInt32)] = [
    ("length", MRD_MEASURE_LENGTH), ("perimeter", MRD_MEASURE_PERIMETER), ("area", MRD_MEASURE_AREA),
    ("area_signed", MRD_MEASURE_AREA_SIGNED), ("perimeter_area", MRD_MEASURE_PERIMETER_AREA),
    ("bounds", MRD_MEASURE_BOUNDS), ("centroid", MRD_MEASURE_CENTROID), ("counts", MRD_MEASURE_COUNTS),
    ("interpolate", MRD_MEASURE_INTERPOLATE), ("inverse", MRD_MEASURE_INVERSE), ("distance", MRD_MEASURE_DISTANCE),
    ("closest", MRD_MEASURE_CLOSEST), ("direct", MRD_MEASURE_DIRECT), ("densify", MRD_MEASURE_DENSIFY),
  ]

  @Test func theManifestListsWhatTheTablesOffer() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Plugins/Native/native.meridian.json").standardized
    let manifest = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    let listed = try #require(manifest["operations"] as? [String]).filter { $0.hasPrefix("measure.") }
    let offered = operations.filter { native.table.info($0.1) != nil }.map { "measure." + $0.0 }
    #expect(Set(listed) == Set(offered))
    #expect(native.table.info(99) == nil)
  }

  @Test func damagedArraysAreRefused() throws {
    let wkt = ["POLYGON((0 0,1 0,1 1,0 0))", "POLYGON((5 5,6 5,6 6,5 5))"]
    func status(_ damage: (UnsafeMutablePointer<mrd_geoms>) -> Void) throws -> mrd_status {
      let geoms = try TestGeoms(wkt)
      damage(geoms.mutable)
      return native.measure(MRD_MEASURE_AREA, geoms).status
    }
    #expect(try status { _ in } == MRD_OK)
    #expect(try status { $0.pointee.coords.count = 7 } == MRD_E_ARGUMENT)
    #expect(try status { $0.pointee.offsets.1 = nil } == MRD_E_ARGUMENT)
    #expect(try status { $0.pointee.n_offsets = 1 } == MRD_E_ARGUMENT)
    #expect(try status { $0.pointee.first = -1 } == MRD_E_ARGUMENT)
    #expect(try status { $0.pointee.first = .max } == MRD_E_ARGUMENT)
    #expect(try status { $0.pointee.struct_size = 8 } == MRD_E_ABI)
    #expect(
      try status {
        let offsets = UnsafeMutableRawPointer(mutating: $0.pointee.offsets.1)
        offsets?.storeBytes(of: -5, toByteOffset: 0, as: Int64.self)
      } == MRD_E_ARGUMENT)
  }

  @Test func missingColumnsAndShortModelsAreRefused() throws {
    for wkt in ["LINESTRING(0 0 1,1 1 2)", "LINESTRING(0 0 1 4,1 1 2 5)"] {
      let whole = try TestGeoms([wkt])
      #expect(native.measure(MRD_MEASURE_LENGTH, whole).status == MRD_OK)
      whole.mutable.pointee.coords.v.2 = nil
      #expect(native.measure(MRD_MEASURE_LENGTH, whole).status == MRD_E_ARGUMENT)
      #expect(native.densify(whole, coord: 0.1).status == MRD_E_ARGUMENT)
    }
    let measured = try TestGeoms(["LINESTRING(0 0 1 4,1 1 2 5)"])
    measured.mutable.pointee.coords.v.3 = nil
    #expect(native.measure(MRD_MEASURE_LENGTH, measured).status == MRD_E_ARGUMENT)
    let short = try TestGeoms(["LINESTRING(0 0,1 1)"])
    var model = mrd_model()
    model.struct_size = 8
    withUnsafePointer(to: &model) {
      short.mutable.pointee.model = $0
      #expect(native.measure(MRD_MEASURE_LENGTH, short).status == MRD_E_ABI)
    }
  }

  /// What a kernel says of the geometries that it makes goes to a struct whose size it has looked at.
  @Test func resultsNeedAPlaceOfKnownSize() throws {
    let geoms = try TestGeoms(["LINESTRING(0 0,1 1)"])
    let library = try LoadedLibrary("MeridianNative")
    let (simplify, validate) = (try library.simplify(), try library.validate())
    var densify = mrd_measure_options()
    densify.struct_size = UInt32(MemoryLayout<mrd_measure_options>.size)
    densify.max_edge_coord = 1
    for (size, status) in [(MemoryLayout<mrd_geoms_out>.size, MRD_OK), (8, MRD_E_ABI)] {
      var out = mrd_geoms_out()
      out.struct_size = UInt32(size)
      func run(_ body: (UnsafeMutablePointer<mrd_call>) -> mrd_status) -> mrd_status { GuardedCall(rows: 1).run(body) }
      #expect(run { native.table.build(MRD_MEASURE_DENSIFY, geoms.pointer, &densify, &out, $0) } == status)
      #expect(run { validate.repair(geoms.pointer, nil, &out, nil, 0, $0) } == status)
      withUnsafePointer(to: 1.0) { tolerance in
        var options = mrd_simplify_options()
        options.struct_size = UInt32(MemoryLayout<mrd_simplify_options>.size)
        options.tolerances = tolerance
        options.n_tolerances = 1
        #expect(
          run { simplify.simplify(MRD_SIMPLIFY_DOUGLAS_PEUCKER, geoms.pointer, &options, &out, nil, $0) } == status)
      }
    }
  }

  @Test func aRefusalNeedsNoErrorRecord() throws {
    let geoms = try TestGeoms(["LINESTRING(0 0,1 1)"])
    geoms.mutable.pointee.n_offsets = 2
    var out = mrd_columns(struct_size: UInt32(MemoryLayout<mrd_columns>.size), count: 0, length: 1, values: nil)
    let call = GuardedCall(rows: 1)
    call.hasErrorSize = false
    #expect(call.run { native.table.measure(MRD_MEASURE_LENGTH, geoms.pointer, nil, &out, $0) } != MRD_OK)
  }

  @Test func pointsNeedNoOffsetWidth() throws {
    let geoms = try TestGeoms(["POINT(1 2)"])
    geoms.mutable.pointee.offset_bits = 0
    #expect(native.measure(MRD_MEASURE_LENGTH, geoms).status == MRD_OK)
  }

  @Test func unknownOptionsAreRefused() throws {
    struct Longer {
      var options = mrd_measure_options()
      var newer: UInt64 = 0
    }
    let geoms = try TestGeoms(["LINESTRING(0 0,1 1)"])
    for newer: UInt64 in [0, 1] {
      var longer = Longer()
      longer.options.struct_size = UInt32(MemoryLayout<Longer>.size)
      longer.newer = newer
      var out = mrd_columns(
        struct_size: UInt32(MemoryLayout<mrd_columns>.size), count: 0, length: 1, values: nil)
      let call = GuardedCall(rows: 1)
      let status = withUnsafePointer(to: &longer) { longer in
        longer.withMemoryRebound(to: mrd_measure_options.self, capacity: 1) { options in
          call.run { native.table.measure(MRD_MEASURE_LENGTH, geoms.pointer, options, &out, $0) }
        }
      }
      #expect(status == (newer == 0 ? MRD_OK : MRD_E_UNSUPPORTED))
    }
  }

  @Test func everyLayoutGivesTheSameBits() throws {
    let wkt = [
      "POLYGON((0.1 0.2,10.3 1.7,9.9 12.1,0.1 0.2),(3 3,4 3,4 4,3 3))", nil, "POLYGON((170 0,175 1.3,175 9,170 0))",
    ]
    for (edges, metric) in [(MRD_EDGES_PLANAR, MRD_METRIC_COORD), (MRD_EDGES_GREAT_CIRCLE, MRD_METRIC_SPHERE)] {
      var seen: [[Double]] = []
      for layout in TestLayout.allCases {
        for bits in [32, 64] {
          let geoms = try TestGeoms(wkt, edges: edges, metric: metric, layout: layout, offsetBits: bits)
          var numbers: [Double] = []
          for (op, columns) in [(MRD_MEASURE_PERIMETER_AREA, 2), (MRD_MEASURE_BOUNDS, 4), (MRD_MEASURE_CENTROID, 2)] {
            for column in native.measure(op, geoms, columns: columns).columns { numbers += [column[0], column[2]] }
          }
          seen.append(numbers)
        }
      }
      for other in seen { #expect(other == seen[0]) }
    }
  }

  @Test(arguments: NativeLevels.optimised) func cpuLevelsAgree(_ name: String) throws {
    let other = try MeasureRun(LoadedLibrary(name))
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let wkt = (0..<50).map { _ in
      var ring = (0..<7).map { _ in
        "\(Double.random(in: -50...50, using: &random)) \(Double.random(in: -50...50, using: &random))"
      }
      ring.append(ring[0])
      return "POLYGON((" + ring.joined(separator: ",") + "))"
    }
    for (edges, metric) in [(MRD_EDGES_PLANAR, MRD_METRIC_COORD), (MRD_EDGES_GREAT_CIRCLE, MRD_METRIC_SPHERE)] {
      let geoms = try TestGeoms(wkt, edges: edges, metric: metric)
      let (one, two) = (
        native.measure(MRD_MEASURE_PERIMETER_AREA, geoms, columns: 2),
        other.measure(MRD_MEASURE_PERIMETER_AREA, geoms, columns: 2)
      )
      for row in wkt.indices {
        #expect(abs(one.column(0)[row] - two.column(0)[row]) <= 1e-14 * one.column(0)[row], "seed \(seed)")
        #expect(abs(one.column(1)[row] - two.column(1)[row]) <= 1e-11 * one.column(1)[row], "seed \(seed)")
      }
    }
  }
}
