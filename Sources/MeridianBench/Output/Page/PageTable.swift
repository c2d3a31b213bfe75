// SPDX-License-Identifier: Apache-2.0

/// Tables of the page, each in a box that scrolls by itself.
enum PageTable {
  /// - Parameter mark: the class of a cell.
  static func markup(_ table: Table, mark: (_ cell: String) -> String?) -> Markup {
    let heads = table.columns.map { column -> Markup in
      "<th scope=\"col\"\(column.isNumber ? Self.number : "")>\(column.header)</th>"
    }
    var rows: [Markup] = []
    for row in 0..<table.rowCount {
      let cells = table.columns.enumerated().map { index, column -> Markup in
        index == 0
          ? "<th scope=\"row\">\(Markup(breaking: column.cells[row]))</th>"
          : cell(column.cells[row], isNumber: column.isNumber, mark(column.cells[row]))
      }
      rows.append("<tr>\(cells)</tr>\n")
    }
    return box(table.title, "<thead><tr>\(heads)</tr></thead>\n<tbody>\n\(rows)</tbody>")
  }

  /// Rows and columns change places: few columns, so that the table fits on a phone.
  static func turned(_ table: Table) -> Markup {
    guard let names = table.columns.first else { return "" }
    let heads = names.cells.map { "<th scope=\"col\" class=\"n\">\($0)</th>" as Markup }
    let rows = table.columns.dropFirst().map { column -> Markup in
      let cells = column.cells.map { cell($0, isNumber: column.isNumber, nil) }
      return "<tr><th scope=\"row\">\(column.header)</th>\(cells)</tr>\n"
    }
    return box(
      table.title,
      "<thead><tr><th scope=\"col\">\(names.header)</th>\(heads)</tr></thead>\n<tbody>\n\(Array(rows))</tbody>")
  }

  private static let number: Markup = " class=\"n\""

  private static func cell(_ words: String, isNumber: Bool, _ mark: String?) -> Markup {
    let classes = [isNumber ? "n" : nil, mark].compactMap { $0 }.joined(separator: " ")
    return classes.isEmpty ? "<td>\(words)</td>" : "<td class=\"\(classes)\">\(words)</td>"
  }

  /// The box can be reached and scrolled with the keyboard.
  private static func box(_ title: String, _ content: Markup) -> Markup {
    """
    <div class="scroll" role="region" tabindex="0" aria-label="Table: \(title)"><table>
    \(content)
    </table></div>

    """
  }
}
