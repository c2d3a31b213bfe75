// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Meridian

@Suite struct ManifestTests {
  private func read(_ text: String) throws -> Manifest { try Manifest.read(Array(text.utf8)) }

  @Test func membersAreRead() throws {
    let read = try read(
      manifest(
        id: "org.example.fast", libraries: [("linux-x86_64", "x86-64-v3", "v3.so"), ("macos-arm64", "arm64", "m")]))
    #expect(read.id == "org.example.fast")
    #expect(read.shortID == "fast")
    #expect(read.version == "1.2")
    #expect(read.license == "MIT")
    #expect(read.abi == 1)
    #expect(read.operations == ["measure.area"])
    #expect(
      read.libraries == [
        Manifest.Library(platform: "linux-x86_64", cpuLevel: "x86-64-v3", path: "v3.so"),
        Manifest.Library(platform: "macos-arm64", cpuLevel: "arm64", path: "m"),
      ])
  }

  @Test func optionalMembers() throws {
    let text = manifest().replacing(
      "\"later_key\"", with: "\"short_id\": \"quick\", \"requires\": \"libgeos-c1v5\", \"later_key\"")
    #expect(try read(text).shortID == "quick")
    #expect(try read(text).requires == "libgeos-c1v5")
    let withoutLevel = manifest().replacing("\"cpu\": \"baseline\", ", with: "")
    #expect(try read(withoutLevel).libraries.first?.cpuLevel == "baseline")
  }

  @Test(arguments: [
    ("\"id\": \"test.alpha\",", "", "id is missing"),
    ("\"id\": \"test.alpha\"", "\"id\": \"a b\"", "id must be of letters"),
    ("\"id\": \"test.alpha\"", "\"id\": \"\"", "id must be of letters"),
    ("\"id\": \"test.alpha\"", "\"id\": 5", "id must be a text"),
    ("\"name\": \"Test\"", "\"name\": \"a\\u0000b\"", "without NUL"),
    ("\"abi\": \"0.1\"", "\"abi\": \"0.1.2\"", "abi must be a text such as"),
    ("\"abi\": \"0.1\"", "\"abi\": \"-1.1\"", "abi must be a text such as"),
    ("\"abi\": \"0.1\"", "\"abi\": \"0.99999\"", "abi must be a text such as"),
    ("\"manifest_version\": 1", "\"manifest_version\": 1.5", "whole number"),
    ("\"manifest_version\": 1", "\"manifest_version\": 0", "at least 1"),
    ("\"manifest_version\": 1", "\"manifest_version\": \"1\"", "whole number"),
    ("[\"measure.area\"]", "{}", "operations must be a list"),
    ("[\"measure.area\"]", "[7]", "operations must be a text"),
    ("\"path\": \"lib.so\"", "\"file\": \"lib.so\"", "libraries[0]: path is missing"),
    ("\"libraries\": [{", "\"libraries\": [3, {", "libraries[0]: must be an object"),
  ])
  func malformedMembersAreExplained(_ old: String, _ new: String, _ reason: String) throws {
    let text = manifest().replacing(old, with: new)
    #expect(text != manifest())
    let error = #expect(throws: ManifestError.self) { _ = try read(text) }
    #expect(error?.reason == .malformedManifest)
    #expect(error?.message.hasPrefix("line ") == true)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func aNewerVersionIsRefusedWhateverElseItHas() throws {
    let error = #expect(throws: ManifestError.self) { _ = try read("{\"manifest_version\": 2}") }
    #expect(error?.reason == .newerManifest)
    #expect(throws: ManifestError.self) { _ = try read("[]") }
  }
}
