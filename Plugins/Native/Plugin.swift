// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

// The native kernels: one folder a family (Measure/ with one a surface). What families share stands in Planar/ (edges and
// exact predicates of the plane), Tree/ (the packed tree of Index/ and Snap/) and Support/ (arithmetic, memory, sorting).

#if MERIDIAN_V4
  private let level: StaticString = "Embedded Swift, x86-64-v4"
#elseif MERIDIAN_V3
  private let level: StaticString = "Embedded Swift, x86-64-v3"
#elseif arch(arm64)
  private let level: StaticString = "Embedded Swift, arm64"
#elseif arch(wasm32)
  private let level: StaticString = "Embedded Swift, wasm32"
#else
  private let level: StaticString = "Embedded Swift, baseline"
#endif

nonisolated(unsafe) private var plugin = mrd_plugin(
  struct_size: UInt32(MemoryLayout<mrd_plugin>.size), abi: MRD_ABI_VERSION, id: cString("meridian.native"),
  name: cString("Native kernels"), vendor: cString("Meridian"), version: cString("0.1.0"),
  license: cString("Apache-2.0"), build: cString(level), init: nil, get_family: family, get_extension: nil)

private func family(_ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  if isSame(id, FamilyID.measure) { return UnsafeRawPointer(address(&measureTable)) }
  if isSame(id, FamilyID.validate) { return UnsafeRawPointer(address(&validateTable)) }
  if isSame(id, FamilyID.simplify) { return UnsafeRawPointer(address(&simplifyTable)) }
  if isSame(id, FamilyID.snap) { return UnsafeRawPointer(address(&snapTable)) }
  if isSame(id, FamilyID.index) { return UnsafeRawPointer(address(&indexTable)) }
  return nil
}

@c @implementation
public func mrd_plugin_entry_v1(
  _ host: UnsafePointer<mrd_host>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> UnsafePointer<mrd_plugin>? {
  acceptsHost(host, error) ? address(&plugin) : nil
}
