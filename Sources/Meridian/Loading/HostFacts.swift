// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What plug-ins are told of this host: one record for the life of the process.
struct HostFacts: @unchecked Sendable {
  static let shared = HostFacts()

  let pointer: UnsafePointer<mrd_host>

  private init() {
    let name: StaticString = "meridian"
    let facts = UnsafeMutablePointer<mrd_host>.allocate(capacity: 1)
    facts.initialize(
      to: mrd_host(
        struct_size: UInt32(MemoryLayout<mrd_host>.size), abi_min: UInt32(MRD_ABI_VERSION),
        abi_max: UInt32(MRD_ABI_VERSION), pad0: 0, name: Self.cString(name), version: Self.cString(Host.version),
        // This version has no host extension.
        get_extension: { _ in nil }))
    pointer = UnsafePointer(facts)
  }

  /// A static string ends in NUL and lives as long as the process.
  private static func cString(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
