// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI
import Testing

/// Plug-ins that load and then misbehave in a call: each gives its error, never a crash and never a wrong answer that
/// could have been seen.
@Suite struct CallTests {
  /// Three lines of 2, 3 and 4 coordinates.
  private static func lines() throws -> GeometrySet {
    var builder = GeometryBuilder()
    for count in 2...4 {
      try builder.begin(.lineString, .xy)
      for at in 0..<count { builder.add(Double(at), Double(count)) }
      try builder.end()
    }
    return try builder.finish()
  }

  private static let tolerances = SimplifyOptions(tolerances: [0])

  @Test func whatBehavesAnswers() throws {
    let plugin = try FixturePlugin("behaves")
    let host = try plugin.host()
    let measured = try host.measure(.length, Self.lines())
    #expect(measured.columns == [[2, 3, 4]])
    #expect(measured.answers.kernels == FixturePlugin.id)
    let simplified = try host.simplify(.douglasPeucker, Self.lines(), options: Self.tolerances)
    #expect(try host.measure(.length, simplified.set).columns == [[2, 3, 4]])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let fixture: String
    let status: Status
    /// A part of the message.
    let words: String
    var testDescription: String { fixture }

    init(_ fixture: String, _ status: Status, _ words: String) {
      self.fixture = fixture
      self.status = status
      self.words = words
    }
  }

  static let measures = [
    Case("returns_error", .init(rawValue: MRD_E_LIMIT), "row 1 is too long for me"),
    Case("returns_unknown_status", .init(rawValue: 4711), "4711"),
    Case("unterminated_message", .internalError, "xxxx"),
    Case("error_row_out_of_range", .internalError, "somewhere far away"),
    Case("writes_past_column", .internalError, "past the end"),
    Case("writes_past_row_statuses", .internalError, "past the end"),
  ]

  @Test(arguments: measures)
  func measureFails(_ expected: Case) throws {
    let plugin = try FixturePlugin(expected.fixture)
    let host = try plugin.host()
    let error = try #require(throws: MeridianError.self) {
      _ = try host.measure(.length, Self.lines())
    }
    #expect(error.status == expected.status, "\(error)")
    #expect(error.message.contains(expected.words), "\(error)")
    #expect(error.message.contains(FixturePlugin.id), "\(error)")
  }

  /// The row that an error blames is the set's row, or none.
  @Test func errorsNameARowOfTheSet() throws {
    let set = try Self.lines()
    let named = try #require(throws: MeridianError.self) {
      _ = try FixturePlugin("returns_error").host().measure(.length, set)
    }
    #expect(named.row == 1)
    let strange = try #require(throws: MeridianError.self) {
      _ = try FixturePlugin("error_row_out_of_range").host().measure(.length, set)
    }
    #expect(strange.row.map { $0 < set.count } ?? true)
  }

  static let simplifications = [
    Case("writes_past_buffer", .internalError, "past the end"),
    Case("grows_nothing", .internalError, "offsets"),
    Case("lies_about_length", .internalError, "1003 rows"),
    Case("negative_length", .internalError, "-1 rows"),
    Case("unknown_type", .internalError, "type 77"),
    Case("missing_dimension", .internalError, "dimension"),
    Case("offsets_run_backward", .internalError, "offsets"),
    Case("offsets_too_large", .internalError, "1000009"),
  ]

  @Test(arguments: simplifications)
  func simplifyFails(_ expected: Case) throws {
    let plugin = try FixturePlugin(expected.fixture)
    let host = try plugin.host()
    let error = try #require(throws: MeridianError.self) {
      _ = try host.simplify(.douglasPeucker, Self.lines(), options: Self.tolerances)
    }
    #expect(error.status == expected.status, "\(error)")
    #expect(error.message.contains(expected.words), "\(error)")
    #expect(error.message.contains(FixturePlugin.id), "\(error)")
  }

  /// These test the host with their own eyes and answer an error when it gives way.
  @Test(arguments: ["misuses_grow", "misuses_scratch"])
  func impossibleRequestsForMemoryAreDenied(_ fixture: String) throws {
    let plugin = try FixturePlugin(fixture)
    let measured = try plugin.host().measure(.length, Self.lines())
    #expect(measured.columns == [[1, 1, 1]])
  }

  @Test func kernelThatIgnoresCancelIsCancelledAllTheSame() throws {
    let plugin = try FixturePlugin("ignores_cancel")
    let host = try plugin.host()
    let stop = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    defer { stop.deallocate() }
    stop.initialize(to: 1)
    let error = try #require(throws: MeridianError.self) {
      _ = try host.measure(.length, Self.lines(), run: Run(cancel: UnsafePointer(stop)))
    }
    #expect(error.status == .cancelled)
  }

  @Test func unknownRowStatusesAreKept() throws {
    let plugin = try FixturePlugin("row_status_out_of_range")
    let measured = try plugin.host().measure(.length, Self.lines())
    #expect(measured.statuses[1].code.rawValue == 0xff)
    #expect(!measured.statuses[1].hasResult)
    #expect(measured.statuses.allSatisfy { !$0.name.isEmpty })
  }

  @Test func operationWithoutAFunction() throws {
    let plugin = try FixturePlugin("no_kernel")
    let host = try plugin.host()
    #expect(throws: MeridianError.self) { try host.measure(.length, Self.lines()) }
    #expect(throws: MeridianError.self) {
      try host.simplify(.douglasPeucker, Self.lines(), options: Self.tolerances)
    }
  }
}
