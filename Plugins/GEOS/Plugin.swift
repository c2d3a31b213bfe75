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
  guard let id else { return nil }
  if isEqual(id, cString("meridian.validate/1")) {
    return withUnsafePointer(to: &validateFamily) { UnsafeRawPointer($0) }
  }
  return nil
}

private func isEqual(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool {
  var index = 0
  while a[index] != 0, a[index] == b[index] { index += 1 }
  return a[index] == b[index]
}

@c @implementation
public func mrd_plugin_entry_v1(
  _ host: UnsafePointer<mrd_host>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> UnsafePointer<mrd_plugin>? {
  let version = UInt32(MRD_ABI_VERSION)
  guard let host, host.pointee.abi_min <= version, version <= host.pointee.abi_max else {
    _ = mrd_fail(error, MRD_E_ABI, -1, -1, cString("the GEOS adapter needs version 0.1 of the ABI"))
    return nil
  }
  return withUnsafePointer(to: &plugin) { $0 }
}
