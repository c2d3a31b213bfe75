// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// One expected number: `12.5~0.001` (value and largest difference), `<=3`, `>3`, or `_` where nothing is said.
enum Expectation {
  case any
  case value(Double, tolerance: Double)
  case atMost(Double)
  case above(Double)

  init(_ word: Substring) throws {
    func number(_ text: Substring) throws -> Double { try #require(Double(text), "\(word)") }
    if word == "_" {
      self = .any
    } else if word.hasPrefix("<=") {
      self = .atMost(try number(word.dropFirst(2)))
    } else if word.hasPrefix(">") {
      self = .above(try number(word.dropFirst()))
    } else {
      let parts = word.split(separator: "~")
      try #require(parts.count == 2, "a number without its tolerance: \(word)")
      self = .value(try number(parts[0]), tolerance: try number(parts[1]))
    }
  }

  static func list(_ text: String) throws -> [Expectation] { try text.split(separator: " ").map(Expectation.init) }

  /// `isAngle`: degrees, equal modulo 360.
  func isMet(by number: Double, isAngle: Bool = false) -> Bool {
    switch self {
    case .any: return true
    case .atMost(let bound): return number <= bound
    case .above(let bound): return number > bound
    case .value(let value, let tolerance):
      let difference = number - value
      return abs(isAngle ? difference.remainder(dividingBy: 360) : difference) <= tolerance
    }
  }
}
