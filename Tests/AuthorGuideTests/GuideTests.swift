// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import MeridianABI
import Testing

/// docs/kernel-author-guide.md is true: its listings are the files, its commands build what it says, and the kernels give
/// right answers.
@Suite(.serialized) struct GuideTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The fenced blocks of the guide in one language, in order.
  private static func blocks(_ language: String) throws -> [String] {
    let guide = try String(
      contentsOf: package.appending(path: "docs/kernel-author-guide.md"), encoding: .utf8)
    return guide.components(separatedBy: "\n```" + language + "\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  private static func read(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: [
    ("c", "Examples/kernels/c/haversine.c"), ("swift", "Examples/kernels/swift/Shoelace.swift"),
    ("json", "Examples/kernels/c/org.example.haversine.meridian.json"),
  ])
  func listingIsTheFile(_ language: String, _ path: String) throws {
    let file = try Self.read(path)
    #expect(try Self.blocks(language) == [file])
    #expect(file.split(separator: "\n", omittingEmptySubsequences: false).count <= 100)
  }

  /// Runs the guide's commands as they stand, in a copy of what they need: the tests of other processes are not disturbed.
  private static func build() throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "meridian-guide-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for folder in ["include", "Examples", "scripts"] {
      try FileManager.default.createSymbolicLink(
        at: directory.appending(path: folder), withDestinationURL: package.appending(path: folder))
    }
    let commands = try blocks("sh").joined()
    #expect(commands.contains("clang ") && commands.contains("swiftc "))
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-e", "-c", "umask 022\n" + commands]
    shell.currentDirectoryURL = directory
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    return directory
  }

  @Test func kernelsOfTheGuideAnswer() throws {
    let directory = try Self.build()
    defer { try? FileManager.default.removeItem(at: directory) }
    var options = Meridian.Host.Options()
    options.paths = [directory.appending(path: "build/kernels").path]
    options.discovers = false
    options.readsEnvironment = false
    let host = try Meridian.Host(options)
    #expect(host.kernels.map(\.id).sorted() == ["org.example.haversine", "org.example.shoelace"])
    try expectLengths(host)
    try expectAreas(host)
  }

  /// A quarter of the equator, a quarter of a meridian, over the antimeridian, an empty line, a latitude of 91 degrees.
  private func expectLengths(_ host: Meridian.Host) throws {
    let radius = 6_371_008.771_415
    var builder = GeometryBuilder(
      model: GeometryModel(
        edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, semiMajor: radius, flattening: 0))
    let lines: [[(x: Double, y: Double)]] = [
      [(0, 0), (90, 0)], [(10, 0), (10, 90)], [(179, 0), (-179, 0)], [], [(0, 0), (0, 91)],
    ]
    for line in lines {
      try builder.begin(.lineString, .xy)
      for point in line { builder.add(point.x, point.y) }
      try builder.end()
    }
    try builder.null()
    let measured = try host.measure(.length, builder.finish())
    #expect(measured.answers.kernels == "org.example.haversine")
    let degree = radius * .pi / 180
    let lengths = measured.columns[0]
    #expect(abs(lengths[0] - 90 * degree) < 1e-6)
    #expect(abs(lengths[1] - 90 * degree) < 1e-6)
    #expect(abs(lengths[2] - 2 * degree) < 1e-6)
    #expect(lengths[3] == 0)
    #expect(lengths[4].isNaN && lengths[5].isNaN)
    #expect(measured.statuses.map(\.code) == [.ok, .ok, .ok, .empty, .domain, .null])
  }

  /// A square of 4 x 4 with a hole of 2 x 2, far away; the hole alone; a polygon without rings.
  private func expectAreas(_ host: Meridian.Host) throws {
    let far = 1e7
    func add(_ side: Double, _ corner: Double, to builder: inout GeometryBuilder) throws {
      try builder.ring()
      let corners: [(x: Double, y: Double)] = [(0, 0), (side, 0), (side, side), (0, side), (0, 0)]
      for point in corners { builder.add(far + corner + point.x, corner + point.y) }
    }
    var builder = GeometryBuilder()
    try builder.begin(.polygon, .xy)
    try add(4, 0, to: &builder)
    try add(2, 1, to: &builder)
    try builder.end()
    try builder.begin(.polygon, .xy)
    try add(2, 1, to: &builder)
    try builder.end()
    try builder.begin(.polygon, .xy)
    try builder.end()
    let measured = try host.measure(.area, builder.finish())
    #expect(measured.answers.kernels == "org.example.shoelace")
    #expect(measured.columns == [[12, 4, 0]])
    #expect(measured.statuses.map(\.code) == [.ok, .ok, .empty])
  }
}
