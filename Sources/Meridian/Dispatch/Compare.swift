// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// How two kernels are compared: how often each runs, and the options of the operation.
public struct CompareOptions: Sendable {
  /// Runs of each kernel, in turn A B, B A, A B ...; at least 1.
  public var repeats = 5
  public var measure = MeasureOptions()
  public var validate = ValidateOptions()
  public var repair = RepairOptions()
  public var simplify = SimplifyOptions(tolerances: [0])
  public var snap = SnapOptions()
  /// For `snap.layer`; nil = the set itself.
  public var targets: GeometrySet?
  /// For `index.nearest`.
  public var nearest = NearestOptions()
  public init() {}
}

/// What two kernels make of one set.
public struct Comparison: Sendable {
  /// Rows that lists of rows hold at most.
  public static let listed = 20

  public let operation: String
  public let rows: Int
  public let answersA: Answers
  public let answersB: Answers
  /// One a column, for operations that give numbers.
  public internal(set) var numbers: [NumberDifference] = []
  /// Rows whose verdicts or lists of hits differ: how many, and the first of them.
  public internal(set) var disagreements = 0
  public internal(set) var disagreeingRows: [Int] = []
  /// For operations that give geometries.
  public internal(set) var geometry: GeometryDifference?
  /// Rows whose status codes differ.
  public internal(set) var statusDifferences = 0
  /// Median time of a run, in nanoseconds.
  public internal(set) var nanosecondsA: Int64 = 0
  public internal(set) var nanosecondsB: Int64 = 0
  /// Median over the pairs of runs of (time of B) / (time of A): above 1, A is faster.
  public internal(set) var timeRatio = 0.0

  /// True when nothing differs.
  public var isEqual: Bool {
    numbers.allSatisfy { $0.different == 0 && $0.onlyOne == 0 } && disagreements == 0 && statusDifferences == 0
      && (geometry.map { $0.different == 0 && $0.onlyOne == 0 } ?? true)
  }

  fileprivate mutating func disagree(_ row: Int) {
    disagreements += 1
    if disagreeingRows.count < Self.listed { disagreeingRows.append(row) }
  }
}

/// What one run of an operation gave, as far as it is compared.
private struct Outcome {
  var answers = Answers()
  var statuses: [RowStatus] = []
  var names: [String] = []
  var columns: [[Double]] = []
  var verdicts: [Verdict] = []
  var set: GeometrySet?
  var hits: IndexHits?
}

extension Host {
  /// Runs one operation with kernel `a` and with kernel `b` (ids or short ids) on the same set, in turn, and reports what
  /// differs and how their times compare. The results are those of the first runs.
  ///
  /// Index operations are asked for the set's own bounds; what is timed is the query.
  public func compare(
    _ operation: Operation, _ set: GeometrySet, a: String, b: String, options: CompareOptions = CompareOptions(),
    run: Run = Run()
  ) throws(MeridianError) -> Comparison {
    let runA = try runner(operation, set, kernel: a, options, run)
    let runB = try runner(operation, set, kernel: b, options, run)
    var (timesA, timesB): ([Int64], [Int64]) = ([], [])
    var first: (Outcome, Outcome)?
    for round in 0..<max(1, options.repeats) {
      let (one, two): ((Outcome, Int64), (Outcome, Int64))
      if round % 2 == 0 {
        one = try timed(runA)
        two = try timed(runB)
      } else {
        two = try timed(runB)
        one = try timed(runA)
      }
      timesA.append(one.1)
      timesB.append(two.1)
      if first == nil { first = (one.0, two.0) }
    }
    guard let (outcomeA, outcomeB) = first else { throw MeridianError(.argument, "compare: no run") }
    var comparison = Comparison(
      operation: operation.fullName, rows: set.count, answersA: outcomeA.answers, answersB: outcomeB.answers)
    comparison.judge(outcomeA, outcomeB)
    comparison.time(timesA, timesB)
    return comparison
  }

  private func timed(
    _ body: () throws(MeridianError) -> Outcome
  ) throws(MeridianError) -> (Outcome, Int64) {
    let start = monotonicNanoseconds()
    let outcome = try body()
    return (outcome, max(1, monotonicNanoseconds() &- start))
  }

  /// The operation with one kernel, ready to be timed. What kernels share, or prepare once, is done here.
  private func runner(
    _ operation: Operation, _ set: GeometrySet, kernel: String, _ options: CompareOptions, _ run: Run
  ) throws(MeridianError) -> () throws(MeridianError) -> Outcome {
    var own = run
    // An index answers queries itself: the kernel is held to building it.
    let builder = operation.family == .index ? "index.build=\(kernel)" : nil
    own.rules = [run.rules, "\(operation.family.name)=\(kernel)", builder, "\(operation.fullName)=\(kernel)"]
      .compactMap { $0 }.joined(separator: ";")
    switch operation.family {
    case .measure: return { () throws(MeridianError) in try self.measureOutcome(operation, set, options, own) }
    case .validate: return { () throws(MeridianError) in try self.validateOutcome(operation, set, options, own) }
    case .simplify: return { () throws(MeridianError) in try self.simplifyOutcome(operation, set, options, own) }
    case .snap: return { () throws(MeridianError) in try self.snapOutcome(operation, set, options, own) }
    case .index: return try indexRunner(operation, set, options, own, bounds: run)
    }
  }

  private func measureOutcome(
    _ operation: Operation, _ set: GeometrySet, _ options: CompareOptions, _ run: Run
  ) throws(MeridianError) -> Outcome {
    if operation.number == MRD_MEASURE_DENSIFY {
      let made = try densify(set, options: options.measure, run: run)
      return Outcome(answers: made.answers, statuses: made.statuses, set: made.set)
    }
    guard let one = MeasureOperation(rawValue: operation.number) else { throw incomparable(operation) }
    let measured = try measure(one, set, options: options.measure, run: run)
    return Outcome(
      answers: measured.answers, statuses: measured.statuses, names: measured.names, columns: measured.columns)
  }

  private func validateOutcome(
    _ operation: Operation, _ set: GeometrySet, _ options: CompareOptions, _ run: Run
  ) throws(MeridianError) -> Outcome {
    if operation.number == MRD_VALIDATE_REPAIR {
      let repaired = try repair(set, options: options.repair, run: run)
      return Outcome(answers: repaired.answers, statuses: repaired.statuses, set: repaired.set)
    }
    guard let check = ValidateOperation(rawValue: operation.number) else { throw incomparable(operation) }
    let validation = try validate(check, set, options: options.validate, run: run)
    return Outcome(
      answers: validation.answers, statuses: validation.statuses, verdicts: validation.verdicts)
  }

  private func simplifyOutcome(
    _ operation: Operation, _ set: GeometrySet, _ options: CompareOptions, _ run: Run
  ) throws(MeridianError) -> Outcome {
    guard let one = SimplifyOperation(rawValue: operation.number) else { throw incomparable(operation) }
    let simplified = try simplify(one, set, options: options.simplify, run: run)
    return Outcome(answers: simplified.answers, statuses: simplified.statuses, set: simplified.set)
  }

  private func snapOutcome(
    _ operation: Operation, _ set: GeometrySet, _ options: CompareOptions, _ run: Run
  ) throws(MeridianError) -> Outcome {
    guard let one = SnapOperation(rawValue: operation.number) else { throw incomparable(operation) }
    let takesTargets = one == .layer || one == .pair
    let snapped = try snap(
      one, set, targets: takesTargets ? options.targets ?? set : nil, options: options.snap, run: run)
    return Outcome(answers: snapped.answers, statuses: snapped.statuses, set: snapped.set)
  }

  private func indexRunner(
    _ operation: Operation, _ set: GeometrySet, _ options: CompareOptions, _ run: Run, bounds: Run
  ) throws(MeridianError) -> () throws(MeridianError) -> Outcome {
    let measured = try measure(.bounds, set, run: bounds)
    var boxes = Boxes()
    boxes.xmin = measured.columns[0]
    boxes.ymin = measured.columns[1]
    boxes.xmax = measured.columns[2]
    boxes.ymax = measured.columns[3]
    let queries = boxes
    let model = run.model ?? set.model
    if operation.number == MRD_INDEX_BUILD {
      return { () throws(MeridianError) in
        let index = try BoxIndex(host: self, boxes: queries, model: model, run: run)
        return Outcome(answers: index.answers)
      }
    }
    let index = try BoxIndex(host: self, boxes: boxes, model: model, run: run)
    switch operation.number {
    case MRD_INDEX_WINDOW:
      return { () throws(MeridianError) in Outcome(answers: index.answers, hits: try index.window(queries, run: run)) }
    case MRD_INDEX_NEAREST:
      return { () throws(MeridianError) in
        Outcome(answers: index.answers, hits: try index.nearest(queries, options: options.nearest, run: run))
      }
    default: throw incomparable(operation)
    }
  }

  private func incomparable(_ operation: Operation) -> MeridianError {
    MeridianError(.unsupported, "compare: \(operation.fullName) cannot be compared on one set")
  }
}

extension Comparison {
  fileprivate mutating func judge(_ a: Outcome, _ b: Outcome) {
    for (one, two) in zip(a.statuses, b.statuses) where one.code != two.code { statusDifferences += 1 }
    numbers = zip(a.names, zip(a.columns, b.columns)).map { name, columns in
      var difference = NumberDifference(column: name)
      for (row, pair) in zip(columns.0, columns.1).enumerated() { difference.add(pair.0, pair.1, row: row) }
      return difference
    }
    for (row, pair) in zip(a.verdicts, b.verdicts).enumerated() where pair.0 != pair.1 { disagree(row) }
    if let one = a.set, let two = b.set { geometry = GeometryDifference(one, two) }
    if let one = a.hits, let two = b.hits { judge(one, two) }
  }

  private mutating func judge(_ a: IndexHits, _ b: IndexHits) {
    var distances = NumberDifference(column: "distance")
    for query in 0..<min(a.offsets.count, b.offsets.count) - 1 {
      let (one, two) = (a.ids(ofQuery: query), b.ids(ofQuery: query))
      if !one.elementsEqual(two) { disagree(query) }
      guard !a.distances.isEmpty, !b.distances.isEmpty else { continue }
      for (i, j) in zip(one.indices, two.indices) { distances.add(a.distances[i], b.distances[j], row: query) }
    }
    if distances.compared > 0 { numbers = [distances] }
  }

  fileprivate mutating func time(_ a: [Int64], _ b: [Int64]) {
    nanosecondsA = a.sorted()[a.count / 2]
    nanosecondsB = b.sorted()[b.count / 2]
    let ratios = zip(a, b).map { Double($1) / Double($0) }.sorted()
    let middle = ratios.count / 2
    timeRatio = ratios.count % 2 == 1 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2
  }
}
