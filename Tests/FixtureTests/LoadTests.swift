// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import Testing

/// Plug-ins that cannot be loaded: each gets its reason code and its words, listing them is no error, and the host goes
/// on without them.
@Suite struct LoadTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let fixture: String
    let reason: Reason
    /// A part of the message.
    let words: String
    var testDescription: String { fixture }

    init(_ fixture: String, _ reason: Reason, _ words: String) {
      self.fixture = fixture
      self.reason = reason
      self.words = words
    }
  }

  static let cases = [
    Case("wrong_abi", .wrongABI, "7.0"),
    Case("no_entry", .noEntry, "mrd_plugin_entry_v1"),
    Case("truncated_plugin", .badTable, "16"),
    Case("truncated_family", .badTable, "meridian.measure/1"),
    Case("wrong_id", .badTable, "org.example.somebody_else"),
    Case("refuses", .refused, "the license server is on holiday"),
    Case("init_fails", .initFailed, "the table of sines is empty"),
    Case("no_info", .badTable, "info"),
    Case("no_get_family", .badTable, "get_family"),
  ]

  @Test(arguments: cases)
  func refusedWithItsReason(_ expected: Case) throws {
    try expectFailure(of: FixturePlugin(expected.fixture), expected.reason, expected.words)
  }

  @Test func missingDependencyIsNamed() throws {
    let plugin = try FixturePlugin("missing_dependency", removedDependency: "dependency")
    try expectFailure(of: plugin, .loadFailed, "libdependency.so")
  }

  @Test(arguments: ["", "\u{7F}ELF", "this is no library\n"])
  func fileThatIsNoLibrary(_ content: String) throws {
    try expectFailure(of: FixturePlugin(libraryContent: Data(content.utf8)), .loadFailed, "libfixture.so")
  }

  /// Loading one of these would end the process.
  @Test func libraryThatWasCutShort() throws {
    let whole = try FixturePlugin("behaves").library()
    for count in stride(from: 64, to: whole.count / 2, by: 512) {
      try expectFailure(of: FixturePlugin(libraryContent: whole.prefix(count)), .loadFailed, "libfixture.so")
    }
  }

  @Test func whatBehavesLoads() throws {
    let plugin = try FixturePlugin("behaves")
    let host = try plugin.host()
    #expect(host.kernels.map(\.isLoaded) == [false])
    let operation = try #require(Operation.all.first { $0.fullName == "measure.length" })
    _ = try host.info(kernel: FixturePlugin.id, operation: operation)
    #expect(host.kernels.map(\.isLoaded) == [true])
  }

  /// An operation that the manifest names and the plug-in does not know is an error that says so.
  @Test func infoThatDeclines() throws {
    let plugin = try FixturePlugin("info_declines")
    let host = try plugin.host()
    let operation = try #require(Operation.all.first { $0.fullName == "measure.length" })
    let error = try #require(throws: MeridianError.self) {
      _ = try host.info(kernel: FixturePlugin.id, operation: operation)
    }
    #expect(error.status == .notFound)
  }

  private func expectFailure(of plugin: FixturePlugin, _ reason: Reason, _ words: String) throws {
    let host = try plugin.host()
    #expect(host.kernels.map(\.id) == [FixturePlugin.id])
    let operation = try #require(Operation.all.first { $0.fullName == "measure.length" })
    // Twice: a failure is kept, and the second attempt is as good as the first.
    for _ in 0..<2 {
      let error = try #require(throws: MeridianError.self) {
        _ = try host.info(kernel: FixturePlugin.id, operation: operation)
      }
      #expect(error.message.contains(words), "\(error.message)")
    }
    let failures = host.diagnostics.filter { $0.reason != .accepted }
    #expect(failures.map(\.reason.name) == [reason.name])
    #expect(failures.first?.message.contains(words) == true, "\(failures)")
    #expect(host.kernels.map(\.isLoaded) == [false])
  }
}
