// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Boxes with their questions as a subject of cases.
struct IndexWorkload: Sendable {
  let name: String
  let boxes: Lazily<BoxWorkload>
  let count: Int
  let queries: Int
}

/// Building, asking, joining, saving and opening an index of boxes.
enum IndexCases {
  static func cases(_ workloads: Workloads) -> [BenchCase] {
    let (count, queries) = (workloads.size.boxes, workloads.size.queries)
    let both = [
      IndexWorkload(name: "B1", boxes: workloads.b1, count: count, queries: queries),
      IndexWorkload(name: "B2", boxes: workloads.b2, count: count, queries: queries),
    ]
    return both.flatMap { boxes in
      [
        build(boxes), window(boxes, sorted: false), window(boxes, sorted: true), nearest(boxes, count: 8), join(boxes),
        save(boxes), open(boxes),
      ]
    }
  }

  private static func operation(_ number: UInt32) -> Operation { .numbered(.index, number) }

  /// The rules of a case: they name the kernel for the build as well, since who built an index answers.
  private static func run(_ number: UInt32, _ kernel: String) -> Run {
    Run(rules: Naming.rules(operation(number), kernel) + ";index.build=\(kernel);index.open=\(kernel)")
  }

  private static func index(
    _ host: Host, _ workload: IndexWorkload, _ number: UInt32, _ kernel: String
  ) throws(MeridianError) -> BoxIndex {
    // A kernel may build an index and not answer this question.
    try host.require(operation(number).fullName, of: kernel)
    return try BoxIndex(host: host, boxes: try workload.boxes.value().boxes, run: run(number, kernel))
  }

  private static func truth(_ workload: IndexWorkload, _ queries: KeyPath<BoxWorkload, Boxes> & Sendable)
    -> Lazily<BruteForceBoxes>
  {
    Lazily { () throws(MeridianError) in
      let boxes = try workload.boxes.value()
      return BruteForceBoxes(boxes: boxes.boxes, queries: boxes[keyPath: queries])
    }
  }

  private static func head(
    _ number: UInt32, _ workload: IndexWorkload, _ setting: String, _ unit: WorkUnit
  ) -> CaseResult {
    let units = unit == .query ? workload.queries : workload.count
    return CaseResult(operation(number), workload.name, setting, unit: unit, units: units, rows: units)
  }

  static func build(_ workload: IndexWorkload) -> BenchCase {
    let oracle = BuiltIndexOracle(truth: truth(workload, \.windows))
    return BenchCase(head(MRD_INDEX_BUILD, workload, "bulk", .box), oracle: oracle) {
      (host, kernel) throws(MeridianError) in
      let run = run(MRD_INDEX_BUILD, kernel)
      let boxes = try workload.boxes.value().boxes
      _ = try BoxIndex(host: host, boxes: boxes.box(0), run: run)
      return PreparedRun { () throws(MeridianError) in
        try Outcome(BoxIndex(host: host, boxes: boxes, run: run))
      }
    }
  }

  /// Ids in the index's own order: sorting them is not the index's work.
  static func window(_ workload: IndexWorkload, sorted: Bool) -> BenchCase {
    let queries: KeyPath<BoxWorkload, Boxes> & Sendable = sorted ? \.sortedWindows : \.windows
    let oracle = WindowOracle(truth: truth(workload, queries))
    return BenchCase(head(MRD_INDEX_WINDOW, workload, sorted ? "sorted" : "random", .query), oracle: oracle) {
      (host, kernel) throws(MeridianError) in
      let index = try index(host, workload, MRD_INDEX_WINDOW, kernel)
      let run = run(MRD_INDEX_WINDOW, kernel)
      let windows = try workload.boxes.value()[keyPath: queries]
      var options = WindowOptions()
      options.ascending = false
      let chosen = options
      _ = try index.window(windows.box(0), options: options, run: run)
      return asking(windows, index) { (windows) throws(MeridianError) in
        try index.window(windows, options: chosen, run: run)
      }
    }
  }

  static func nearest(_ workload: IndexWorkload, count: Int) -> BenchCase {
    let oracle = NearestOracle(truth: truth(workload, \.points), count: count)
    return BenchCase(head(MRD_INDEX_NEAREST, workload, "\(count) nearest", .query), oracle: oracle) {
      (host, kernel) throws(MeridianError) in
      let index = try index(host, workload, MRD_INDEX_NEAREST, kernel)
      let run = run(MRD_INDEX_NEAREST, kernel)
      let points = try workload.boxes.value().points
      let options = NearestOptions(count: count)
      _ = try index.nearest(points.box(0), options: options, run: run)
      return asking(points, index) { (points) throws(MeridianError) in
        try index.nearest(points, options: options, run: run)
      }
    }
  }

  /// All questions at once, or one at a time.
  private static func asking(
    _ queries: Boxes, _ index: BoxIndex, _ ask: @escaping (Boxes) throws(MeridianError) -> IndexHits
  ) -> PreparedRun {
    var prepared = PreparedRun { () throws(MeridianError) in Outcome(hits: try ask(queries)) }
    let singles = RowSample.spread(queries.count, limit: BenchCase.singleCalls).map { queries.box($0) }
    prepared.single = { (number) throws(MeridianError) in _ = try ask(singles[number]) }
    prepared.singles = singles.count
    return prepared
  }

  /// With itself.
  static func join(_ workload: IndexWorkload) -> BenchCase {
    let oracle = JoinOracle(truth: truth(workload, \.boxes))
    return BenchCase(head(MRD_INDEX_JOIN, workload, "self", .box), oracle: oracle) {
      (host, kernel) throws(MeridianError) in
      let index = try index(host, workload, MRD_INDEX_JOIN, kernel)
      let run = run(MRD_INDEX_JOIN, kernel)
      return PreparedRun { () throws(MeridianError) in Outcome(pairs: try index.join(run: run).pairs) }
    }
  }

  /// To bytes; whether they are right shows where they are opened.
  static func save(_ workload: IndexWorkload) -> BenchCase {
    BenchCase(head(MRD_INDEX_SAVE, workload, "to bytes", .box)) { (host, kernel) throws(MeridianError) in
      let index = try index(host, workload, MRD_INDEX_SAVE, kernel)
      let run = run(MRD_INDEX_SAVE, kernel)
      return PreparedRun { () throws(MeridianError) in
        var outcome = Outcome()
        let bytes = try index.save(run: run)
        outcome.keptBytes = Int64(bytes.count)
        outcome.kept = bytes
        return outcome
      }
    }
  }

  static func open(_ workload: IndexWorkload) -> BenchCase {
    let oracle = BuiltIndexOracle(truth: truth(workload, \.windows))
    return BenchCase(head(MRD_INDEX_OPEN, workload, "from bytes", .box), oracle: oracle) {
      (host, kernel) throws(MeridianError) in
      let bytes = try index(host, workload, MRD_INDEX_OPEN, kernel).save(run: run(MRD_INDEX_SAVE, kernel))
      let run = run(MRD_INDEX_OPEN, kernel)
      return PreparedRun { () throws(MeridianError) in try Outcome(BoxIndex(host: host, bytes: bytes, run: run)) }
    }
  }
}
