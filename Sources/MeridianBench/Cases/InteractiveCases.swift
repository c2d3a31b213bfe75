// SPDX-License-Identifier: Apache-2.0
import CPlatform
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
    return BenchCase(head) { (host, kernel) throws(MeridianError) in
      let layer = try layer.value()
      let rules = "index=\(kernel)"
      let index = try BoxIndex(host: host, boxes: layer.boxes, run: Run(threads: 1, rules: rules))
      guard index.answers.list.contains(where: { $0.kernel.hasSuffix(kernel) }) else {
        throw MeridianError(.unsupported, "\(kernel) does not build an index")
      }
      var options = SimplifyOptions(tolerances: [layer.pixel * pixels])
      options.collapse = .keep
      let (chosen, run) = (options, Run(threads: 1))
      let frame = { (number: Int) throws(MeridianError) in
        let hits = try index.window(layer.windows.box(number), run: run)
        let visible = try layer.set.subset(hits.ids.map { Int($0) })
        _ = try host.simplify(.douglasPeucker, visible, options: chosen, run: run)
      }
      return try PreparedRun.single(layer.windows.count, frame)
    }
  }

  // MARK: - Measuring

  /// Perimeter and area of a figure of 1,000 points, measured anew after each point.
  private static func liveMeasure(_ workloads: Workloads) -> BenchCase {
    let head = head(
      .measure, MRD_MEASURE_PERIMETER_AREA, "figure-1000", "live", "geodesic, 1,000 points of a walk of some kilometres"
    )
    return BenchCase(head) { (host, kernel) throws(MeridianError) in
      let set = try figure(1000, size: 0.02, seed: workloads.seed)
      let run = Run(
        threads: 1, rules: Naming.rules(.numbered(.measure, MRD_MEASURE_PERIMETER_AREA), kernel), model: .wgs84)
      return try PreparedRun.single(1) { (_) throws(MeridianError) in
        _ = try host.measure(.perimeterArea, set, run: run)
      }
    }
  }

  // MARK: - Editing

  /// The verdict on a polygon of 10,000 vertices from nothing: what an editor without a prepared geometry does.
  private static func validityAfterEdit(_ workloads: Workloads) -> BenchCase {
    let head = head(.validate, MRD_VALIDATE_VALID, "ring-10000", "whole", "10,000 vertices, the first problem")
    return BenchCase(head) { (host, kernel) throws(MeridianError) in
      let set = try figure(10_000, size: 1, seed: workloads.seed)
      let run = Run(threads: 1, rules: Naming.rules(.numbered(.validate, MRD_VALIDATE_VALID), kernel))
      var options = ValidateOptions()
      options.mode = .first
      let chosen = options
      return try PreparedRun.single(1) { (_) throws(MeridianError) in
        _ = try host.validate(.valid, set, options: chosen, run: run)
      }
    }
  }

  /// The verdict on the same polygon, prepared, after one vertex moved.
  private static func edit(_ workloads: Workloads) -> BenchCase {
    let head = head(.validate, MRD_VALIDATE_PREPARED, "ring-10000", "edit", "10,000 vertices, one moved a call")
    return BenchCase(head) { (host, kernel) throws(MeridianError) in
      let count = 10_000
      let set = try figure(count, size: 1, seed: workloads.seed)
      let run = Run(threads: 1, rules: Naming.rules(.numbered(.validate, MRD_VALIDATE_PREPARED), kernel))
      let editor = try Editor(host: host, set: set, row: 0, run: run)
      let array = set.arrays[0]
      return try PreparedRun.single(count - 1) { (number) throws(MeridianError) in
        // A hair toward the inside and back at the next round: the figure stays as valid as it was.
        let vertex = (number * 7919) % (count - 1)
        let scale = number % 2 == 0 ? 1 - 1e-7 : 1.0
        _ = try editor.edit(
          [Edit(.move, vertex: vertex, x: array.x(vertex) * scale, y: array.y(vertex) * scale)], run: run)
      }
    }
  }

  /// One star-shaped ring about 0 0.
  private static func figure(_ vertices: Int, size: Double, seed: UInt64) throws(MeridianError) -> GeometrySet {
    var random = SeededRandom(seed: seed, stream: "figure")
    var star = Star(sizes: size...size, &random)
    (star.x, star.y) = (0, 0)
    var builder = GeometryBuilder()
    try builder.polygon([star.ring(vertices, smooth: 0.15, white: 0.0005, &random)])
    return try builder.finish()
  }
}

extension PreparedRun {
  /// A case whose run is one call after the other. The first is made now: it tells whether the kernel answers.
  fileprivate static func single(
    _ count: Int, _ call: @escaping (Int) throws(MeridianError) -> Void
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
    return prepared
  }
}

/// A layer of short tracks over a square, with windows that a screen of 1,000 points shows.
private struct TrackLayer: Sendable {
  static let vertices = 10

  let set: GeometrySet
  let boxes: Boxes
  let windows: Boxes
  /// Size of a screen point in coordinate units.
  let pixel: Double

  static func make(_ count: Int, seed: UInt64) throws(MeridianError) -> TrackLayer {
    var random = SeededRandom(seed: seed, stream: "layer")
    var builder = GeometryBuilder()
    var boxes = Boxes()
    // A window of `side` shows 500 of `count` tracks in a square of side 1.
    let side = (500 / Double(count)).squareRoot()
    let step = side / 200
    for _ in 0..<count {
      try builder.begin(.lineString, .xy)
      var (x, y, heading) = (random.uniform(), random.uniform(), random.uniform(0, 2 * .pi))
      var bounds = Bounds()
      for _ in 0..<vertices {
        builder.add(x, y)
        bounds.add(x, y)
        heading += 0.5 * random.normal()
        x += step * cos(heading)
        y += step * sin(heading)
      }
      try builder.end()
      boxes.append(bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax)
    }
    var windows = Boxes()
    for _ in 0..<500 {
      let (x, y) = (random.uniform(0, 1 - min(side, 1)), random.uniform(0, 1 - min(side, 1)))
      windows.append(x, y, x + side, y + side)
    }
    return TrackLayer(set: try builder.finish(), boxes: boxes, windows: windows, pixel: side / 1000)
  }

  private struct Bounds {
    var (xmin, ymin) = (Double.infinity, Double.infinity)
    var (xmax, ymax) = (-Double.infinity, -Double.infinity)

    mutating func add(_ x: Double, _ y: Double) {
      (xmin, ymin) = (min(xmin, x), min(ymin, y))
      (xmax, ymax) = (max(xmax, x), max(ymax, y))
    }
  }
}
