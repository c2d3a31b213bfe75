// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianBench
import MeridianJobs

extension Option {
  fileprivate static let targets = Option(
    "targets", nil, .file("FILE"), meaning: "what is snapped to: streets, parcels, points")
  fileprivate static let subjects = Option(
    "subjects", nil, .file("FILE"),
    meaning:
      "points that mean their nearest target, or lines and polygons to snap as a layer; default: places on targets")
  fileprivate static let tolerances = Option(
    "tolerance", "t", .text("RANGE"),
    meaning: "in points or metres: 2..40pt (default), 2..40:1pt, 5m, 1,2,5m")
  fileprivate static let metresPerPoint = Option(
    "metres-per-point", nil, .number("METRES"), meaning: "scale of the map: metres of the ground a screen point")
  fileprivate static let zooms = Option(
    "zoom", "z", .text("RANGE"), meaning: "scale by levels of Web Mercator, 0 to 30: 17, 8..20, 8..20:4")
  fileprivate static let latitude = Option(
    "latitude", nil, .number("DEGREES"), meaning: "where --zoom has its scale; default: the middle of the targets")
  fileprivate static let tile = Option(
    "tile", nil, .integer("POINTS", atLeast: 1), meaning: "screen points a tile of level 0 is wide; default 512")
  fileprivate static let pointer = Option(
    "pointer", nil, .choice(PointerModel.all.map(\.name) + ["all"]),
    meaning: "error model to start from; default finger")
  fileprivate static let sigma = Option(
    "sigma", nil, .text("X[,Y](pt|m)"), meaning: "standard deviations of the pointing error: 6,7pt or 3m")
  fileprivate static let bias = Option(
    "bias", nil, .text("X,Y(pt|m)"), meaning: "mean pointing error, east and north: 0,-2pt")
  fileprivate static let to = Option(
    "to", nil, .choice(["vertices", "edges", "both"]), meaning: "what of the targets attracts; default both")
  fileprivate static let identity = Option(
    "same", nil, .choice(TargetIdentity.allCases.map(\.rawValue)),
    meaning: "when two hits are one target: of one feature (default with edges), or one place")
  fileprivate static let falseShare = Option(
    "free", nil, .number("SHARE"), meaning: "share p0 of positions that should not snap, 0 to below 1; default 0.1")
  fileprivate static let costRatio = Option(
    "cost-ratio", nil, .number("RATIO"), meaning: "cost of a false or wrong snap over that of a missed one; default 3")
  fileprivate static let positions = Option(
    "count", nil, .integer("N", atLeast: 1), meaning: "positions that are drawn without --subjects; default 5000")
  fileprivate static let subjectKernels = Option(
    "kernels", nil, .text("A,B"), meaning: "kernels with snap.query; default native")
}

extension Verb {
  static let benchSnapTolerance = Verb(
    name: "bench snap-tolerance",
    summary: "what a snapping tolerance does: hits, misses, false snaps, and which one to take",
    operands: "",
    operandCount: 0...0,
    notes: [
      "Each position is an intended place plus a pointing error; the share that snaps to what was meant is counted at",
      "each tolerance. T in metres = T in points x metres per point; with --zoom that is",
      "2 pi 6378137 cos(latitude) / (tile x 2^zoom). The error models are starting points: measure your users.",
    ],
    options: [
      .targets, .subjects, .tolerances, .metresPerPoint, .zooms, .latitude, .tile, .pointer, .sigma, .bias, .to,
      .identity, .falseShare, .costRatio, .positions, .subjectKernels, .seed, .benchFormat, .output, .layer, .crs,
      .plugins, .config, .cpuLevel,
    ] + Option.ending,
    examples: [
      Example(
        line: "meridian bench snap-tolerance --targets streets.geojson --zoom 16..19 --tolerance 2..40pt",
        meaning: "a finger on a street map"),
      Example(
        line: "meridian bench snap-tolerance --targets wells.gpkg --subjects visits.csv --pointer gps "
          + "--metres-per-point 0.5 --tolerance 1..30m --to vertices",
        meaning: "a GPS walk to wells"),
      Example(
        line: "meridian bench snap-tolerance --targets streets.geojson --zoom 17 --free 0.3 --cost-ratio 5 "
          + "--format html -o tolerance.html",
        meaning: "with curves"),
    ],
    run: { (arguments) throws(CommandError) in
      let request = try arguments.toleranceRequest()
      try arguments.checkReportCanBeWritten()
      let context = try arguments.context([])
      let found = try job { () throws(JobError) in try ToleranceJob(context, request).run() }
      var report = BenchReport(
        context: .current(host: context.host, seed: request.plan.seed, kernels: request.kernels, level: arguments.level)
      )
      report.tolerances = found
      try arguments.write(report)
      return context.hasUnreadInput ? .failure : .fine
    })
}

extension Arguments {
  fileprivate func toleranceRequest() throws(CommandError) -> ToleranceJob.Request {
    guard let targets = text(.targets) else { throw .usage("bench snap-tolerance needs --targets FILE") }
    guard ![.csv, .googleBenchmark].contains(reportForm) else {
      throw .usage("a sweep over tolerances has the forms text, json and html, not \(reportForm.rawValue)")
    }
    var kernels: [String] = []
    for word in (text(.subjectKernels) ?? "native").split(separator: ",") where !kernels.contains(String(word)) {
      kernels.append(String(word))
    }
    guard !kernels.isEmpty else { throw .usage("--kernels needs an id") }
    var request = ToleranceJob.Request(
      targets: Inputs(files: [targets], layer: text(.layer)), scale: try scale(), kernels: kernels,
      pointers: try pointers(), plan: try tolerancePlan())
    request.subjects = text(.subjects).map { Inputs(files: [$0]) }
    return request
  }

  private func scale() throws(CommandError) -> ToleranceJob.Scale {
    switch (number(.metresPerPoint), text(.zooms)) {
    case (nil, nil), (_?, _?): throw .usage("give the scale by one of --metres-per-point and --zoom")
    case (let metres?, nil):
      guard metres > 0, metres.isFinite else { throw .usage("--metres-per-point needs a number above 0") }
      try refuse([.latitude, .tile], "belongs to --zoom")
      return .metresPerPoint(metres)
    case (nil, let zoom?):
      guard let levels = NumberList(zoom, step: 1)?.values, levels.allSatisfy({ (0...30).contains($0) }) else {
        throw .usage("--zoom needs levels from 0 to 30: 17, 8..20 or 8..20:4, not '\(zoom)'")
      }
      var once: [Double] = []
      for level in levels where !once.contains(level) { once.append(level) }
      let latitude = number(.latitude)
      guard latitude.map({ abs($0) < 90 }) ?? true else { throw .usage("--latitude needs degrees between -90 and 90") }
      return .zooms(once, latitude: latitude, tile: Double(integer(.tile) ?? 512))
    }
  }

  private func tolerancePlan() throws(CommandError) -> TolerancePlan {
    var plan = TolerancePlan(kernel: "", scale: ScreenScale(metresPerPoint: 1))
    plan.tolerances = try reaches(.tolerances, text(.tolerances) ?? "2..40pt", step: 2)
    guard plan.tolerances.allSatisfy({ $0.value > 0 }) else { throw .usage("--tolerance needs numbers above 0") }
    switch text(.to) {
    case "vertices": plan.kinds = [.endPoint, .vertex]
    case "edges": plan.kinds = [.edge]
    default: break
    }
    plan.identity = text(.identity).flatMap(TargetIdentity.init(rawValue:))
    guard plan.identity != .place || !plan.kinds.contains(.edge) else {
      throw .usage("--same place needs --to vertices: an edge has a place everywhere")
    }
    plan.falseShare = number(.falseShare) ?? plan.falseShare
    guard plan.falseShare >= 0, plan.falseShare < 1 else { throw .usage("--free needs a share from 0 to below 1") }
    plan.costRatio = number(.costRatio) ?? plan.costRatio
    guard plan.costRatio > 0, plan.costRatio.isFinite else { throw .usage("--cost-ratio needs a number above 0") }
    plan.count = integer(.positions) ?? plan.count
    guard plan.count <= TolerancePlan.mostPositions else {
      throw .usage("--count needs at most \(TolerancePlan.mostPositions)")
    }
    plan.seed = try seed()
    return plan
  }

  private func pointers() throws(CommandError) -> [PointerModel] {
    let name = text(.pointer) ?? "finger"
    if name == "all" {
      guard !self[.sigma], !self[.bias] else { throw .usage("--sigma and --bias need one --pointer") }
      return PointerModel.all
    }
    var model = PointerModel.all.first { $0.name == name } ?? .finger
    if let text = text(.sigma) {
      let sigma = try reaches(.sigma, text, step: 1)
      guard (1...2).contains(sigma.count), sigma.allSatisfy({ $0.value >= 0 }) else {
        throw .usage("--sigma needs one or two numbers from 0 up, with pt or m, not '\(text)'")
      }
      (model.sigmaX, model.sigmaY, model.name) = (sigma[0], sigma[sigma.count - 1], "custom")
    }
    if let text = text(.bias) {
      let bias = try reaches(.bias, text, step: 1)
      guard bias.count == 2 else { throw .usage("--bias needs two numbers with pt or m, not '\(text)'") }
      (model.biasX, model.biasY, model.name) = (bias[0], bias[1], "custom")
    }
    return [model]
  }

  /// Numbers with "pt" or "m" behind the last one.
  private func reaches(_ option: Option, _ text: String, step: Double) throws(CommandError) -> [Reach] {
    let unit: Reach.Unit = text.hasSuffix("pt") ? .points : .metres
    let numbers = text.hasSuffix("pt") ? text.dropLast(2) : text.hasSuffix("m") ? text.dropLast() : ""
    guard let list = NumberList(numbers, step: step) else {
      throw .usage("--\(option.long) needs numbers with pt or m behind them, not '\(text)'")
    }
    return list.values.map { Reach($0, unit) }
  }
}
