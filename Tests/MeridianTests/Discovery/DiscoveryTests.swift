// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI
import Testing

@testable import Meridian

/// Each refusal of discovery, by its reason code.
@Suite struct DiscoveryTests {
  let tree = TemporaryTree()

  private func host(_ surroundings: Surroundings = .none()) throws -> Host {
    try Host(searching: [tree("plugins")], surroundings)
  }

  /// A plug-in folder that discovery accepts.
  private func plug(_ folder: String, _ text: String = manifest()) {
    tree.write("plugins/\(folder)/lib.so", "not a library, but discovery loads none")
    tree.write("plugins/\(folder)/\(folder).meridian.json", text)
  }

  private func expectRefusal(
    _ reason: Reason, _ message: String, _ surroundings: Surroundings = .none(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let host = try host(surroundings)
    #expect(host.kernels.isEmpty, sourceLocation: sourceLocation)
    let found = host.diagnostics.first { $0.reason == reason && $0.message.contains(message) }
    #expect(found != nil, "\(host.diagnostics)", sourceLocation: sourceLocation)
    #expect(found?.path.hasPrefix(tree.path) == true, sourceLocation: sourceLocation)
  }

  @Test func acceptsWithoutLoading() throws {
    plug("a")
    let host = try host()
    #expect(host.diagnostics.map(\.reason) == [.accepted])
    let kernel = try #require(host.kernels.first)
    #expect(kernel.id == "test.alpha")
    #expect(kernel.library == tree("plugins/a/lib.so"))
    #expect(kernel.manifest == tree("plugins/a/a.meridian.json"))
    #expect(kernel.cpuLevel == "baseline")
    #expect(!kernel.isLoaded)
  }

  @Test func missingDirectory() throws { try expectRefusal(.notFound, "No such file") }

  @Test func missingLibrary() throws {
    tree.write("plugins/a.meridian.json", manifest())
    try expectRefusal(.notFound, "lib.so")
  }

  @Test func relativeAndEmptyEntries() throws {
    let host = try Host(searching: ["plugins"], .none(["MERIDIAN_PLUGIN_PATH": "./x::/nonexistent"]))
    #expect(host.reasons == [.relativePath, .relativePath, .relativePath, .notFound])
    #expect(host.diagnostics.map(\.path) == ["plugins", "./x", "", "/nonexistent"])
  }

  @Test(arguments: ["plugins", "plugins/a", "plugins/a/a.meridian.json", "plugins/a/lib.so"])
  func writableByOthers(_ path: String) throws {
    plug("a")
    chmod(tree(path), 0o775)
    try expectRefusal(.writableByOthers, "\(tree(path)) may be written by group or others (mode 0775)")
    chmod(tree(path), 0o757)
    try expectRefusal(.writableByOthers, "(mode 0757)")
  }

  @Test func stickyDirectoriesOfRootAreAllowedAboveOnly() throws {
    plug("a")
    // The tree lies below /tmp, which is writable by all and sticky: it is accepted on the way ...
    #expect(try host().reasons == [.accepted])
    // ... and not as the directory of plug-ins itself.
    chmod(tree("plugins"), 0o1777)
    try expectRefusal(.writableByOthers, "(mode 01777)")
  }

  @Test(
    .enabled(if: geteuid() == 0, "giving files to another user needs root"),
    arguments: [
      "plugins", "plugins/a", "plugins/a/a.meridian.json", "plugins/a/lib.so",
    ])
  func wrongOwner(_ path: String) throws {
    plug("a")
    #expect(chown(tree(path), 12345, 12345) == 0)
    try expectRefusal(.wrongOwner, "belongs to user 12345, neither to root nor to user 0")
  }

  @Test func linksInsideTheRootAreFine() throws {
    plug("a")
    tree.link("plugins/a/link.so", to: "lib.so")
    tree.write("plugins/a/a.meridian.json", manifest(libraries: [("linux-test", "baseline", "link.so")]))
    let host = try host()
    #expect(host.kernels.map(\.library) == [tree("plugins/a/lib.so")])
  }

  @Test func linksThatLeaveTheRoot() throws {
    tree.write("elsewhere/lib.so", "")
    tree.write("elsewhere/x.meridian.json", manifest())
    tree.directory("plugins")
    tree.link("plugins/x.meridian.json", to: tree("elsewhere/x.meridian.json"))
    tree.link("plugins/folder", to: tree("elsewhere"))
    let host = try host()
    #expect(host.kernels.isEmpty)
    #expect(host.reasons == [.linkLeavesRoot, .linkLeavesRoot])
    tree.write("plugins/y/y.meridian.json", manifest())
    tree.link("plugins/y/lib.so", to: tree("elsewhere/lib.so"))
    try expectRefusal(.linkLeavesRoot, "lib.so (baseline): leads to \(tree("elsewhere/lib.so"))")
  }

  @Test(arguments: ["/usr/lib/libx.so", "../lib.so", "sub/../../lib.so", ""])
  func librariesThatLeaveTheirManifest(_ path: String) throws {
    plug("a")
    tree.write("plugins/a/a.meridian.json", manifest(libraries: [("linux-test", "baseline", path)]))
    try expectRefusal(.libraryLeavesManifest, "must be relative to the manifest and stay beside it")
  }

  @Test func aLibraryThatLeavesItsManifestByALink() throws {
    tree.write("plugins/other/lib.so", "")
    tree.write("plugins/a/a.meridian.json", manifest())
    tree.link("plugins/a/lib.so", to: "../other/lib.so")
    try expectRefusal(.libraryLeavesManifest, "out of \(tree("plugins/a"))")
  }

  @Test func aLibraryThatIsNoFile() throws {
    tree.write("plugins/a.meridian.json", manifest())
    tree.directory("plugins/lib.so")
    try expectRefusal(.notAbsoluteRegular, "not a regular file")
  }

  @Test func aManifestThatIsAPipeIsNotWaitedFor() throws {
    tree.directory("plugins")
    mkfifo(tree("plugins/a.meridian.json"), 0o644)
    try expectRefusal(.io, "not a regular file")
  }

  @Test func malformedManifest() throws {
    plug("a", "{\n  \"id\": }")
    try expectRefusal(.malformedManifest, "line 2, column 9: expected a value")
  }

  @Test func newerManifest() throws {
    plug("a", manifest(version: 2))
    try expectRefusal(.newerManifest, "manifest_version 2")
  }

  @Test func wrongPlatform() throws {
    plug("a", manifest(libraries: [("other-cpu", "baseline", "lib.so")]))
    try expectRefusal(.wrongPlatform, "no library for linux-test; there are other-cpu")
  }

  @Test func wrongABI() throws {
    plug("a", manifest(abi: "0.2"))
    try expectRefusal(.wrongABI, "test.alpha needs ABI 0.2, this host speaks 0.1")
  }

  @Test func theBestLevelWinsAndCanBeForced() throws {
    let levels = ["baseline", "x86-64-v3", "x86-64-v4"]
    plug("a", manifest(libraries: levels.map { ("linux-test", $0, "\($0).so") }))
    for level in levels { tree.write("plugins/a/\(level).so", "") }
    #expect(try host().kernels.map(\.cpuLevel) == ["x86-64-v3"])
    #expect(try host(.none(["MERIDIAN_CPU_LEVEL": "baseline"])).kernels.map(\.cpuLevel) == ["baseline"])
    // An empty value is none.
    #expect(try host(.none(["MERIDIAN_CPU_LEVEL": ""])).kernels.map(\.cpuLevel) == ["x86-64-v3"])
    var options = Host.Options()
    options.paths = [tree("plugins")]
    options.cpuLevel = "baseline"
    #expect(try Host(options, in: .none(["MERIDIAN_CPU_LEVEL": "x86-64-v3"])).kernels.map(\.cpuLevel) == ["baseline"])
    // A level whose library is refused is noted, and the next one is taken.
    chmod(tree("plugins/a/x86-64-v3.so"), 0o666)
    let host = try host()
    #expect(host.kernels.map(\.cpuLevel) == ["baseline"])
    #expect(host.reasons == [.writableByOthers, .accepted])
  }

  @Test func levels() throws {
    plug("a", manifest(libraries: [("linux-test", "x86-64-v4", "lib.so")]))
    try expectRefusal(.cpuLevel, "no library for CPU levels x86-64-v3, baseline; there are x86-64-v4")
    for level in ["x86-64-v4", "pentium"] {
      let error = #expect(throws: MeridianError.self) { _ = try host(.none(["MERIDIAN_CPU_LEVEL": level])) }
      #expect(error?.status == .argument)
    }
    #expect(Machine.current.levels.last == "baseline")
    #expect(Set(Machine.current.levels).isSubset(of: Machine.knownLevels))
  }

  @Test func theFirstOfAnIdWinsAndShadowedOnesAreReported() throws {
    plug("b")
    plug("a")
    tree.write("more/z.meridian.json", manifest())
    tree.write("more/lib.so", "")
    let host = try Host(searching: [tree("plugins"), tree("more"), tree("plugins/../plugins")])
    #expect(host.kernels.map(\.manifest) == [tree("plugins/a/a.meridian.json")])
    #expect(host.reasons == [.accepted, .shadowed, .shadowed])
    #expect(host.diagnostics[1].path == tree("plugins/b/b.meridian.json"))
    #expect(host.diagnostics[2].message.contains(tree("plugins/a/a.meridian.json")))
  }

  @Test func kernelsComeInTheDefaultOrder() throws {
    for id in ["zeta", "meridian.sqlite", "meridian.native", "alpha", "meridian.geos", "meridian.proj"] {
      plug(id, manifest(id: id))
    }
    #expect(
      try host().kernels.map(\.id) == [
        "meridian.native", "meridian.proj", "meridian.geos", "meridian.sqlite", "alpha", "zeta",
      ])
  }

  @Test func aManifestFileMayBeGivenItself() throws {
    plug("a")
    #expect(try Host(searching: [tree("plugins/a/a.meridian.json")]).kernels.map(\.id) == ["test.alpha"])
  }

  @Test func theSearchOrder() throws {
    var surroundings = Surroundings.none([
      "MERIDIAN_PLUGIN_PATH": "/m1:/m2", "XDG_DATA_HOME": "/data", "HOME": "/home/u",
    ])
    surroundings.ownDirectories = ["/opt/m/bin"]
    surroundings.systemDirectories = ["/sys"]
    var options = Host.Options()
    options.paths = ["/explicit"]
    func paths() -> [String] { SearchPath(options, surroundings).entries.map(\.path) }
    let own = ["/opt/m/lib/meridian/plugins", "/opt/m/bin/meridian/plugins", "/opt/m/bin/plugins", "/sys"]
    #expect(paths() == ["/explicit", "/m1", "/m2", "/data/meridian/plugins"] + own)
    options.readsEnvironment = false
    #expect(paths() == ["/explicit", "/data/meridian/plugins"] + own)
    options.discovers = false
    #expect(paths() == ["/explicit"])
    options = Host.Options()
    surroundings.variable = { ["HOME": "/home/u", "XDG_DATA_HOME": "relative"][$0] }
    #expect(paths().first == "/home/u/.local/share/meridian/plugins")
    surroundings.variable = { ["MERIDIAN_PLUGIN_ONLY": "/only", "MERIDIAN_PLUGIN_PATH": "/m1"][$0] }
    options.paths = ["/explicit"]
    #expect(paths() == ["/only"])
  }

  /// What restricts is not lifted by an empty value: no directory is searched, no library is loaded without its pin.
  @Test func emptyVariablesThatRestrict() throws {
    plug("a")
    let host = try self.host(.none(["MERIDIAN_PLUGIN_ONLY": ""]))
    #expect(host.kernels.isEmpty)
    #expect(host.reasons == [.relativePath])
    #expect(throws: MeridianError.self) { _ = try self.host(.none(["MERIDIAN_PIN_FILE": ""])) }
    #expect(try self.host(.none(["MERIDIAN_KERNEL": ""])).kernels.count == 1)
  }

  /// A home directory that nobody can enter takes plug-ins and rules of the user away, and nothing else.
  @Test func aHomeThatCannotBeEnteredIsNoted() throws {
    plug("a")
    tree.write("file", "")
    tree.link("loop", to: tree("loop"))
    tree.directory("closed")
    chmod(tree("closed"), 0)
    defer { chmod(tree("closed"), 0o700) }
    // Root enters every directory.
    let homes = [("file", false), ("loop", true)] + (geteuid() == 0 ? [] : [("closed", true)])
    for (home, isNoted) in homes {
      for variable in ["HOME", "XDG_CONFIG_HOME"] {
        let host = try self.host(.none([variable: tree(home)]))
        #expect(host.kernels.map(\.id) == ["test.alpha"])
        #expect(host.diagnostics.contains { $0.reason == .io && $0.message.contains("user configuration") } == isNoted)
      }
    }
    // What is there and cannot be read is an error: the rules in it would be passed over.
    tree.directory("home/.config/meridian/config")
    let error = #expect(throws: MeridianError.self) { _ = try self.host(.none(["HOME": tree("home")])) }
    #expect(error?.message.contains("not a regular file") == true)
  }

  @Test func privilegedProcessesIgnoreEnvironmentAndUser() throws {
    plug("a")
    var surroundings = Surroundings.none([
      "MERIDIAN_PLUGIN_PATH": tree("plugins"), "MERIDIAN_PLUGIN_ONLY": tree("plugins"), "XDG_DATA_HOME": tree("data"),
      "MERIDIAN_KERNEL": "nonsense", "MERIDIAN_CPU_LEVEL": "nonsense", "MERIDIAN_PIN_FILE": "nonsense",
    ])
    surroundings.isPrivileged = true
    let host = try Host(Host.Options(), in: surroundings)
    #expect(host.kernels.isEmpty)
    #expect(host.reasons == [.privilegedProcess])
  }

  @Test func reasonsHaveTheNamesOfTheHeader() {
    #expect(Reason.accepted.name == "ACCEPTED")
    #expect(Reason.wrongChecksum.name == "WRONG_CHECKSUM")
    #expect(Reason(rawValue: MRD_REASON_NOT_ABSOLUTE_REGULAR).name == "NOT_ABSOLUTE_REGULAR")
    #expect(Reason.names.count == Int(MRD_REASON_NOT_ABSOLUTE_REGULAR) + 1)
    #expect(Reason(rawValue: 99).staticName == nil)
    #expect(Reason(rawValue: -1).name == "REASON_-1")
  }
}
