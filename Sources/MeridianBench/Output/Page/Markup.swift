// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

/// HTML and SVG. Written as a literal; every string that is put into one is escaped, so that no name of a kernel or a
/// file becomes markup, in text and in quoted attributes alike.
struct Markup: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }
  init(_ parts: [Markup], separator: String = "") { text = parts.map(\.text).joined(separator: separator) }

  static func += (left: inout Markup, right: Markup) { left.text += right.text }
  static func + (left: Markup, right: Markup) -> Markup { Markup([left, right]) }

  var isEmpty: Bool { text.isEmpty }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { text += part.text } }
    mutating func appendInterpolation(_ words: String) { text += escapedMarkup(words) }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// A length or a place in a plot, to hundredths.
    mutating func appendInterpolation(_ number: Double) { text += Markup.coordinate(number) }
  }

  /// Words that may be broken behind each slash.
  init(breaking words: String) {
    text = words.split(separator: "/", omittingEmptySubsequences: false).map { escapedMarkup(String($0)) }
      .joined(separator: "/<wbr/>")
  }

  static func coordinate(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e9 else { return "0" }
    let hundredths = Int((number * 100).rounded())
    let text = (Double(hundredths) / 100).description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
