// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

public struct TestFailure: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// A plug-in as a test sees it: the built library, loaded by path, and its tables. Never unloaded.
public final class LoadedLibrary: @unchecked Sendable {
  public let plugin: UnsafePointer<mrd_plugin>

  /// The folder of built products: that of the running test executable, or of the bundle around it.
  public static func productsFolder() -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    let executable = String(decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
  }

  /// `name`: of the product, "MeridianNative".
  public init(_ name: String) throws {
    let path = LoadedLibrary.productsFolder() + "/lib\(name).so"
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw TestFailure("dlopen \(path): \(dlerror().map { String(cString: $0) } ?? "no reason given")")
    }
    guard let symbol = dlsym(handle, MRD_ENTRY_NAME) else { throw TestFailure("\(path) has no \(MRD_ENTRY_NAME)") }
    typealias Entry =
      @convention(c) (UnsafePointer<mrd_host>?, UnsafeMutablePointer<mrd_error>?) -> UnsafePointer<mrd_plugin>?
    var host = mrd_host()
    host.struct_size = UInt32(MemoryLayout<mrd_host>.size)
    host.abi_min = MRD_ABI_VERSION
    host.abi_max = MRD_ABI_VERSION
    host.get_extension = { _ in nil }
    var error = mrd_error()
    error.struct_size = UInt32(MemoryLayout<mrd_error>.size)
    guard let plugin = unsafeBitCast(symbol, to: Entry.self)(&host, &error) else {
      throw TestFailure("\(path) refused the host")
    }
    self.plugin = plugin
  }

  private func table<T>(_ id: String, _ type: T.Type) throws -> T {
    guard let table = plugin.pointee.get_family(id) else { throw TestFailure("no family \(id)") }
    return table.assumingMemoryBound(to: T.self).pointee
  }
  public func measure() throws -> mrd_family_measure { try table(MRD_FAMILY_MEASURE, mrd_family_measure.self) }
  public func validate() throws -> mrd_family_validate { try table(MRD_FAMILY_VALIDATE, mrd_family_validate.self) }
  public func simplify() throws -> mrd_family_simplify { try table(MRD_FAMILY_SIMPLIFY, mrd_family_simplify.self) }
  public func snap() throws -> mrd_family_snap { try table(MRD_FAMILY_SNAP, mrd_family_snap.self) }
  public func index() throws -> mrd_family_index { try table(MRD_FAMILY_INDEX, mrd_family_index.self) }
}
