// SPDX-License-Identifier: Apache-2.0
import CBench
import CPlatform

/// How text is set.
package struct TextStyle: Equatable, Sendable {
  /// Columns of a line, at least 40; only a word that is longer goes beyond.
  package var width: Int
  /// True = escape sequences of a terminal mark headings and verdicts.
  package var isColoured: Bool

  package init(width: Int, isColoured: Bool) {
    self.width = max(40, width)
    self.isColoured = isColoured
  }

  /// For files and pipes: 80 columns, no colours.
  package static let plain = TextStyle(width: 80, isColoured: false)

  /// What suits a file descriptor: the width and colours of a terminal, unless the environment has NO_COLOR or a dumb
  /// terminal; else `plain`.
  package static func suiting(descriptor: Int32) -> TextStyle {
    guard isatty(descriptor) == 1 else { return plain }
    let columns = Int(mrdb_terminal_columns(descriptor))
    let isDumb = variable("TERM").map { $0 == "dumb" } ?? true
    return TextStyle(width: columns > 0 ? columns : 80, isColoured: variable("NO_COLOR") == nil && !isDumb)
  }

  /// A variable of the environment that is set and not empty.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  func heading(_ text: String) -> String { marked(text, "1") }
  func good(_ text: String) -> String { marked(text, "32") }
  func bad(_ text: String) -> String { marked(text, "1;31") }
  func pale(_ text: String) -> String { marked(text, "2") }

  private func marked(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
