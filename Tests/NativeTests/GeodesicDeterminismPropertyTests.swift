// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// A million rows (fewer unoptimised) give the same bits on every CPU level and however they are cut in batches.
@Suite struct GeodesicDeterminismPropertyTests {

  /// Rows of random numbers: two points, an azimuth, a distance, and a triangle of them.
  private final class Rows {
    let count: Int
    private(set) var columns: [[Double]] = []
    private var model = mrd_model(
      struct_size: UInt32(MemoryLayout<mrd_model>.size), edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID,
      pad0: 0,
      semi_major: 6_378_137, flattening: 1 / 298.257223563)
    private let offsets: [Int64]
    private let rings: [Int64]
    private var ringX: [Double] = []
    private var ringY: [Double] = []

    init(_ count: Int, seed: UInt64) {
      self.count = count
      var random = TestRandom(seed: seed)
      for column in 0..<6 {
        let limit = [180.0, 90, 180, 90, 180, 2e7][column]
        columns.append((0..<count).map { _ in Double.random(in: -limit...limit, using: &random) })
      }
      offsets = (0...count).map(Int64.init)
      rings = (0...count).map { Int64(4 * $0) }
      for row in 0..<count {
        let (x, y) = (columns[0][row], columns[1][row])
        let size = row % 3 == 0 ? 1e-3 : 10
        ringX += [x, x + size, x + size / 2, x]
        ringY += [y, y, max(-90, min(90, y + size * (y > 0 ? -1 : 1))), y]
      }
    }

    /// The bits of every column of an operation over `rows`, run in batches of `batch`.
    func hash(_ table: mrd_family_measure, _ operation: UInt32, batch: Int) -> UInt64 {
      var bits: UInt64 = 0xcbf2_9ce4_8422_2325
      let columns = operation == MRD_MEASURE_DIRECT ? 3 : 1
      var out = Array(repeating: [Double](repeating: 0, count: batch), count: columns)
      var first = 0
      while first < count {
        let rows = min(batch, count - first)
        run(table, operation, first, rows, &out)
        // FNV-1a over rows, so that batches do not matter.
        for row in 0..<rows {
          for column in 0..<columns { bits = (bits ^ out[column][row].bitPattern) &* 0x100_0000_01b3 }
        }
        first += rows
      }
      return bits
    }

    private func run(
      _ table: mrd_family_measure, _ operation: UInt32, _ first: Int, _ rows: Int, _ out: inout [[Double]]
    ) {
      let call = GuardedCall(rows: rows)
      let memory = out.map { _ in UnsafeMutablePointer<Double>.allocate(capacity: rows) }
      defer { for column in memory { column.deallocate() } }
      let pointers: [UnsafeMutablePointer<Double>?] = memory.map { $0 }
      let status = pointers.withUnsafeBufferPointer { pointers in
        var result = mrd_columns(
          struct_size: UInt32(MemoryLayout<mrd_columns>.size), count: UInt32(pointers.count), length: Int64(rows),
          values: pointers.baseAddress)
        return withUnsafePointer(to: &model) { model in
          call.run { call in
            switch operation {
            case MRD_MEASURE_DIRECT:
              with(columns[0], columns[1], model, first, rows) { points in
                columns[4].withUnsafeBufferPointer { azimuths in
                  columns[5].withUnsafeBufferPointer { distances in
                    table.direct(
                      points, azimuths.baseAddress.map { $0 + first }, distances.baseAddress.map { $0 + first }, nil,
                      &result, call)
                  }
                }
              }
            case MRD_MEASURE_DISTANCE:
              with(columns[0], columns[1], model, first, rows) { a in
                with(columns[2], columns[3], model, first, rows) { b in
                  table.pair(operation, a, b, nil, &result, call)
                }
              }
            default:
              with(ringX, ringY, model, first, rows, isRings: true) { table.measure(operation, $0, nil, &result, call) }
            }
          }
        }
      }
      #expect(status == MRD_OK && call.isIntact)
      for column in out.indices { for row in 0..<rows { out[column][row] = memory[column][row] } }
    }

    private func with(
      _ x: [Double], _ y: [Double], _ model: UnsafePointer<mrd_model>, _ first: Int, _ rows: Int, isRings: Bool = false,
      _ body: (UnsafePointer<mrd_geoms>) -> mrd_status
    ) -> mrd_status {
      x.withUnsafeBufferPointer { x in
        y.withUnsafeBufferPointer { y in
          offsets.withUnsafeBytes { offsets in
            rings.withUnsafeBytes { rings in
              var geoms = mrd_geoms()
              geoms.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
              geoms.type = isRings ? MRD_POLYGON : MRD_POINT
              geoms.dims = MRD_XY
              geoms.offset_bits = 64
              geoms.n_offsets = isRings ? 2 : 0
              geoms.length = Int64(rows)
              geoms.first = Int64(first)
              geoms.offsets = (offsets.baseAddress, rings.baseAddress, nil)
              geoms.coords.v.0 = x.baseAddress
              geoms.coords.v.1 = y.baseAddress
              geoms.coords.stride = (8, 8, 8, 8)
              geoms.coords.count = Int64(x.count)
              geoms.model = model
              return body(&geoms)
            }
          }
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func levelsAndBatchesGiveTheSameBits() throws {
    let seed = testSeed()
    let rows = Rows(TestScale.isLarge ? 1_000_000 : 3000, seed: seed)
    for operation in [MRD_MEASURE_DISTANCE, MRD_MEASURE_DIRECT, MRD_MEASURE_AREA_SIGNED] {
      var expected: UInt64?
      for level in NativeLevels.runnable {
        let table = try LoadedLibrary(level).measure()
        for batch in [rows.count, 65536, 1001] {
          let hash = rows.hash(table, operation, batch: batch)
          #expect(hash == expected ?? hash, "seed \(seed): operation \(operation), \(level), batches of \(batch)")
          expected = hash
        }
      }
    }
  }
}
