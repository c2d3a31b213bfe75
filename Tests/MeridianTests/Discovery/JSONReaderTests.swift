// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Meridian

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSON.Content { try JSONReader.read(Array(text.utf8)).content }

  @Test func valuesOfAllKinds() throws {
    guard case .object(let members) = try read(" {\"a\": [1, -0.5e+1, true, false, null], \"b\": {}, \"c\": [ ]}\n")
    else {
      Issue.record("not an object")
      return
    }
    #expect(members.map(\.key) == ["a", "b", "c"])
    guard case .array(let items) = members[0].value.content else {
      Issue.record("not an array")
      return
    }
    #expect(items.map(\.content) == [.number(1), .number(-5), .bool(true), .bool(false), .null])
    #expect(members[1].value.content == .object([]))
    #expect(members[2].value.content == .array([]))
  }

  @Test func stringsAndEscapes() throws {
    #expect(try read(#""\"\\\/\b\f\n\r\t""#) == .string("\"\\/\u{8}\u{c}\n\r\t"))
    #expect(try read(#""\u0041\u00e9\u20AC\ud83d\uDE00""#) == .string("Aé€😀"))
    #expect(try read(#""é€😀""#) == .string("é€😀"))
    #expect(try read(#""\u0000""#) == .string("\0"))
  }

  @Test(arguments: [
    ("", 1, 1, "the text ends"), ("  \n ", 2, 2, "the text ends"), ("{", 1, 2, "expected a key"),
    ("{\"a\"}", 1, 5, "expected ':'"), ("{\"a\":1,}", 1, 8, "expected a key"),
    ("{\"a\":1 \"b\":2}", 1, 8, "expected ','"),
    ("{a:1}", 1, 2, "expected a key"), ("[1,]", 1, 4, "expected a value"), ("[1 2]", 1, 4, "expected ','"),
    ("[1", 1, 3, "expected ','"), ("{\"a\":1,\n \"a\":2}", 2, 2, "there twice"), ("[1] x", 1, 5, "after the end"),
    ("\"abc", 1, 1, "does not end"), ("\"a\nb\"", 1, 3, "control character"), ("\"\\x\"", 1, 2, "unknown escape"),
    ("\"\\u12\"", 1, 2, "hexadecimal"), ("\"\\ud800\"", 1, 2, "high surrogate"),
    ("\"\\ud800\\u0041\"", 1, 2, "high surrogate"),
    ("\"\\udc00\"", 1, 2, "low surrogate"), ("\"\\", 1, 2, "unknown escape"), ("01", 1, 2, "after the end"),
    ("-", 1, 2, "expected a digit"), ("1.", 1, 3, "expected a digit"), ("1e", 1, 3, "expected a digit"),
    (".5", 1, 1, "expected a value"), ("+1", 1, 1, "expected a value"), ("1e400", 1, 1, "out of range"),
    ("NaN", 1, 1, "expected a value"), ("nul", 1, 1, "expected a value"), ("\u{feff}{}", 1, 1, "byte order mark"),
    ("[\"é\", x]", 1, 7, "expected a value"), ("/* c */ {}", 1, 1, "expected a value"),
  ])
  func malformedTextIsRefusedAtItsPlace(_ text: String, _ line: Int, _ column: Int, _ reason: String) {
    let error = #expect(throws: JSONError.self) { _ = try read(text) }
    #expect(error?.position == JSON.Position(line: line, column: column), "\(text)")
    #expect(error?.reason.contains(reason) == true, "\(text): \(error?.reason ?? "")")
  }

  @Test(
    arguments: [[0xff], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0x80, 0x22]] as [[UInt8]])
  func textThatIsNotUTF8IsRefused(_ bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) { _ = try JSONReader.read(bytes) }
    #expect(error?.reason == "not well-formed UTF-8")
  }

  @Test func limits() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try read(nested(JSONReader.maximumDepth + 1))
    let deep = #expect(throws: JSONError.self) { _ = try read(nested(JSONReader.maximumDepth + 2)) }
    #expect(deep?.reason.contains("nested deeper") == true)
    // A hundred thousand levels must not reach the end of the stack either.
    #expect(throws: JSONError.self) { _ = try read(String(repeating: "[{\"a\":", count: 100_000)) }
    let long = #expect(throws: JSONError.self) {
      _ = try read(String(repeating: " ", count: JSONReader.maximumSize + 1))
    }
    #expect(long?.reason.contains("longer than") == true)
    let keys = "{" + (0...JSONReader.maximumMembers).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
    let many = #expect(throws: JSONError.self) { _ = try read(keys) }
    #expect(many?.reason.contains("more than 1000 keys") == true)
  }

  @Test func damagedManifestsNeverCrashAndErrorsPointInside() {
    let seed = testSeed()
    var generator = SplitMix(state: seed)
    let original = Array(manifest().utf8)
    for round in 0..<3000 {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &generator) {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: at)
        default: bytes.insert(Array("{}[]\",:\\u0e-".utf8).randomElement(using: &generator) ?? 0, at: at)
        }
      }
      do {
        _ = try JSONReader.read(bytes)
      } catch {
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        let inside =
          error.position.line <= lines.count
          && error.position.column <= lines[error.position.line - 1].count + 2
        #expect(inside, "seed \(seed), round \(round): \(error.message)")
      }
    }
  }
}

/// A generator whose seed is printed when a test fails.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
