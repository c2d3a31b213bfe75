// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

/// Why a plug-in cannot be used.
struct LoadFailure: Error, Sendable {
  let reason: Reason
  let message: String

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

/// Brings plug-ins into the process and holds their tables against the ABI. Nothing is ever unloaded.
enum Loader {
  /// Plug-ins are entered by one thread at a time in the whole process, whatever the number of hosts ([init]).
  private static let gate = Lock()

  /// The plug-in in the library of a kernel that discovery accepted.
  /// - Parameter pins: digests that libraries must have; nil = none are asked for.
  static func open(_ kernel: Kernel, trust: Trust, pins: PinFile?) throws(LoadFailure) -> LoadedPlugin {
    // What discovery saw may have changed since.
    try trust.admitLibrary(kernel.library)
    try pins?.check(kernel.library)
    return try gate.withLock { () throws(LoadFailure) -> LoadedPlugin in
      try admitWhole(kernel.library)
      let library = try DynamicLibrary(path: kernel.library)
      let entry = unsafeBitCast(try library.symbol(MRD_ENTRY_NAME), to: EntryFunction.self)
      return try check(try enter(entry), expectedID: kernel.id)
    }
  }

  private static func admitWhole(_ path: String) throws(LoadFailure) {
    do throws(FileError) {
      guard try LibraryFile.isWhole(path) else { throw FileError("the file is shorter than its headers say") }
    } catch {
      throw LoadFailure(.loadFailed, "\(path): \(error.message)")
    }
  }

  private typealias EntryFunction =
    @convention(c) (UnsafePointer<mrd_host>?, UnsafeMutablePointer<mrd_error>?) -> UnsafePointer<mrd_plugin>?

  private static func enter(_ entry: EntryFunction) throws(LoadFailure) -> UnsafePointer<mrd_plugin> {
    var error = emptyErrorRecord()
    if let plugin = entry(HostFacts.shared.pointer, &error) { return plugin }
    let reason: Reason = error.code == MRD_E_ABI ? .wrongABI : .refused
    throw LoadFailure(reason, "the plug-in refused this host (status \(error.code))\(errorText(error))")
  }

  /// Negotiates with a plug-in, checks its tables, and initialises it.
  /// - Parameter expectedID: the id that the manifest gave; nil for a table that was registered.
  static func admit(_ plugin: UnsafePointer<mrd_plugin>, expectedID: String?) throws(LoadFailure) -> LoadedPlugin {
    try gate.withLock { () throws(LoadFailure) -> LoadedPlugin in try check(plugin, expectedID: expectedID) }
  }

  private static func check(
    _ plugin: UnsafePointer<mrd_plugin>, expectedID: String?
  ) throws(LoadFailure) -> LoadedPlugin {
    let size = Int(plugin.pointee.struct_size)
    guard size >= LeastSize.plugin else {
      throw LoadFailure(.badTable, "mrd_plugin has \(size) bytes, at least \(LeastSize.plugin) are needed")
    }
    let abi = plugin.pointee.abi
    guard servesABI(abi) else {
      throw LoadFailure(.wrongABI, "the plug-in needs ABI \(abiText(abi)), this host speaks \(hostABIText)")
    }
    guard let idPointer = plugin.pointee.id else { throw LoadFailure(.badTable, "mrd_plugin.id is NULL") }
    let id = String(cString: idPointer)
    guard expectedID == nil || id == expectedID else {
      throw LoadFailure(.badTable, "the plug-in's id is '\(id)', its manifest says '\(expectedID ?? "")'")
    }
    guard let getFamily = plugin.pointee.get_family else {
      throw LoadFailure(.badTable, "mrd_plugin.get_family is NULL")
    }
    try initialise(plugin)
    var families: [UnsafeRawPointer?] = []
    for family in Family.allCases { families.append(try table(of: family, from: getFamily)) }
    let full = fullSize(UnsafeRawPointer(plugin), size: MemoryLayout<mrd_plugin>.size)
    return LoadedPlugin(plugin: full.assumingMemoryBound(to: mrd_plugin.self), id: id, families: families)
  }

  private static func initialise(_ plugin: UnsafePointer<mrd_plugin>) throws(LoadFailure) {
    guard let initialise = plugin.pointee.`init` else { return }
    var error = emptyErrorRecord()
    let status = initialise(&error)
    guard status == MRD_OK else {
      throw LoadFailure(.initFailed, "init answered status \(status)\(errorText(error))")
    }
  }

  private static func table(
    of family: Family, from getFamily: (UnsafePointer<CChar>?) -> UnsafeRawPointer?
  ) throws(LoadFailure) -> UnsafeRawPointer? {
    guard let table = family.tableID.withCString({ getFamily($0) }) else { return nil }
    let given = Int(table.load(as: UInt32.self))
    guard given >= LeastSize.family else {
      throw LoadFailure(
        .badTable, "the table of \(family.tableID) has \(given) bytes, at least \(LeastSize.family) are needed")
    }
    let full = fullSize(table, size: tableSize(family))
    guard hasInfo(family, full) else {
      throw LoadFailure(.badTable, "the table of \(family.tableID) has no info function")
    }
    return full
  }
}

/// What this host speaks: "0.1".
var hostABIText: String { abiText(UInt32(MRD_ABI_VERSION)) }

/// "0.1" for MRD_MAKE_ABI(0, 1).
func abiText(_ version: UInt32) -> String { "\(version >> 16).\(version & 0xffff)" }

/// An error record as the ABI wants it before a call.
func emptyErrorRecord() -> mrd_error {
  var error = mrd_error()
  error.struct_size = UInt32(MemoryLayout<mrd_error>.size)
  error.item = -1
  error.coord = -1
  return error
}

/// ": message" of an error record, or nothing. The end is not left to the plug-in.
func errorText(_ error: mrd_error) -> String {
  let text = withUnsafeBytes(of: error.message) { bytes in
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
  return text.isEmpty ? "" : ": " + text
}
