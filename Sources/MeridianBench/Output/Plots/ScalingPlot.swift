// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Time against size, both axes logarithmic, with the fitted growth as a pale line over the sizes that it was fitted to.
enum ScalingPlot {
  static func plot(_ result: ScalingResult, _ styles: KernelStyles) -> Plot {
    let area = Plot.area
    let points = result.series.flatMap { Array(zip($0.sizes, $0.times)) }
    let unit = TimeUnit.suiting(points.map(\.1).filter { $0 > 0 }.min() ?? 1)
    let x = Axis(
      result.variable, .logarithmic, holding: points.map { Double($0.0) }, from: area.left + 4, to: area.right - 4)
    let y = Axis(
      "\(unit.name) a run", .logarithmic, holding: points.map { $0.1 / unit.nanoseconds }, from: area.bottom,
      to: area.top)
    let words = result.series.map {
      "\($0.kernel) grows with the power \(Figures.interval($0.exponent, $0.low, $0.high)) of the size"
    }
    var plot = Plot("\(result.name): growth of time", words.joined(separator: ". ") + ".")
    plot.addFrame(x, y)
    for series in result.series {
      let style = styles[series.kernel]
      let places = zip(series.sizes, series.times).map { (x: x.place(Double($0)), y: y.place($1 / unit.nanoseconds)) }
      plot.addLine(
        fit(series).map { (x: x.place($0.size), y: y.place($0.time / unit.nanoseconds)) }, style, isPale: true)
      plot.addLine(places, style)
      for (index, place) in places.enumerated() {
        let words =
          "\(series.kernel), \(Figures.whole(series.sizes[index])) \(result.variable): "
          + Figures.duration(series.times[index])
        plot.body += style.mark(place.x, place.y, size: 3.6, words)
      }
      let interval = Figures.ends(series.low, series.high)
      plot.legend.append(
        Plot.Entry(
          style: style, label: "\(series.kernel): n<sup>\(Figures.number(series.exponent))</sup> \(interval)",
          hasLine: true))
    }
    plot.note = "<p class=\"note\">Wide pale lines: the fitted growth over the larger half of the sizes.</p>"
    return plot
  }

  /// The ends of the fitted line: its slope through the middle of the points that it was fitted to.
  private static func fit(_ series: ScalingResult.Series) -> [(size: Double, time: Double)] {
    let points = zip(series.sizes, series.times).filter { $0 > 0 && $1 > 0 }.map { (size: Double($0), time: $1) }
    let upper = points.suffix((points.count + 1) / 2)
    guard let first = upper.first, let last = upper.last, upper.count > 1 else { return [] }
    let count = Double(upper.count)
    let size = upper.map { log($0.size) }.reduce(0, +) / count
    let time = upper.map { log($0.time) }.reduce(0, +) / count
    return [first.size, last.size].map { ($0, exp(time + series.exponent * (log($0) - size))) }
  }
}
