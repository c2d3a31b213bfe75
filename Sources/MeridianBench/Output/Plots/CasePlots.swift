// SPDX-License-Identifier: Apache-2.0

/// The plots of one case: medians as bars with their intervals, and every round as a dot.
struct CasePlots {
  let result: CaseResult
  let styles: KernelStyles

  private var unit: TimeUnit { result.timeUnit }
  private func shown(_ nanoseconds: Double) -> Double { result.perUnit(nanoseconds) / unit.nanoseconds }
  private var axisTitle: String { "\(unit.name) per \(result.unit.rawValue)" }

  // MARK: - Bars

  var bars: Plot? {
    let kernels = result.kernels.compactMap { kernel in kernel.time.map { (kernel: kernel.kernel, time: $0) } }
    guard !kernels.isEmpty else { return nil }
    let words = kernels.map { kernel, time in "\(kernel): \(Figures.interval(time, shown)) \(axisTitle)" }
    var plot = Plot("Median time with its interval", words.joined(separator: ". ") + ".")
    let top = 8.0
    let pitch = 30.0
    let bottom = top + pitch * Double(kernels.count)
    plot.height = bottom + 44
    let left = 104.0
    let high = kernels.map { shown(max($0.time.ends.high, $0.time.median)) }.max() ?? 1
    // Bars start at nothing, and the widest leaves room for its figure.
    let x = Axis(axisTitle, .linear, holding: [0, high * 1.2], from: left, to: Plot.width - 12)
    for tick in x.ticks {
      let place = x.place(tick.value)
      plot.body += "<path class=\"grid\" d=\"M\(place) \(top)V\(bottom)\"/>"
      plot.addTick(tick.label, x: place, y: bottom + 16)
    }
    for (index, (item, sentence)) in zip(kernels, words).enumerated() {
      addBar(item.kernel, item.time, x, middle: top + pitch * (Double(index) + 0.5), sentence, to: &plot)
    }
    plot.body += "<path class=\"axis\" d=\"M\(left) \(top)V\(bottom)H\(Plot.width - 12)\"/>"
    plot.body +=
      "<text class=\"name\" x=\"\(Plot.width - 12)\" y=\"\(bottom + 36)\" text-anchor=\"end\">\(x.title)</text>"
    return plot
  }

  private func addBar(
    _ kernel: String, _ time: Spread, _ x: Axis, middle: Double, _ words: String, to plot: inout Plot
  ) {
    let style = styles[kernel]
    let end = x.place(shown(time.median))
    let low = x.place(shown(time.ends.low))
    let high = x.place(shown(time.ends.high))
    plot.body += style.mark(8, middle, words)
    plot.body += "<text class=\"word\" x=\"18\" y=\"\(middle + 4)\">\(Self.short(kernel))</text>"
    plot.body += """
      <rect class="bar \(style.name)" x="\(x.start)" y="\(middle - 8)" width="\(max(1, end - x.start))" height="16">\
      <title>\(words)</title></rect>\
      <path class="whisker" d="M\(low) \(middle)H\(high)M\(low) \(middle - 5)V\(middle + 5)M\(high) \(middle - 5)V\(middle + 5)"/>\
      <text class="word" x="\(high + 6)" y="\(middle + 4)">\(Figures.number(shown(time.median)))</text>
      """
  }

  /// A name that fits beside the bars; the whole of it stands in the table.
  private static func short(_ name: String) -> String { name.count > 9 ? name.prefix(8) + "…" : name }

  // MARK: - Rounds

  var rounds: Plot? {
    let kernels = result.kernels.filter { $0.times.contains { $0.isFinite && $0 > 0 } }
    guard !kernels.isEmpty else { return nil }
    let outliers = kernels.map { "\($0.kernel): \($0.times.count) rounds, \($0.outliers.count) outliers" }
    var plot = Plot("Every round", outliers.joined(separator: ". ") + ". Outliers have a ring.")
    let area = Plot.area
    let count = kernels.map(\.times.count).max() ?? 1
    let x = Axis("round", .linear, holding: [0, Double(count)], from: area.left + 4, to: area.right - 4)
    let y = Axis(
      axisTitle, .logarithmic, holding: kernels.flatMap { $0.times.map(shown) }, from: area.bottom, to: area.top)
    plot.addFrame(x, y)
    for kernel in kernels { addDots(kernel, x, y, to: &plot) }
    plot.legend = kernels.map { Plot.Entry(style: styles[$0.kernel], label: "\($0.kernel)") }
    if kernels.contains(where: { !$0.outliers.isEmpty }) {
      plot.note = "<p class=\"note\">A ring marks an outlier; all figures keep it.</p>"
    }
    return plot
  }

  private func addDots(_ kernel: KernelResult, _ x: Axis, _ y: Axis, to plot: inout Plot) {
    let style = styles[kernel.kernel]
    let size = kernel.times.count > 120 ? 1.5 : 2.2
    var path = ""
    for (round, time) in kernel.times.enumerated() where time.isFinite && time > 0 {
      let place = (x: x.place(Double(round + 1)), y: y.place(shown(time)))
      path += style.outline(place.x, place.y, size)
      if kernel.outliers.contains(round) {
        let words = "\(kernel.kernel), round \(round + 1): \(Figures.number(shown(time))) \(axisTitle)"
        plot.body += """
          <circle class="outlier \(style.name)" cx="\(place.x)" cy="\(place.y)" r="6"><title>\(words)</title></circle>
          """
      }
    }
    plot.body += "<path class=\"dots \(style.name)\" d=\"\(path)\"/>"
  }
}

extension Spread {
  /// The ends of the interval as they are drawn: without an interval, the median.
  fileprivate var ends: (low: Double, high: Double) {
    Figures.isUnbounded(low, high) ? (median, median) : (low, high)
  }
}
