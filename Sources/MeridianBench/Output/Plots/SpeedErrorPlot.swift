// SPDX-License-Identifier: Apache-2.0

/// Speed against error: a point a kernel and case, better to the left and below, both axes logarithmic. One plot holds
/// cases of one suite whose times and errors have the same units.
struct SpeedErrorPlot {
  private struct Point {
    let kernel: String
    let number: Int
    let time: Double
    let error: Double
    let words: String
  }

  private let cases: [CaseResult]
  private let points: [Point]
  private let unit: String
  private let title: String
  private let styles: KernelStyles

  /// All plots of this kind of a report.
  static func all(_ report: BenchReport, _ styles: KernelStyles) -> [Plot] {
    var groups: [(key: String, cases: [CaseResult])] = []
    for result in report.cases {
      guard let unit = graded(result).first?.accuracy.unit else { continue }
      let key = "\(result.suite.rawValue)/\(result.unit.rawValue)/\(unit)"
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].cases.append(result)
      } else {
        groups.append((key, [result]))
      }
    }
    return groups.compactMap { SpeedErrorPlot($0.cases, styles)?.plot }
  }

  /// The kernels of a case that have a time and errors with more and less.
  private static func graded(_ result: CaseResult) -> [(kernel: String, time: Double, accuracy: Accuracy)] {
    result.answered.compactMap { kernel in
      guard let time = kernel.time, let accuracy = kernel.accuracy, accuracy.isGraded, time.median > 0 else {
        return nil
      }
      return (kernel.kernel, result.perUnit(time.median), accuracy)
    }
  }

  private init?(_ cases: [CaseResult], _ styles: KernelStyles) {
    guard let first = cases.first, let accuracy = Self.graded(first).first?.accuracy else { return nil }
    self.cases = cases
    self.styles = styles
    unit = accuracy.unitText
    title = "Speed and error: \(first.suite.rawValue)"
    points = cases.enumerated().flatMap { index, result in
      Self.graded(result).filter { $0.accuracy.unit == accuracy.unit }.map { kernel, time, accuracy in
        let words =
          "\(kernel), \(result.name): \(Figures.duration(time)) per \(result.unit.rawValue), "
          + "largest error \(accuracy.largestText ?? "")"
        return Point(
          kernel: kernel, number: index + 1, time: time, error: abs(accuracy.largest), words: words)
      }
    }
  }

  private var plot: Plot {
    let area = Plot.area
    let errors = points.map(\.error).filter { $0 > 0 }
    let hasExact = errors.count < points.count
    // Errors of zero have no place on a logarithmic axis: a band of their own below it.
    let x = Axis(
      "nanoseconds per \(cases[0].unit.rawValue), median", .logarithmic, holding: points.map(\.time),
      from: area.left + 8,
      to: area.right - 8)
    let floor = hasExact ? area.bottom - 30 : area.bottom
    let y = Axis("largest error, \(unit)", .logarithmic, holding: errors, from: floor, to: area.top)
    var plot = Plot(title, "A point a kernel and case. " + points.map(\.words).joined(separator: ". ") + ".")
    plot.addFrame(x, y)
    if hasExact {
      plot.body += "<path class=\"axis\" stroke-dasharray=\"3 3\" d=\"M\(area.left) \(floor)H\(area.right)\"/>"
      plot.body +=
        "<text class=\"tick\" x=\"\(area.left - 6)\" y=\"\(area.bottom - 10)\" text-anchor=\"end\">none</text>"
    }
    let places = points.map { (x: x.place($0.time), y: $0.error > 0 ? y.place($0.error) : area.bottom - 14) }
    addMarks(places, to: &plot)
    plot.legend = styles.kernels.filter { kernel in points.contains { $0.kernel == kernel } }.map {
      Plot.Entry(style: styles[$0], label: "\($0)")
    }
    plot.note = "<ol class=\"cases\">\(cases.map { "<li>\($0.name)</li>" as Markup })</ol>"
    return plot
  }

  private func addMarks(_ places: [(x: Double, y: Double)], to plot: inout Plot) {
    var labels = LabelPlaces(marks: places)
    for (point, place) in zip(points, places) {
      plot.body += styles[point.kernel].mark(place.x, place.y, point.words)
      if let spot = labels.spot(beside: place, width: Double(String(point.number).count) * 7) {
        plot.body +=
          "<text class=\"label\" x=\"\(spot.x)\" y=\"\(spot.y + 4)\" text-anchor=\"middle\">\(point.number)</text>"
      }
    }
  }
}

/// Finds room for short labels beside marks.
private struct LabelPlaces {
  private struct Box {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    func overlaps(_ other: Box) -> Bool {
      abs(x - other.x) * 2 < width + other.width && abs(y - other.y) * 2 < height + other.height
    }
  }

  private var taken: [Box]

  init(marks: [(x: Double, y: Double)]) { taken = marks.map { Box(x: $0.x, y: $0.y, width: 10, height: 10) } }

  /// The middle of a free place, nil = there is none and the label stays away; the mark tells its name when pointed at.
  mutating func spot(beside mark: (x: Double, y: Double), width: Double) -> (x: Double, y: Double)? {
    for distance in [11.0, 17] {
      for (dx, dy) in [(1.0, -0.6), (1, 0.6), (-1, -0.6), (-1, 0.6), (0, -1), (0, 1), (1, 0), (-1, 0)] {
        let box = Box(x: mark.x + dx * distance, y: mark.y + dy * distance, width: width + 2, height: 12)
        guard box.x > Plot.area.left + 6, box.x < Plot.width - 8, box.y > Plot.area.top,
          !taken.contains(where: box.overlaps)
        else { continue }
        taken.append(box)
        return (box.x, box.y)
      }
    }
    return nil
  }
}
