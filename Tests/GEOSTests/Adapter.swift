// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI

/// The adapter as a host loads it.
enum Adapter {
  static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("libMeridianGEOS.so").path

  nonisolated(unsafe) static let plugin: UnsafePointer<mrd_plugin> = load()

  static var measure: mrd_family_measure { family(MRD_FAMILY_MEASURE, mrd_family_measure.self) }
  static var validate: mrd_family_validate { family(MRD_FAMILY_VALIDATE, mrd_family_validate.self) }
  static var simplify: mrd_family_simplify { family(MRD_FAMILY_SIMPLIFY, mrd_family_simplify.self) }
  static var snap: mrd_family_snap { family(MRD_FAMILY_SNAP, mrd_family_snap.self) }
  static var index: mrd_family_index { family(MRD_FAMILY_INDEX, mrd_family_index.self) }

  static func entry() -> (
    @convention(c) (UnsafePointer<mrd_host>?, UnsafeMutablePointer<mrd_error>?) -> UnsafePointer<mrd_plugin>?
  ) {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), let symbol = dlsym(library, MRD_ENTRY_NAME)
    else { fatalError(String(cString: dlerror())) }
    typealias Entry =
      @convention(c) (UnsafePointer<mrd_host>?, UnsafeMutablePointer<mrd_error>?) -> UnsafePointer<mrd_plugin>?
    return unsafeBitCast(symbol, to: Entry.self)
  }

  static func host(min: UInt32, max: UInt32) -> mrd_host {
    var host = mrd_host()
    host.struct_size = UInt32(MemoryLayout<mrd_host>.size)
    host.abi_min = min
    host.abi_max = max
    return host
  }

  private static func load() -> UnsafePointer<mrd_plugin> {
    var host = host(min: UInt32(MRD_ABI_VERSION), max: UInt32(MRD_ABI_VERSION))
    var error = mrd_error()
    error.struct_size = UInt32(MemoryLayout<mrd_error>.size)
    guard let plugin = entry()(&host, &error) else { fatalError("the adapter refuses this host") }
    _ = plugin.pointee.`init`?(&error)
    return plugin
  }

  static func family<T>(_ id: String, _ type: T.Type) -> T {
    guard let table = plugin.pointee.get_family?(id) else { fatalError("no family \(id)") }
    return table.load(as: T.self)
  }
}
