// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackageDescription

/// Comparing and hashing strings in Embedded Swift needs the toolchain's Unicode tables, a static library that the driver
/// does not look for by itself. It lies beside the library that this manifest runs on: <toolchain>/usr/lib/swift/pm/
/// ManifestAPI/libPackageDescription.so.
let unicodeTables: [String] = {
  guard let maps = fopen("/proc/self/maps", "r") else { return [] }
  defer { fclose(maps) }
  var line = [CChar](repeating: 0, count: 4096)
  while fgets(&line, Int32(line.count), maps) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let start = text.firstIndex(of: "/"), let end = text.range(of: "/pm/ManifestAPI/libPackageDescription") else {
      continue
    }
    #if arch(arm64)
      let triple = "aarch64-unknown-linux-gnu"
    #else
      let triple = "x86_64-unknown-linux-gnu"
    #endif
    return ["-Xlinker", "-L\(text[start..<end.lowerBound])/embedded/\(triple)", "-Xlinker", "-lswiftUnicodeDataTables"]
  }
  return []
}()

// Adapters that the build leaves out: MERIDIAN_WITHOUT=geos,proj,sqlite. File checks would be cached and go stale;
// environment variables are part of the manifest's cache key.
let without = Set((Context.environment["MERIDIAN_WITHOUT"] ?? "").split(separator: ",").map(String.init))
let hasSQLite = !without.contains("sqlite")

// Kernels and the embeddable host are built in Embedded Swift: libc and libm alone, no Swift runtime in the process.
// -fno-math-errno makes square roots one instruction; -ffp-contract=off keeps C helpers from fusing a*b+c, which
// would flip the sign of predicates.
let embedded: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded"),
  .unsafeFlags(["-wmo", "-Xcc", "-fno-math-errno", "-Xcc", "-ffp-contract=off"]),
]

/// Linker settings of a plug-in: one exported symbol, everything else hidden.
func plugin(_ libraries: String...) -> [LinkerSetting] {
  [
    .unsafeFlags(["-use-ld=lld", "-Xlinker", "--version-script=Plugins/exports.map"]
    ), .linkedLibrary("m"),
  ]
    + libraries.map { .linkedLibrary($0) }
}

/// The native kernels, once more for a CPU level: a link to the same sources with other flags.
func native(_ name: String, cpu: String, define: String) -> Target {
  .target(
    name: name, dependencies: ["MeridianABI", "KernelKit", "KernelMath"], path: "Plugins/\(name)",
    exclude: ["src/native.meridian.json"],
    swiftSettings: embedded + [.unsafeFlags(["-target-cpu", cpu]), .define(define), .define("MERIDIAN_FMA")],
    linkerSettings: plugin())
}

var products: [Product] = [
  .library(name: "meridian", type: .dynamic, targets: ["MeridianLibrary"]),
  // Never the name of a library: the executable would silently not be built. `make build` installs it as `meridian`.
  .executable(name: "meridian-cli", targets: ["meridian-cli"]),
  .library(name: "MeridianNative", type: .dynamic, targets: ["Native"]),
  .library(name: "MeridianAllocations", type: .dynamic, targets: ["MeridianAllocations"]),
]

var targets: [Target] = [
  .systemLibrary(name: "MeridianABI", path: "include"),
  .target(name: "CPlatform", linkerSettings: [.linkedLibrary("m")]),
  .target(name: "Meridian", dependencies: ["MeridianABI", "CPlatform"], exclude: ["CInterface"]),
  .target(
    name: "MeridianLibrary", dependencies: ["MeridianABI", "CPlatform"], exclude: ["exports.map"],
    swiftSettings: embedded,
    linkerSettings: [
      .unsafeFlags(
        ["-use-ld=lld", "-Xlinker", "--version-script=Sources/MeridianLibrary/exports.map"] + unicodeTables),
      .linkedLibrary("m"),
    ]),
  .target(name: "KernelKit", dependencies: ["MeridianABI"], path: "Plugins/KernelKit", swiftSettings: embedded),
  .systemLibrary(name: "KernelMath", path: "Plugins/KernelMath"),
  .target(
    name: "Native", dependencies: ["MeridianABI", "KernelKit", "KernelMath"], path: "Plugins/Native",
    exclude: ["native.meridian.json"], swiftSettings: embedded, linkerSettings: plugin()),
  // simdjson 3 comes as a shared library with C++ headers; this target gives its on-demand parser a C face.
  .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
  // GeoPackage needs SQLite; the code that names it stands behind MERIDIAN_SQLITE.
  .target(
    name: "MeridianIO", dependencies: ["Meridian", "CPlatform", "CSimdjson"] + (hasSQLite ? ["CSQLite"] : []),
    exclude: hasSQLite ? [] : ["GeoPackage"], swiftSettings: hasSQLite ? [.define("MERIDIAN_SQLITE")] : []),
  // Processes and the memory that they share, for kernels that run apart.
  .target(name: "CIsolation"),
  .target(name: "MeridianJobs", dependencies: ["Meridian", "MeridianIO", "CPlatform", "CIsolation"]),
  // What the harness reads of the system: the clock, counters of the processor, memory.
  .target(name: "CBench", cSettings: [.headerSearchPath("../../include")]),
  // Counts allocations when it is preloaded. It is C alone: linked as Embedded Swift, or it would need the Swift runtime.
  .target(
    name: "MeridianAllocations",
    linkerSettings: [.unsafeFlags(["-enable-experimental-feature", "Embedded", "-use-ld=lld"])]),
  .target(
    name: "MeridianBench",
    dependencies: ["Meridian", "MeridianABI", "MeridianIO", "MeridianJobs", "CPlatform", "CBench"]),
  .executableTarget(
    name: "meridian-cli", dependencies: ["Meridian", "MeridianIO", "MeridianJobs", "MeridianBench", "CPlatform"]),
  .testTarget(
    name: "MeridianIOTests", dependencies: ["MeridianIO", "Meridian", "TestSupport"] + (hasSQLite ? ["CSQLite"] : []),
    exclude: ["Data"], swiftSettings: hasSQLite ? [.define("MERIDIAN_SQLITE")] : []),
  .testTarget(
    name: "BenchTests",
    dependencies: [
      "MeridianBench", "Meridian", "MeridianABI", "MeridianIO", "MeridianJobs", "CPlatform", "CBench", "TestSupport",
    ], exclude: ["Output/check_page.py", "Data"]),
  .testTarget(
    name: "CommandTests",
    dependencies: ["meridian-cli", "Meridian", "MeridianIO", "MeridianJobs", "CPlatform", "TestSupport"],
    exclude: ["check_findings_page.py", "check_sarif.py", "kill_at_call.c"],
    swiftSettings: hasSQLite ? [.define("MERIDIAN_SQLITE")] : []),
  // Facts of Tests/Data and agreement of kernels, through the host with every plug-in that was built.
  .testTarget(name: "CaseTests", dependencies: ["Meridian", "MeridianABI", "MeridianIO", "TestSupport"]),
  .testTarget(name: "MeridianTests", dependencies: ["Meridian", "MeridianABI", "CPlatform", "TestSupport"]),
  .testTarget(name: "FixtureTests", dependencies: ["Meridian", "MeridianABI", "TestSupport"]),
  .testTarget(name: "AuthorGuideTests", dependencies: ["Meridian", "MeridianABI"]),
  .testTarget(name: "ABITests", dependencies: ["MeridianABI"], exclude: ["test_abi.py", "frozen"]),
]

if hasSQLite {
  products.append(.library(name: "MeridianSQLite", type: .dynamic, targets: ["SQLite"]))
  targets += [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "SQLite", dependencies: ["MeridianABI", "KernelKit", "CSQLite"], path: "Plugins/SQLite",
      exclude: ["sqlite.meridian.json"], swiftSettings: embedded, linkerSettings: plugin("sqlite3")),
    .testTarget(name: "SQLiteTests", dependencies: ["MeridianABI", "CSQLite"]),
  ]
}

if !without.contains("geos") {
  products.append(.library(name: "MeridianGEOS", type: .dynamic, targets: ["GEOS"]))
  targets += [
    // GEOS's C API and the bridge from its interrupts to a call's cancel word.
    .target(name: "CGEOS", path: "Plugins/GEOS/CGEOS"),
    .target(
      name: "GEOS", dependencies: ["MeridianABI", "KernelKit", "CGEOS"], path: "Plugins/GEOS",
      exclude: ["CGEOS", "geos.meridian.json"], swiftSettings: embedded, linkerSettings: plugin("geos_c", "stdc++")),
    .testTarget(name: "GEOSTests", dependencies: ["MeridianABI"], exclude: ["Data"]),
  ]
}

// The CPU levels of x86-64; elsewhere the baseline is the only one. The debug tests of `make test` do without them, for each
// takes a minute or two to compile; its release tests have them all.
#if arch(x86_64)
  if Context.environment["MERIDIAN_TESTS"] != "debug" {
    targets += [
      native("NativeV3", cpu: "haswell", define: "MERIDIAN_V3"),
      native("NativeV4", cpu: "skylake-avx512", define: "MERIDIAN_V4"),
    ]
    products += [
      .library(name: "MeridianNativeV3", type: .dynamic, targets: ["NativeV3"]),
      .library(name: "MeridianNativeV4", type: .dynamic, targets: ["NativeV4"]),
    ]
  }
#endif

// What the tests of plug-ins share: loading a built product, small arrays, a guarded call context.
targets += [
  .target(
    name: "TestSupport", dependencies: ["MeridianABI", "CPlatform"] + (hasSQLite ? ["CSQLite"] : []),
    path: "Tests/TestSupport", swiftSettings: hasSQLite ? [.define("MERIDIAN_SQLITE")] : []),
  .testTarget(name: "NativeTests", dependencies: ["TestSupport", "MeridianABI", "CPlatform"], exclude: ["Data"]),
]

if !without.contains("proj") {
  products.append(.library(name: "MeridianPROJ", type: .dynamic, targets: ["PROJ"]))
  targets += [
    .systemLibrary(name: "CPROJ", path: "Plugins/CPROJ"),
    .target(
      name: "PROJ", dependencies: ["MeridianABI", "KernelKit", "KernelMath", "CPROJ"], path: "Plugins/PROJ",
      exclude: ["proj.meridian.json"], swiftSettings: embedded, linkerSettings: plugin("proj")),
    .testTarget(name: "PROJTests", dependencies: ["TestSupport", "MeridianABI"], exclude: ["Data"]),
  ]
}

// `make test-release` takes the modules of `make build` as they are, and adds only the tests that need optimised kernels. Tests
// that look into modules (`@testable`) would have everything compiled once more.
// At the small scale of `make test` optimising the tests takes longer than it saves.
if Context.environment["MERIDIAN_TESTS"] == "release" {
  targets.removeAll { $0.type == .test && !["NativeTests", "CaseTests"].contains($0.name) }
  // They need no command, which `make build` compiles in a way of its own (with Swift's libraries in it).
  let command = ["meridian-cli", "MeridianBench", "MeridianJobs", "CBench", "CIsolation"]
  targets.removeAll { command.contains($0.name) }
  products.removeAll { command.contains($0.name) }
  if Context.environment["MERIDIAN_TEST_SCALE"] == "small" {
    for target in targets where target.type == .test { target.swiftSettings = [.unsafeFlags(["-Onone"])] }
  }
}

let package = Package(name: "meridian", products: products, targets: targets, cxxLanguageStandard: .cxx20)
