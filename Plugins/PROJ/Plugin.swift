// SPDX-License-Identifier: Apache-2.0
import CPROJ
import KernelKit
import MeridianABI

// Geodesic measures by the routines that PROJ exports (geodesic.h). Ellipsoid.swift brings the formulas; the loops over
// rows are KernelKit's.

nonisolated(unsafe) private var plugin = mrd_plugin(
  struct_size: UInt32(MemoryLayout<mrd_plugin>.size), abi: MRD_ABI_VERSION, id: cString("meridian.proj"),
  name: cString("Geodesics of PROJ"), vendor: cString("Meridian"), version: cString("0.1.0"),
  license: cString("Apache-2.0"), build: meridian_proj_build(), init: nil, get_family: family,
  get_extension: nil)

private func family(_ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  isSame(id, FamilyID.measure) ? UnsafeRawPointer(address(&measureTable)) : nil
}

@c @implementation
public func mrd_plugin_entry_v1(
  _ host: UnsafePointer<mrd_host>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> UnsafePointer<mrd_plugin>? {
  acceptsHost(host, error) ? address(&plugin) : nil
}
