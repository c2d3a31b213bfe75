// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

/// GEOS behind the families: what it can do is declared, what it cannot is refused.
private nonisolated(unsafe) var plugin = mrd_plugin(
  struct_size: UInt32(MemoryLayout<mrd_plugin>.size), abi: UInt32(MRD_ABI_VERSION), id: cString("meridian.geos"),
  name: cString("GEOS adapter"), vendor: cString("Meridian"), version: cString("0.1.0"),
  license: cString("Apache-2.0"), build: mrd_geos_build(), init: initialise, get_family: family, get_extension: nil)

private func initialise(_ error: UnsafeMutablePointer<mrd_error>?) -> mrd_status {
  mrd_geos_install_interrupt()
  return MRD_OK
}

private func family(_ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  if isSame(id, FamilyID.measure) { return UnsafeRawPointer(address(&measureFamily)) }
  if isSame(id, FamilyID.validate) { return UnsafeRawPointer(address(&validateFamily)) }
  if isSame(id, FamilyID.simplify) { return UnsafeRawPointer(address(&simplifyFamily)) }
  if isSame(id, FamilyID.snap) { return UnsafeRawPointer(address(&snapFamily)) }
  if isSame(id, FamilyID.index) { return UnsafeRawPointer(address(&indexFamily)) }
  return nil
}

@c @implementation
public func mrd_plugin_entry_v1(
  _ host: UnsafePointer<mrd_host>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> UnsafePointer<mrd_plugin>? {
  acceptsHost(host, error) ? address(&plugin) : nil
}
