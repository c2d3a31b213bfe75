// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

/// Text that is set in lines of a width.
struct TextBlock {
  let style: TextStyle
  private(set) var text = ""

  init(_ style: TextStyle) { self.style = style }

  mutating func blank() { text += "\n" }

  mutating func heading(_ title: String) {
    for line in Self.wrapped(harmless(title), style.width) { text += style.heading(line) + "\n" }
  }

  /// A paragraph; lines after the first are indented by `hanging` more.
  mutating func paragraph(_ words: String, indent: Int = 0, hanging: Int = 2, _ mark: (String) -> String = { $0 }) {
    let lines = Self.wrapped(harmless(words), style.width - indent - hanging)
    for (index, line) in lines.enumerated() {
      text += String(repeating: " ", count: indent + (index > 0 ? hanging : 0)) + mark(line) + "\n"
    }
  }

  /// A name and a value in two columns.
  mutating func fact(_ name: String, _ value: String, nameWidth: Int) {
    let lines = Self.wrapped(harmless(value), style.width - nameWidth - 2)
    for (index, line) in lines.enumerated() {
      text += Self.padded(index == 0 ? name : "", nameWidth) + "  " + line + "\n"
    }
  }

  /// Lines of at most `width` characters, broken at blanks; a longer word has a line of its own.
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
  }

  static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return right ? blanks + text : text + blanks
  }

  // MARK: - Tables

  /// A table in as many pieces, one above the other, as the width asks for; each piece begins with the first column.
  mutating func table(_ table: Table, _ mark: (_ cell: String) -> String = { $0 }) {
    let columns = table.columns.map { TextColumn($0, widest: style.width / 2) }
    guard let first = columns.first else { return }
    var rest = columns.dropFirst()
    let fits = columns.width <= style.width
    var isFirst = true
    repeat {
      var piece = [first]
      while let next = rest.first,
        piece.count == 1 || ((piece + [next]).width <= style.width && (fits || !next.startsGroup))
      {
        piece.append(next)
        rest = rest.dropFirst()
      }
      append(piece, leavingOutEmptyRows: !isFirst, mark)
      isFirst = false
      if !rest.isEmpty { blank() }
    } while !rest.isEmpty
  }

  /// - Parameter leavesOutEmptyRows: rows of which the piece shows nothing but the name, such as budgets without a note.
  private mutating func append(
    _ piece: [TextColumn], leavingOutEmptyRows leavesOutEmptyRows: Bool, _ mark: (String) -> String
  ) {
    let headerLines = piece.map(\.header.count).max() ?? 0
    for index in 0..<headerLines {
      let words = piece.map { column in
        let above = headerLines - column.header.count
        return index < above ? "" : column.header[index - above]
      }
      text += style.pale(line(piece, words)) + "\n"
    }
    for row in 0..<(piece.first?.cells.count ?? 0) {
      if leavesOutEmptyRows, piece.dropFirst().allSatisfy({ $0.cells[row].allSatisfy(\.isEmpty) }) { continue }
      for index in 0..<(piece.map { $0.cells[row].count }.max() ?? 0) {
        let words = piece.map { index < $0.cells[row].count ? $0.cells[row][index] : "" }
        text += line(piece, words, mark) + "\n"
      }
    }
  }

  private func line(_ piece: [TextColumn], _ words: [String], _ mark: (String) -> String = { $0 }) -> String {
    var line = ""
    for (index, (column, word)) in zip(piece, words).enumerated() {
      let blanks = String(repeating: " ", count: max(0, column.width - word.count))
      let isLast = index == piece.count - 1
      let marked = word.isEmpty ? word : mark(word)
      line += (index > 0 ? "  " : "") + (column.isNumber ? blanks + marked : marked + (isLast ? "" : blanks))
    }
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

/// A column of a table, its header and its cells broken in lines.
private struct TextColumn {
  let header: [String]
  let cells: [[String]]
  let isNumber: Bool
  let startsGroup: Bool
  let width: Int

  /// - Parameter widest: of a cell of words; numbers are never broken.
  init(_ column: Table.Column, widest: Int) {
    let texts = column.cells.map(harmless)
    let longest = texts.map(\.count).max() ?? 0
    isNumber = column.isNumber
    startsGroup = column.startsGroup
    cells = texts.map { column.isNumber ? [$0] : TextBlock.wrapped($0, widest) }
    header = TextBlock.wrapped(harmless(column.header), max(12, min(longest, widest)))
    width = (cells.joined() + header).map(\.count).max() ?? 0
  }
}

extension [TextColumn] {
  fileprivate var width: Int { map(\.width).reduce(0, +) + 2 * Swift.max(0, count - 1) }
}
