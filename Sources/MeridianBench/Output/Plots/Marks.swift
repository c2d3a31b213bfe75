// SPDX-License-Identifier: Apache-2.0

/// How one series is told from the others: by colour, by the shape of its marks and by the dashes of its line.
struct SeriesStyle {
  /// Colours that the page knows.
  static let count = 6

  let index: Int
  init(_ index: Int) { self.index = index }

  /// The class that sets the colour.
  var name: String { "s\(index % Self.count)" }
  var dashes: String { ["none", "7 3", "2 3", "9 3 2 3", "5 5", "1 4"][index % 6] }

  /// The outline of a mark of about the same area for every series. The shapes go round after 6, one later than the
  /// colours from then on, so that no two of 36 series look alike.
  func outline(_ x: Double, _ y: Double, _ size: Double) -> String {
    func point(_ dx: Double, _ dy: Double) -> String {
      Markup.coordinate(x + dx * size) + " " + Markup.coordinate(y + dy * size)
    }
    func polygon(_ points: [(Double, Double)]) -> String {
      "M" + points.map { point($0.0, $0.1) }.joined(separator: "L") + "Z"
    }
    switch (index + index / 6) % 6 {
    case 0:
      let radius = Markup.coordinate(size)
      return "M\(point(-1, 0))A\(radius) \(radius) 0 1 1 \(point(1, 0))A\(radius) \(radius) 0 1 1 \(point(-1, 0))Z"
    case 1: return polygon([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
    case 2: return polygon([(0, -1.25), (1.15, 0.85), (-1.15, 0.85)])
    case 3: return polygon([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)])
    case 4:
      let (a, b) = (0.42, 1.25)
      return polygon([
        (-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a), (-a, -a),
      ])
    default: return polygon([(0, 1.25), (1.15, -0.85), (-1.15, -0.85)])
    }
  }

  /// A mark with what it says when it is pointed at.
  func mark(_ x: Double, _ y: Double, size: Double = 4.6, _ words: String) -> Markup {
    "<path class=\"mark \(name)\" d=\"\(outline(x, y, size))\"><title>\(words)</title></path>"
  }
}

/// The kernels of a report, each with the style that it has in all plots.
struct KernelStyles {
  let kernels: [String]

  init(_ report: BenchReport) {
    var names: [String] = []
    let all =
      report.cases.flatMap(\.kernels).map(\.kernel) + report.scalings.flatMap(\.series).map(\.kernel)
      + report.tolerances.map(\.kernel)
    for name in all where !names.contains(name) { names.append(name) }
    kernels = names
  }

  subscript(_ kernel: String) -> SeriesStyle { SeriesStyle(kernels.firstIndex(of: kernel) ?? kernels.count) }
}
