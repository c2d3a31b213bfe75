// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// What a field GIS at 120 frames a second does between two frames of 8.3 ms, one call a frame, the host's part included.
enum InteractiveCases {
  /// Screen points that a feature may be off: epsilon = pixel size x 1.5.
  private static let pixels = 1.5

  static func cases(_ workloads: Workloads) -> [BenchCase] {
    [viewport(workloads), liveMeasure(workloads), validityAfterEdit(workloads), edit(workloads)]
  }

  /// A head of the suite; single calls are what counts.
  private static func head(
    _ family: Family, _ number: UInt32, _ workload: String, _ naming: String, _ setting: String
  ) -> CaseResult {
    let operation = Operation.numbered(family, number)
    return CaseResult(
      name: "\(operation.fullName)/\(workload)/\(naming)", suite: .interactive, operation: operation.fullName,
      workload: workload, setting: setting, unit: .call, units: 1, rows: 1)
  }

  // MARK: - Viewport

  /// The features of a window are found and simplified to what a screen can show: each frame another window. The kernel
  /// answers the window; whoever the host chooses simplifies.
  private static func viewport(_ workloads: Workloads) -> BenchCase {
    let count = workloads.size.boxes
    let layer = Lazily { () throws(MeridianError) in try TrackLayer.make(count, seed: workloads.seed) }
    let head = head(
      .index, MRD_INDEX_WINDOW, "layer", "viewport",
      "\(count) tracks of \(TrackLayer.vertices) vertices, about 500 visible, simplified at \(pixels) pixels")
    let truth = Lazily { () throws(MeridianError) in
      let layer = try layer.value()
      return BruteForceBoxes(boxes: layer.boxes, queries: layer.windows)
    }
    return BenchCase(head, oracle: WindowOracle(truth: truth)) { (host, kernel) throws(MeridianError) in
      try host.require(head.operation, of: kernel)
      let layer = try layer.value()
      let index = try BoxIndex(host: host, boxes: layer.boxes, run: Run(threads: 1, rules: "index=\(kernel)"))
      var options = SimplifyOptions(tolerances: [layer.pixel * pixels])
      options.collapse = .keep
      let (chosen, run) = (options, Run(threads: 1))
      let frame = { (number: Int) throws(MeridianError) in
        let hits = try index.window(layer.windows.box(number), run: run)
        let visible = try layer.set.subset(hits.ids.map { Int($0) })
        _ = try host.simplify(.douglasPeucker, visible, options: chosen, run: run)
      }
      return try PreparedRun.single(layer.windows.count, frame) { () throws(MeridianError) in
        Outcome(hits: try index.window(layer.windows, run: run))
      }
    }
  }

  // MARK: - Measuring

  /// Perimeter and area of a figure of 1,000 points, made and measured anew after each move of its last point.
  private static func liveMeasure(_ workloads: Workloads) -> BenchCase {
    let head = head(
      .measure, MRD_MEASURE_PERIMETER_AREA, "figure-1000", "live", "geodesic, 1,000 points, the last one moves"
    )
    let (count, seed) = (1000, workloads.seed)
    let set = Lazily { () throws(MeridianError) in try polygon(figure(count, size: 0.02, seed: seed)) }
    let workload = SetWorkload("figure-1000", set, rows: 1, vertices: count + 1, type: .polygon)
    let batch = MeasureCases.numbers(.perimeterArea, workload, .geodesic)
    return BenchCase(head, judgedAs: batch) { (host, kernel) throws(MeridianError) in
      let run = Run(
        threads: 1, rules: Naming.rules(.numbered(.measure, MRD_MEASURE_PERIMETER_AREA), kernel), model: .wgs84)
      var ring = figure(count, size: 0.02, seed: seed)
      var walk = SeededRandom(seed: seed, stream: "live")
      let last = ring.count - 2
      return try PreparedRun.single(
        1,
        { (_) throws(MeridianError) in
          // About a metre: the figure stays as it is otherwise.
          ring.x[last] += walk.uniform(-1e-5, 1e-5)
          ring.y[last] += walk.uniform(-1e-5, 1e-5)
          _ = try host.measure(.perimeterArea, try polygon(ring), run: run)
        },
        judged: { () throws(MeridianError) in
          Outcome(try host.measure(.perimeterArea, try set.value(), run: run))
        })
    }
  }

  // MARK: - Editing

  /// The verdict on a polygon of 10,000 vertices from nothing: what an editor without a prepared geometry does.
  private static func validityAfterEdit(_ workloads: Workloads) -> BenchCase {
    let head = head(.validate, MRD_VALIDATE_VALID, "ring-10000", "whole", "10,000 vertices, the first problem")
    return BenchCase(head, oracle: valid) { (host, kernel) throws(MeridianError) in
      let set = try polygon(figure(10_000, size: 1, seed: workloads.seed))
      let run = Run(threads: 1, rules: Naming.rules(.numbered(.validate, MRD_VALIDATE_VALID), kernel))
      var options = ValidateOptions()
      options.mode = .first
      let chosen = options
      let check = { () throws(MeridianError) in try host.validate(.valid, set, options: chosen, run: run) }
      return try PreparedRun.single(1, { (_) throws(MeridianError) in _ = try check() }) { () throws(MeridianError) in
        Outcome(verdicts: try check().verdicts)
      }
    }
  }

  /// The figures are valid by construction.
  private static var valid: KnownVerdicts { KnownVerdicts(source: "known by construction", all: true, rows: 1) }

  /// The verdict on the same polygon, prepared, after one vertex moved.
  private static func edit(_ workloads: Workloads) -> BenchCase {
    let head = head(.validate, MRD_VALIDATE_PREPARED, "ring-10000", "edit", "10,000 vertices, one moved a call")
    return BenchCase(head, oracle: valid) { (host, kernel) throws(MeridianError) in
      let ring = figure(10_000, size: 1, seed: workloads.seed)
      let run = Run(threads: 1, rules: Naming.rules(.numbered(.validate, MRD_VALIDATE_PREPARED), kernel))
      let editor = try Editor(host: host, set: try polygon(ring), row: 0, run: run)
      var moves = FigureMoves(ring)
      let move = { () throws(MeridianError) in try editor.edit([moves.next()], run: run) }
      return try PreparedRun.single(ring.count - 1, { (_) throws(MeridianError) in _ = try move() }) {
        () throws(MeridianError) in
        Outcome(verdicts: [try move().verdict])
      }
    }
  }

  /// One star-shaped ring about 0 0.
  private static func figure(_ vertices: Int, size: Double, seed: UInt64) -> Ring {
    var random = SeededRandom(seed: seed, stream: "figure")
    var star = Star(sizes: size...size, &random)
    (star.x, star.y) = (0, 0)
    return star.ring(vertices, smooth: 0.15, white: 0.0005, &random)
  }

  private static func polygon(_ ring: Ring) throws(MeridianError) -> GeometrySet {
    var builder = GeometryBuilder()
    try builder.polygon([ring])
    return try builder.finish()
  }
}

extension PreparedRun {
  /// A case whose run is one call after the other. The first is made now: it tells whether the kernel answers.
  fileprivate static func single(
    _ count: Int, _ call: @escaping (Int) throws(MeridianError) -> Void,
    judged: @escaping () throws(MeridianError) -> Outcome
  ) throws(MeridianError) -> PreparedRun {
    try call(0)
    var next = 0
    var prepared = PreparedRun { () throws(MeridianError) in
      try call(next)
      next = (next + 1) % count
      return Outcome()
    }
    prepared.single = call
    prepared.singles = count
    prepared.judged = judged
    return prepared
  }
}
