// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A call context as a host makes it: growing buffers, scratch memory, row statuses, an error record.
final class TestCall {
  let pointer = UnsafeMutablePointer<mrd_call>.allocate(capacity: 1)
  let error = UnsafeMutablePointer<mrd_error>.allocate(capacity: 1)
  let cancel = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private let statusBlock: Block<Int32>
  private var buffers = [UnsafeMutableRawPointer?](repeating: nil, count: Int(MRD_BUF_COUNT))
  private var sizes = [Int](repeating: 0, count: Int(MRD_BUF_COUNT))
  private var scratch: [UnsafeMutableRawPointer] = []
  /// How many more requests for memory succeed; nil = all.
  var memoryBudget: Int?

  init(rows: Int) {
    statusBlock = Block([Int32](repeating: 0, count: rows))
    error.initialize(to: mrd_error())
    error.pointee.struct_size = UInt32(MemoryLayout<mrd_error>.size)
    cancel.initialize(to: 0)
    var call = mrd_call()
    call.struct_size = UInt32(MemoryLayout<mrd_call>.size)
    call.thread_budget = 1
    call.cancel = UnsafePointer(cancel)
    call.item_status = statusBlock.base
    call.error = error
    call.grow = { call, buffer, bytes in TestCall.of(call)?.grow(Int(buffer), Int(bytes)) }
    call.scratch = { call, bytes, align in TestCall.of(call)?.allocate(Int(bytes), Int(align)) }
    pointer.initialize(to: call)
    pointer.pointee.host = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    for memory in buffers + scratch { memory?.deallocate() }
    pointer.deallocate()
    error.deallocate()
    cancel.deallocate()
  }

  private static func of(_ call: UnsafeMutablePointer<mrd_call>?) -> TestCall? {
    call?.pointee.host.map { Unmanaged<TestCall>.fromOpaque($0).takeUnretainedValue() }
  }

  private func mayAllocate() -> Bool {
    guard let budget = memoryBudget else { return true }
    memoryBudget = budget - 1
    return budget > 0
  }

  /// Moves the buffer at each growth, so that a kernel that keeps an old pointer shows itself.
  private func grow(_ buffer: Int, _ bytes: Int) -> UnsafeMutableRawPointer? {
    guard mayAllocate() else { return nil }
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: max(64, bytes), alignment: 64)
    if let old = buffers[buffer] {
      fresh.copyMemory(from: old, byteCount: min(bytes, sizes[buffer]))
      old.deallocate()
    }
    buffers[buffer] = fresh
    sizes[buffer] = bytes
    return fresh
  }

  private func allocate(_ bytes: Int, _ align: Int) -> UnsafeMutableRawPointer? {
    guard mayAllocate() else { return nil }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes), alignment: align)
    scratch.append(memory)
    return memory
  }

  func values<T>(_ buffer: UInt32, as type: T.Type) -> [T] {
    guard let base = buffers[Int(buffer)] else { return [] }
    return Array(UnsafeRawBufferPointer(start: base, count: sizes[Int(buffer)]).bindMemory(to: T.self))
  }

  func status(_ row: Int) -> Int32 { statusBlock.base[row] }

  var message: String {
    withUnsafeBytes(of: error.pointee.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The geometries that the kernel wrote; nil = null row.
  func shapes(_ out: mrd_geoms_out) -> [Shape?] {
    let columns = [MRD_BUF_X, MRD_BUF_Y, MRD_BUF_Z, MRD_BUF_M].map { values($0, as: Double.self) }
    let levels = [MRD_BUF_OFFSETS0, MRD_BUF_OFFSETS1, MRD_BUF_OFFSETS2].map { values($0, as: Int64.self).map(Int.init) }
    let bits = values(MRD_BUF_VALIDITY, as: UInt8.self)
    func coordinate(_ index: Int) -> [Double] { columns.filter { !$0.isEmpty }.map { $0[index] } }
    func ring(_ level: Int, _ index: Int) -> [[Double]] {
      (levels[level][index]..<levels[level][index + 1]).map(coordinate)
    }
    func rings(_ level: Int, _ span: Range<Int>) -> [[[Double]]] { span.map { ring(level, $0) } }
    return (0..<Int(out.length)).map { row in
      if !bits.isEmpty, bits[row / 8] >> UInt8(row % 8) & 1 == 0 { return nil }
      let parts: [[[[Double]]]]
      switch out.type {
      case MRD_POINT: parts = [[[coordinate(row)]]]
      case MRD_LINESTRING, MRD_MULTIPOINT: parts = [[ring(0, row)]]
      case MRD_POLYGON, MRD_MULTILINESTRING: parts = [rings(1, levels[0][row]..<levels[0][row + 1])]
      default:
        parts = (levels[0][row]..<levels[0][row + 1]).map { rings(2, levels[1][$0]..<levels[1][$0 + 1]) }
      }
      return Shape(type: out.type, parts: parts)
    }
  }
}
