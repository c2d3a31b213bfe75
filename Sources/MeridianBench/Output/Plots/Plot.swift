// SPDX-License-Identifier: Apache-2.0

/// A drawing with what readers of screens and those who look at it need: a title, a description, a legend.
struct Plot {
  /// An entry of the legend.
  struct Entry {
    let style: SeriesStyle
    let label: Markup
    var hasLine = false
  }

  static let width = 440.0
  var height = 310.0
  let title: String
  let description: String
  var body: Markup = ""
  var legend: [Entry] = []
  /// What follows the legend.
  var note: Markup = ""

  init(_ title: String, _ description: String) {
    self.title = title
    self.description = description
  }

  /// - Parameter id: unique in the page.
  func figure(id: String) -> Markup {
    """
    <figure><figcaption>\(title)</figcaption>
    <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="\(id)t \(id)d">\
    <title id="\(id)t">\(title)</title><desc id="\(id)d">\(description)</desc>\(body)</svg>
    \(legendMarkup)\(note)</figure>

    """
  }

  private var legendMarkup: Markup {
    guard !legend.isEmpty else { return "" }
    let items = legend.map { entry -> Markup in
      let line: Markup =
        entry.hasLine
        ? "<path class=\"line \(entry.style.name)\" stroke-dasharray=\"\(entry.style.dashes)\" d=\"M1 7H31\"/>" : ""
      let width = entry.hasLine ? 32.0 : 14
      return """
        <li><svg class="key" viewBox="0 0 \(width) 14" width="\(width)" height="14" aria-hidden="true">\(line)\
        <path class="mark \(entry.style.name)" d="\(entry.style.outline(width / 2, 7, 4.4))"/></svg> <span>\(entry.label)</span></li>
        """
    }
    return "<ul class=\"legend\">\(items)</ul>"
  }

  // MARK: - Frames

  /// Where the data of a plot with two axes go.
  static let area = (left: 60.0, right: width - 12, top: 40.0, bottom: 264.0)

  /// Draws both axes with their grid.
  mutating func addFrame(_ x: Axis, _ y: Axis) {
    let area = Self.area
    for tick in y.ticks {
      let place = y.place(tick.value)
      body += "<path class=\"grid\" d=\"M\(area.left) \(place)H\(area.right)\"/>"
      body += "<text class=\"tick\" x=\"\(area.left - 6)\" y=\"\(place + 4)\" text-anchor=\"end\">\(tick.label)</text>"
    }
    for tick in x.ticks {
      let place = x.place(tick.value)
      body += "<path class=\"grid\" d=\"M\(place) \(area.top)V\(area.bottom)\"/>"
      addTick(tick.label, x: place, y: area.bottom + 16)
    }
    body += "<path class=\"axis\" d=\"M\(area.left) \(area.top)V\(area.bottom)H\(area.right)\"/>"
    body += "<text class=\"name\" x=\"\(area.right)\" y=\"\(area.bottom + 36)\" text-anchor=\"end\">\(x.title)</text>"
    body += "<text class=\"name\" x=\"4\" y=\"16\">\(y.title)</text>"
  }

  /// The label of a tick on the x axis; at the right edge it ends at the edge.
  mutating func addTick(_ label: String, x: Double, y: Double) {
    let isLast = x + 5.5 * Double(label.count) > Self.width
    body += """
      <text class="tick" x="\(isLast ? Self.width - 1 : x)" y="\(y)" text-anchor="\(isLast ? "end" : "middle")">\
      \(label)</text>
      """
  }

  /// A line through places.
  mutating func addLine(_ places: [(x: Double, y: Double)], _ style: SeriesStyle, isPale: Bool = false) {
    guard places.count > 1 else { return }
    let path = places.map { Markup.coordinate($0.x) + " " + Markup.coordinate($0.y) }.joined(separator: "L")
    let pale = isPale ? " pale" : ""
    body += "<path class=\"line \(style.name)\(pale)\" stroke-dasharray=\"\(style.dashes)\" d=\"M\(path)\"/>"
  }
}
