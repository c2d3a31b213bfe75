// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianABI

@testable import MeridianBench

/// A kernel that snaps layers of polygons, badly: above a tolerance of 3 the first row is gone, above 5 the second one
/// becomes a bow tie. All other rows stay as they are.
enum LayerSnapper {
  static let id = "test.layersnapper"
  static func register(on host: Host) throws(MeridianError) { try host.register(plugin) }
}

/// The rings of polygons that were copied so far.
private struct Copy {
  var rows: [Int64] = [0]
  var rings: [Int64] = [0]
  var x: [Double] = []
  var y: [Double] = []

  mutating func row(_ rings: [Ring]) {
    for ring in rings {
      x += ring.x
      y += ring.y
      self.rings.append(Int64(x.count))
    }
    rows.append(Int64(self.rings.count - 1))
  }

  func hand(over call: UnsafeMutablePointer<mrd_call>) -> Bool {
    hand(rows, MRD_BUF_OFFSETS0, call) && hand(rings, MRD_BUF_OFFSETS1, call) && hand(x, MRD_BUF_X, call)
      && hand(y, MRD_BUF_Y, call)
  }

  private func hand<T>(_ values: [T], _ buffer: UInt32, _ call: UnsafeMutablePointer<mrd_call>) -> Bool {
    let bytes = values.count * MemoryLayout<T>.size
    guard let to = call.pointee.grow(call, buffer, Int64(bytes)) else { return values.isEmpty }
    values.withUnsafeBytes { if let from = $0.baseAddress { memcpy(to, from, bytes) } }
    return true
  }
}

private func rings(_ array: GeometryArray, _ row: Int) -> [Ring] { array.rings(ofRow: row).map { Ring(array, $0) } }

private func snap(
  _ array: GeometryArray, _ tolerance: Double, _ outcomes: UnsafeMutablePointer<Int32>?,
  _ call: UnsafeMutablePointer<mrd_call>
) -> Bool {
  var copy = Copy()
  for row in 0..<array.count {
    var rings = rings(array, row)
    outcomes?[row] = MRD_SNAP_UNCHANGED
    if row == 0, tolerance > 3 {
      rings = []
      outcomes?[row] = MRD_SNAP_COLLAPSED
    } else if row == 1, tolerance > 5 {
      rings[0].x.swapAt(1, 2)
      rings[0].y.swapAt(1, 2)
      outcomes?[row] = MRD_SNAP_MOVED
    }
    copy.row(rings)
  }
  return copy.hand(over: call)
}

nonisolated(unsafe) private let info: UnsafePointer<mrd_op_info> = {
  let info = UnsafeMutablePointer<mrd_op_info>.allocate(capacity: 1)
  info.initialize(to: mrd_op_info())
  info.pointee.struct_size = UInt32(MemoryLayout<mrd_op_info>.size)
  info.pointee.flags = UInt32(MRD_OP_WHOLE_ARRAY)
  info.pointee.type_mask = 1 << UInt32(MRD_POLYGON)
  info.pointee.dims_mask = 1 << UInt32(MRD_XY)
  info.pointee.edges_mask = 1
  info.pointee.metric_mask = 1
  info.pointee.method = UnsafePointer(strdup("damage"))
  return UnsafePointer(info)
}()

nonisolated(unsafe) private let table: UnsafeRawPointer = {
  let table = UnsafeMutablePointer<mrd_family_snap>.allocate(capacity: 1)
  table.initialize(
    to: mrd_family_snap(
      struct_size: UInt32(MemoryLayout<mrd_family_snap>.size), pad0: 0,
      info: { $0 == MRD_SNAP_LAYER ? info : nil }, open: { _, _, _, _, _ in MRD_E_UNSUPPORTED },
      query: { _, _, _, _, _ in MRD_E_UNSUPPORTED }, release: { _ in },
      snap: { _, geoms, _, options, out, outcomes, call in
        guard let geoms, let options, let out, let call else { return MRD_E_ARGUMENT }
        let array = GeometryArray(borrowing: geoms.pointee)
        guard snap(array, options.pointee.tolerance_coord, outcomes, call) else { return MRD_E_MEMORY }
        out.pointee.type = MRD_POLYGON
        out.pointee.dims = MRD_XY
        out.pointee.length = Int64(array.count)
        return MRD_OK
      }))
  return UnsafeRawPointer(table)
}()

nonisolated(unsafe) private let plugin: UnsafePointer<mrd_plugin> = {
  let plugin = UnsafeMutablePointer<mrd_plugin>.allocate(capacity: 1)
  plugin.initialize(to: mrd_plugin())
  plugin.pointee.struct_size = UInt32(MemoryLayout<mrd_plugin>.size)
  plugin.pointee.abi = MRD_ABI_VERSION
  plugin.pointee.id = UnsafePointer(strdup(LayerSnapper.id))
  plugin.pointee.name = UnsafePointer(strdup("layers"))
  plugin.pointee.vendor = UnsafePointer(strdup("tests"))
  plugin.pointee.version = UnsafePointer(strdup("1.0.0"))
  plugin.pointee.license = UnsafePointer(strdup("Apache-2.0"))
  plugin.pointee.build = UnsafePointer(strdup(""))
  plugin.pointee.get_family = { id in id.map { strcmp($0, MRD_FAMILY_SNAP) == 0 } ?? false ? table : nil }
  return UnsafePointer(plugin)
}()
