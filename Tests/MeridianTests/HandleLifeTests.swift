// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

@testable import Meridian

/// What a kernel prepared is given back also when the host refuses the call that made it.
@Suite(.serialized) struct HandleLifeTests {
  private let host: Host
  private let set: GeometrySet

  init() throws {
    var options = Host.Options()
    options.discovers = false
    options.checksKernels = true
    host = try Host(options)
    try host.register(careless)
    var builder = GeometryBuilder()
    try builder.begin(.point, .xy)
    builder.add(1, 2)
    try builder.end()
    set = try builder.finish()
    (made, released) = (0, 0)
  }

  /// The kernel makes its handle, and writes past the end of its scratch memory.
  private func expectRefusal(_ body: () throws(MeridianError) -> Void) {
    let error = #expect(throws: MeridianError.self) { try body() }
    #expect(error?.status == .internalError)
    #expect(error?.message.contains("wrote past the end of scratch memory") == true)
    #expect(made == 1 && released == 1)
  }

  @Test func ofAnIndex() {
    var boxes = Boxes()
    boxes.append(0, 0, 1, 1)
    expectRefusal { () throws(MeridianError) in _ = try BoxIndex(host: host, boxes: boxes) }
  }

  @Test func ofAnIndexFromBytes() {
    expectRefusal { () throws(MeridianError) in _ = try BoxIndex(host: host, bytes: [1, 2, 3]) }
  }

  @Test func ofAnEditor() {
    expectRefusal { () throws(MeridianError) in _ = try Editor(host: host, set: set, row: 0) }
  }

  @Test func ofSnapTargets() {
    expectRefusal { () throws(MeridianError) in _ = try SnapTargets(host: host, layers: [TargetLayer(set)]) }
  }
}

nonisolated(unsafe) private var made = 0
nonisolated(unsafe) private var released = 0

/// Answers OK with a handle after it wrote past the end of what it was lent.
private func make(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out, let scratch = call.pointee.scratch(call, 8, 8) else { return MRD_E_MEMORY }
  scratch.storeBytes(of: 7, toByteOffset: 8, as: UInt8.self)
  made += 1
  out.pointee = OpaquePointer(bitPattern: 0x1000)
  return MRD_OK
}

nonisolated(unsafe) private let info = FakePlugin.info(
  edges: [MRD_EDGES_PLANAR], metrics: [MRD_METRIC_COORD], dialects: .max)

nonisolated(unsafe) private let careless = FakePlugin.plugin("test.careless") { id in
  if FakePlugin.matches(id, MRD_FAMILY_INDEX) { return UnsafeRawPointer(indexTable) }
  if FakePlugin.matches(id, MRD_FAMILY_VALIDATE) { return UnsafeRawPointer(validateTable) }
  return FakePlugin.matches(id, MRD_FAMILY_SNAP) ? UnsafeRawPointer(snapTable) : nil
}

nonisolated(unsafe) private let indexTable: UnsafeMutablePointer<mrd_family_index> = {
  let table = UnsafeMutablePointer<mrd_family_index>.allocate(capacity: 1)
  table.initialize(to: mrd_family_index())
  table.pointee.struct_size = UInt32(MemoryLayout<mrd_family_index>.size)
  table.pointee.info = { _ in UnsafePointer(info) }
  table.pointee.build = { _, _, out, call in make(out, call) }
  table.pointee.open = { _, _, out, call in make(out, call) }
  table.pointee.release = { _ in released += 1 }
  return table
}()

nonisolated(unsafe) private let validateTable: UnsafeMutablePointer<mrd_family_validate> = {
  let table = UnsafeMutablePointer<mrd_family_validate>.allocate(capacity: 1)
  table.initialize(to: mrd_family_validate())
  table.pointee.struct_size = UInt32(MemoryLayout<mrd_family_validate>.size)
  table.pointee.info = { _ in UnsafePointer(info) }
  table.pointee.prepare = { _, _, out, call in make(out, call) }
  table.pointee.edit = { _, _, _, _, _, _, _ in MRD_E_UNSUPPORTED }
  table.pointee.release = { _ in released += 1 }
  return table
}()

nonisolated(unsafe) private let snapTable: UnsafeMutablePointer<mrd_family_snap> = {
  let table = UnsafeMutablePointer<mrd_family_snap>.allocate(capacity: 1)
  table.initialize(to: mrd_family_snap())
  table.pointee.struct_size = UInt32(MemoryLayout<mrd_family_snap>.size)
  table.pointee.info = { _ in UnsafePointer(info) }
  table.pointee.open = { _, _, _, out, call in make(out, call) }
  table.pointee.query = { _, _, _, _, _ in MRD_E_UNSUPPORTED }
  table.pointee.release = { _ in released += 1 }
  return table
}()
