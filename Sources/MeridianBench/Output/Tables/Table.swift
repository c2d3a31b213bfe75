// SPDX-License-Identifier: Apache-2.0

/// Rows and columns of words, the same for the terminal and for the page.
struct Table {
  struct Column {
    /// In words, units included.
    let header: String
    /// Numbers are set against the right edge.
    let isNumber: Bool
    let cells: [String]
    /// True = where the table does not fit in one piece, a new piece begins here.
    var startsGroup = false
  }

  /// What the table is about; the first column names the rows.
  let title: String
  private(set) var columns: [Column] = []
  private var nextStartsGroup = false
  let rowCount: Int

  /// - Parameter names: the first column, one cell a row.
  init(_ title: String, rows header: String, _ names: [String]) {
    self.title = title
    rowCount = names.count
    columns = [Column(header: header, isNumber: false, cells: names)]
  }

  /// Adds a column unless all of its cells are nil.
  mutating func add(_ header: String, isNumber: Bool = true, _ cells: [String?]) {
    guard cells.contains(where: { $0 != nil }) else { return }
    columns.append(
      Column(header: header, isNumber: isNumber, cells: cells.map { $0 ?? "" }, startsGroup: nextStartsGroup))
    nextStartsGroup = false
  }

  /// The columns that follow belong together.
  mutating func beginGroup() { nextStartsGroup = true }
}
