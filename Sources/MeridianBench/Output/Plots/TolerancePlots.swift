// SPDX-License-Identifier: Apache-2.0

/// What a snapping tolerance does: shares of the subjects, and the expected cost, against the tolerance.
struct TolerancePlots {
  private struct Curve {
    let name: String
    let value: (ToleranceResult.Step) -> Double
  }

  let result: ToleranceResult

  private let shares = [
    Curve(name: "snapped") { $0.snapped }, Curve(name: "right") { $0.right }, Curve(name: "missed") { $0.missed },
    Curve(name: "false") { $0.falseSnaps }, Curve(name: "ambiguous") { $0.ambiguous },
  ]

  init(_ result: ToleranceResult) { self.result = result }

  var plots: [Plot] {
    guard !result.steps.isEmpty else { return [] }
    return [
      plot("Snaps by tolerance", "share of the subjects", shares, holding: [0, 1]),
      plot("Expected cost by tolerance", "cost of a subject, in missed snaps", [Curve(name: "cost") { $0.cost }]),
    ]
  }

  private func plot(_ title: String, _ name: String, _ curves: [Curve], holding: [Double] = [0]) -> Plot {
    let area = Plot.area
    let steps = result.steps
    let x = Axis("tolerance, points", .linear, holding: steps.map(\.points), from: area.left, to: area.right)
    let values = curves.flatMap { curve in steps.map(curve.value) }
    let y = Axis(name, .linear, holding: values + holding, from: area.bottom, to: area.top)
    let advice = result.advice ?? "No tolerance is recommended."
    var plot = Plot("\(title): \(result.pointer)", "Curves: \(curves.map(\.name).joined(separator: ", ")). \(advice)")
    plot.addFrame(x, y)
    addRecommendation(x, to: &plot)
    for (index, curve) in curves.enumerated() {
      let style = SeriesStyle(index)
      plot.addLine(steps.map { (x: x.place($0.points), y: y.place(curve.value($0))) }, style)
      for step in steps {
        let words = "\(curve.name) at \(Figures.number(step.points)) points: \(Figures.number(curve.value(step)))"
        plot.body += style.mark(x.place(step.points), y.place(curve.value(step)), size: 3, words)
      }
      plot.legend.append(Plot.Entry(style: style, label: "\(curve.name)", hasLine: true))
    }
    return plot
  }

  private func addRecommendation(_ x: Axis, to plot: inout Plot) {
    guard let points = result.recommendation?.points, x.holds(points) else { return }
    let area = Plot.area
    let place = x.place(points)
    let isRight = place > (area.left + area.right) / 2
    plot.body += "<path class=\"advice\" d=\"M\(place) \(area.top - 10)V\(area.bottom)\"/>"
    plot.body += """
      <text class="word" x="\(place + (isRight ? -5 : 5))" y="\(area.top - 6)" text-anchor="\(isRight ? "end" : "start")">\
      recommended: \(Figures.exact(points))</text>
      """
  }
}
