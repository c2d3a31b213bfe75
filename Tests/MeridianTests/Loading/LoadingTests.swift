// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI
import Testing

@testable import Meridian

@Suite struct LoadingTests {
  let tree = TemporaryTree()

  private var area: Meridian.Operation { get throws { try #require(Operation.find(.measure, MRD_MEASURE_AREA)) } }
  private let shape = CallShape(type: .polygon, dimensions: .xy, model: .planar, dialect: nil)

  private func host(library: [UInt8], pins: String? = nil) throws -> Host {
    tree.write("plugins/lib.so", library)
    tree.write("plugins/a.meridian.json", manifest())
    var options = Host.Options()
    options.paths = [tree("plugins")]
    if let pins { options.pinFile = tree.write("pins", pins) }
    return try Host(options, in: .none())
  }

  /// A shared library that is no plug-in: the mathematical library, where this process has it.
  private func foreignLibrary() throws -> [UInt8] {
    let maps = String(decoding: try Files.read("/proc/self/maps", limit: 1 << 24), as: UTF8.self)
    let path = try #require(maps.pieces(at: "\n").compactMap { $0.words.last }.first { $0.hasSuffix("/libm.so.6") })
    return try Files.read(path, limit: 1 << 26)
  }

  @Test func aFileThatIsNoLibrary() throws {
    let host = try host(library: Array("no ELF".utf8))
    let error = #expect(throws: MeridianError.self) { _ = try host.info(kernel: "alpha", operation: try area) }
    #expect(error?.status == .notFound)
    #expect(host.reasons == [.accepted, .loadFailed])
    #expect(host.diagnostics.last?.message.contains(tree("plugins/lib.so")) == true, "dlerror() has its words")
    #expect(!host.kernels[0].isLoaded)
    // It is not tried again, nor reported again.
    #expect(throws: MeridianError.self) { _ = try host.info(kernel: "alpha", operation: try area) }
    #expect(host.reasons == [.accepted, .loadFailed])
  }

  @Test func aLibraryWithoutEntry() throws {
    let host = try host(library: try foreignLibrary())
    #expect(throws: MeridianError.self) { _ = try host.info(kernel: "alpha", operation: try area) }
    #expect(host.reasons == [.accepted, .noEntry])
    #expect(host.diagnostics.last?.message.contains("mrd_plugin_entry_v1") == true)
  }

  @Test func selectionGoesOnBehindABrokenLibrary() throws {
    let host = try host(library: Array("no ELF".utf8))
    try host.register(FakePlugin.beta)
    let choice = try host.choose(try area, for: shape, rules: "measure=test.alpha")
    #expect(choice.plugin.id == "test.beta")
    #expect(choice.reason.hasPrefix("fallback: alpha cannot be loaded (dlopen: "))
    let preferred = try host.choose(try area, for: shape, rules: nil)
    #expect(preferred.reason == "by default", "registered tables come first, so the broken one is not even tried")
    let error = #expect(throws: MeridianError.self) {
      _ = try host.choose(try area, for: shape, rules: "measure.area=alpha")
    }
    #expect(error?.status == .notFound)
  }

  @Test func aListenerMayHaveAnotherKernelLoaded() throws {
    let lines = Guarded<[String]>([])
    let listening = Guarded<Host?>(nil)
    let area = try area
    var options = Host.Options()
    options.paths = [tree("plugins")]
    options.log = { _, message in
      lines.withLock { $0.append(message) }
      if message.contains("/a.so") { _ = try? listening.current?.info(kernel: "beta", operation: area) }
    }
    for (name, id) in [("a", "test.alpha"), ("b", "test.beta")] {
      tree.write("plugins/\(name).so", Array("no ELF".utf8))
      tree.write(
        "plugins/\(name).meridian.json", manifest(id: id, libraries: [("linux-test", "baseline", "\(name).so")]))
    }
    let host = try Host(options, in: .none())
    listening.withLock { $0 = host }
    #expect(throws: MeridianError.self) { _ = try host.info(kernel: "alpha", operation: area) }
    #expect(host.reasons == [.accepted, .accepted, .loadFailed, .loadFailed])
    #expect(lines.current.count == 2)
    listening.withLock { $0 = nil }
  }

  @Test func manyThreadsLoadOnce() async throws {
    let host = try host(library: Array("no ELF".utf8))
    let area = try area
    let failures = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 { group.addTask { (try? host.info(kernel: "alpha", operation: area)) == nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 16)
    #expect(host.reasons == [.accepted, .loadFailed])
  }

  @Test func aLibraryThatChangedSinceDiscovery() throws {
    let host = try host(library: [])
    chmod(tree("plugins/lib.so"), 0o666)
    #expect(throws: MeridianError.self) { _ = try host.info(kernel: "alpha", operation: try area) }
    #expect(host.reasons == [.accepted, .writableByOthers])
  }

  @Test func pinFiles() throws {
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  // of "abc" (FIPS 180-4)
    func reason(_ pins: String) throws -> Reason? {
      let host = try host(library: Array("abc".utf8), pins: pins)
      #expect(throws: MeridianError.self) { _ = try host.info(kernel: "alpha", operation: try area) }
      return host.reasons.last
    }
    // With the right digest the host goes on to dlopen, which refuses "abc".
    #expect(try reason("# pins\n\(digest)  lib.so\n") == .loadFailed)
    #expect(try reason("\(digest.uppercased()) *lib.so") == .loadFailed)
    #expect(try reason("\(digest)  other.so\n") == .wrongChecksum)
    #expect(try reason("\(String(digest.reversed()))  lib.so\n") == .wrongChecksum)
    #expect(try reason("") == .wrongChecksum)
    let malformed = #expect(throws: MeridianError.self) { _ = try host(library: [], pins: "\n12  lib.so") }
    #expect(malformed?.message.contains("line 2") == true)
    tree.write("pins", "")
    chmod(tree("pins"), 0o666)
    var options = Host.Options()
    options.pinFile = tree("pins")
    #expect(throws: MeridianError.self) { _ = try Host(options, in: .none()) }
  }

  @Test func theNativeKernelLoads() throws {
    let products = Path.directory(of: try Files.canonical("/proc/self/exe"))
    let candidates = [products, Path.directory(of: CommandLine.arguments.first ?? "")]
    let library = candidates.map { Path.join($0, "libMeridianNative.so") }.first { (try? Files.status($0)) != nil }
    guard let library else {
      print("skipped: libMeridianNative.so is not among the products")
      return
    }
    tree.write("plugins/libMeridianNative.so", try Files.read(library, limit: 1 << 26))
    tree.write(
      "plugins/n.meridian.json",
      manifest(id: "meridian.native", libraries: [("linux-test", "baseline", "libMeridianNative.so")]))
    let host = try Host(searching: [tree("plugins")])
    let info = try host.info(kernel: "native", operation: try area)
    #expect(String(cString: info.pointee.method).isEmpty == false)
    #expect(host.kernels[0].isLoaded)
    #expect(host.reasons == [.accepted, .accepted])
    // Under an id that is not its own it is refused.
    tree.write(
      "plugins/n.meridian.json",
      manifest(id: "test.other", libraries: [("linux-test", "baseline", "libMeridianNative.so")]))
    let other = try Host(searching: [tree("plugins")])
    #expect(throws: MeridianError.self) { _ = try other.info(kernel: "other", operation: try area) }
    #expect(other.diagnostics.last?.reason == .badTable)
    #expect(other.diagnostics.last?.message.contains("the plug-in's id is 'meridian.native'") == true)
  }

  // MARK: - Static tables

  private func refusal(_ change: (inout mrd_plugin) -> Void) throws -> Diagnostic? {
    let plugin = FakePlugin.plugin("test.damaged") { _ in nil }
    change(&plugin.pointee)
    let host = try Host(searching: [])
    #expect(throws: MeridianError.self) { try host.register(plugin) }
    #expect(host.kernels.isEmpty)
    return host.diagnostics.last
  }

  @Test func damagedTables() throws {
    #expect(try refusal { $0.struct_size = 8 }?.reason == .badTable)
    #expect(try refusal { $0.struct_size = UInt32(LeastSize.plugin) - 1 }?.reason == .badTable)
    #expect(try refusal { $0.abi = 2 }?.reason == .wrongABI)
    #expect(try refusal { $0.abi = 0x10000 }?.message.contains("needs ABI 1.0, this host speaks 0.1") == true)
    #expect(try refusal { $0.id = nil }?.reason == .badTable)
    #expect(try refusal { $0.get_family = nil }?.reason == .badTable)
    let failing = try refusal { plugin in
      plugin.`init` = { error in
        "no licence today".withCString { mrd_fail(error, MRD_E_INTERNAL, -1, -1, $0) }
      }
    }
    #expect(failing?.reason == .initFailed)
    #expect(failing?.message == "static table: init answered status 7: no licence today")
  }

  @Test func damagedFamilies() throws {
    let short = try refusal { plugin in
      plugin.get_family = { FakePlugin.matches($0, MRD_FAMILY_MEASURE) ? UnsafeRawPointer(shortTable) : nil }
    }
    #expect(short?.reason == .badTable)
    #expect(short?.message.contains("the table of meridian.measure/1 has 12 bytes, at least 16 are needed") == true)
    let mute = try refusal { plugin in
      plugin.get_family = { FakePlugin.matches($0, MRD_FAMILY_MEASURE) ? UnsafeRawPointer(muteTable) : nil }
    }
    #expect(mute?.message.contains("has no info function") == true)
  }

  @Test func olderShorterTablesReadAsNull() throws {
    let host = try Host(searching: [])
    try host.register(FakePlugin.gamma)
    let bounds = try #require(Operation.find(.measure, MRD_MEASURE_BOUNDS))
    let table = try #require(try host.choose(bounds, for: shape, rules: nil).plugin.measure)
    #expect(table.pointee.info != nil)
    #expect(table.pointee.measure == nil)
  }

  @Test func registeringTwice() throws {
    let host = try host(library: [])
    let twin = FakePlugin.plugin("test.alpha") { _ in nil }
    try host.register(FakePlugin.alpha)
    #expect(host.reasons == [.accepted, .shadowed], "the table hides the manifest of its id")
    try host.register(FakePlugin.alpha)
    #expect(throws: MeridianError.self) { try host.register(twin) }
    #expect(host.kernels.map(\.id) == ["test.alpha"])
    #expect(host.kernels[0].operations == ["measure.length", "measure.area"])
  }

  @Test func leastSizesAreThoseOfTheHeaders() throws {
    let word = MemoryLayout<UnsafeRawPointer>.size
    #expect(try LeastSize.family == #require(MemoryLayout<mrd_family_measure>.offset(of: \.info)) + word)
    #expect(try LeastSize.family == #require(MemoryLayout<mrd_family_validate>.offset(of: \.info)) + word)
    #expect(try LeastSize.family == #require(MemoryLayout<mrd_family_simplify>.offset(of: \.info)) + word)
    #expect(try LeastSize.family == #require(MemoryLayout<mrd_family_snap>.offset(of: \.info)) + word)
    #expect(try LeastSize.family == #require(MemoryLayout<mrd_family_index>.offset(of: \.info)) + word)
    #expect(try LeastSize.plugin == #require(MemoryLayout<mrd_plugin>.offset(of: \.get_family)) + word)
    #expect(try LeastSize.info == #require(MemoryLayout<mrd_op_info>.offset(of: \.method)) + word)
  }

  @Test func operationsAreAllInTheList() {
    #expect(Set(Operation.all.map(\.fullName)).count == Operation.all.count)
    for operation in Operation.all { #expect(Operation.find(operation.family, operation.number) == operation) }
  }
}

nonisolated(unsafe) private let shortTable = {
  let table = FakePlugin.measure { _ in nil }
  table.pointee.struct_size = 12
  return table
}()
nonisolated(unsafe) private let muteTable = {
  let table = FakePlugin.measure { _ in nil }
  table.pointee.info = nil
  return table
}()
