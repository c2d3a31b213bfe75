// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A plug-in of Tests/Fixtures, built with clang into a directory of its own, with a manifest beside it. It stays as long
/// as the process: a host loads it when it first needs it.
public struct FixtureLibrary: Sendable {
  public static let id = "org.example.fixture"
  public let directory: URL

  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let sources = package.appending(path: "Tests/Fixtures")
  /// What `fixture.h` offers.
  public static let operations = ["measure.length", "simplify.douglas_peucker"]

  /// Builds `NAME.c`. `dependency`: a second fixture that it is linked to, and that is removed again afterwards.
  public init(
    _ name: String, removedDependency dependency: String? = nil, operations: [String] = Self.operations
  ) throws {
    directory = try Self.makeDirectory()
    var libraries: [String] = []
    if let dependency {
      let path = directory.appending(path: "lib\(dependency).so").path
      try Self.compile(dependency, to: path, ["-Wl,-soname,lib\(dependency).so"])
      libraries = [path]
    }
    try Self.compile(name, to: directory.appending(path: "libfixture.so").path, libraries)
    for path in libraries { try FileManager.default.removeItem(atPath: path) }
    try writeManifest(operations)
  }

  /// A file of any content where the library should be.
  public init(libraryContent: Data) throws {
    directory = try Self.makeDirectory()
    try libraryContent.write(to: directory.appending(path: "libfixture.so"))
    try writeManifest(Self.operations)
  }

  public func library() throws -> Data { try Data(contentsOf: directory.appending(path: "libfixture.so")) }

  /// Holds the directories of this process, and goes with it.
  private static let root: URL = {
    let root = FileManager.default.temporaryDirectory.appending(path: "meridian-fixtures-\(getpid())")
    atexit { try? FileManager.default.removeItem(at: FixtureLibrary.root) }
    return root
  }()

  private static func makeDirectory() throws -> URL {
    let directory = root.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return directory
  }

  private static func compile(_ name: String, to path: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "clang", "-std=c11", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-I",
        package.appending(path: "include").path, "-o", path, sources.appending(path: name + ".c").path,
      ] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  private func writeManifest(_ operations: [String]) throws {
    let list = operations.map { "\"\($0)\"" }.joined(separator: ", ")
    let text = """
      {
        "manifest_version": 1,
        "id": "\(Self.id)",
        "name": "A fixture",
        "version": "1.0.0",
        "license": "Apache-2.0",
        "abi": "0.1",
        "operations": [\(list)],
        "libraries": [
          {"platform": "linux-x86_64", "path": "libfixture.so"},
          {"platform": "linux-aarch64", "path": "libfixture.so"}
        ]
      }
      """
    try text.write(to: directory.appending(path: "fixture.meridian.json"), atomically: false, encoding: .utf8)
  }
}
