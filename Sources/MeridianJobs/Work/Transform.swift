// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI
import MeridianIO

/// Changes the geometries of one layer and writes it: simplify, snap, convert.
public struct TransformJob {
  /// What is done to the geometries.
  public enum Change: Sendable {
    /// Nothing: another format.
    case none
    case simplify(SimplifyOperation, SimplifyOptions)
    case snapToGrid(SnapOptions)
    /// Every row to all features of a file.
    case snapToFile(Inputs, SnapOptions)
    /// Row i to row i of a file.
    case snapToPairs(Inputs, SnapOptions)
    case snapToSelf(SnapOptions)

    /// Full names of the operations that the job asks kernels for.
    public var operations: [String] {
      switch self {
      case .none: []
      case .simplify(let operation, _): ["simplify." + operation.name]
      case .snapToGrid: ["snap." + SnapOperation.grid.name]
      case .snapToFile: ["snap." + SnapOperation.layer.name]
      case .snapToPairs: ["snap." + SnapOperation.pair.name]
      case .snapToSelf: ["snap." + SnapOperation.ownLayer.name]
      }
    }

    /// The file that is snapped to.
    var targetFile: Inputs? {
      switch self {
      case .snapToFile(let inputs, _), .snapToPairs(let inputs, _): inputs
      default: nil
      }
    }

    /// Rows that depend on each other need the layer in one piece.
    var needsWholeLayer: Bool {
      switch self {
      case .none, .snapToGrid: false
      case .simplify(let operation, _): operation == .coverage
      case .snapToFile, .snapToPairs, .snapToSelf: true
      }
    }

    var verb: String {
      switch self {
      case .none: "converting"
      case .simplify: "simplifying"
      default: "snapping"
      }
    }

    /// What a changed row would have broken, when its status does not say more.
    var promise: String {
      switch self {
      case .none, .simplify: "the result would not be valid, or not within the tolerance"
      case .snapToGrid: "on the grid it would not be valid"
      case .snapToFile, .snapToPairs, .snapToSelf:
        "snapped it would not be valid, or would have moved farther than the tolerance"
      }
    }

    /// Distances in metres need the globe.
    var isInMetres: Bool {
      switch self {
      case .none, .snapToGrid: false
      case .simplify(_, let options): options.unit != .coord
      case .snapToFile(_, let options), .snapToPairs(_, let options), .snapToSelf(let options):
        options.toleranceMetres > 0
      }
    }
  }

  let context: JobContext
  let change: Change
  private var outcomes = Counts()
  private var left = LeftRows()
  private var verticesBefore = 0
  private var verticesAfter = 0
  private var targets: GeometrySet?

  public init(_ context: JobContext, _ change: Change) {
    self.context = context
    self.change = change
  }

  public mutating func run(_ inputs: Inputs, to output: FeatureOutput) throws(JobError) {
    var state = self
    defer { self = state }
    do throws(JobError) {
      if let targets = change.targetFile { state.targets = try context.wholeLayer(of: targets).set }
      let limit = change.needsWholeLayer ? BatchLimit.wholeLayer : BatchLimit()
      try context.eachBatch(of: inputs, change.verb, limit: limit, oneLayer: true) { (source, batch) throws(JobError) in
        try output.write(try state.changed(batch, of: source), of: source)
      }
      if context.failedFiles > 0 { throw JobError.failed("nothing was written") }
      try output.finish()
    } catch {
      output.abandon()
      throw error
    }
    context.tellLosses(of: output)
    state.summarise(inputs)
  }

  private mutating func changed(_ batch: FeatureBatch, of source: Source) throws(JobError) -> FeatureBatch {
    let set = batch.geometries
    let model = context.treatment.model(for: source.layer, .editing)
    if change.isInMetres {
      guard model.metric != MRD_METRIC_COORD else {
        throw .argument(
          "\(source.file): metres and pixels need longitude and latitude; --crs lonlat says that they are")
      }
    }
    var new = batch
    let run = context.run(model)
    var changedRows: [Int] = []
    new.geometries = try hosted(source.file, batch: batch) { () throws(MeridianError) in
      switch change {
      case .none:
        return set
      case .simplify(let operation, let options):
        let (result, faults) = try context.simplify(operation, set, options: options, run: run)
        changedRows = note(result.answers, result.outcomes, result.statuses, faults, batch) { $0 == .withheld }
        return result.set
      case .snapToGrid(let options):
        return try snapped(.grid, set, nil, options, run, batch, &changedRows)
      case .snapToFile(_, let options):
        return try snapped(.layer, set, targets, options, run, batch, &changedRows)
      case .snapToPairs(_, let options):
        return try snapped(.pair, set, targets, options, run, batch, &changedRows)
      case .snapToSelf(let options):
        return try snapped(.ownLayer, set, nil, options, run, batch, &changedRows)
      }
    }
    for row in changedRows { new.attributes[row].dropBounds() }
    verticesBefore += set.vertexCount
    verticesAfter += new.geometries.vertexCount
    return new
  }

  private mutating func snapped(
    _ operation: SnapOperation, _ set: GeometrySet, _ targets: GeometrySet?, _ options: SnapOptions, _ run: Run,
    _ batch: FeatureBatch, _ changedRows: inout [Int]
  ) throws(MeridianError) -> GeometrySet {
    let (result, faults) = try context.snap(operation, set, targets: targets, options: options, run: run)
    changedRows = note(result.answers, result.outcomes, result.statuses, faults, batch) { $0 == .withheld }
    return result.set
  }

  /// - Returns: the rows that were changed.
  private mutating func note<Outcome>(
    _ answers: Answers, _ list: [Outcome], _ statuses: [RowStatus], _ faults: [Int: Fault],
    _ batch: FeatureBatch,
    isWithheld: (Outcome) -> Bool
  ) -> [Int] {
    context.note(answers)
    context.faultyRows += faults.count
    var changed: [Int] = []
    for (row, outcome) in list.enumerated() {
      let name = "\(outcome)"
      outcomes.add(name)
      guard isWithheld(outcome) else {
        if name != "unchanged" { changed.append(row) }
        continue
      }
      let status = row < statuses.count ? statuses[row].reason : nil
      left.add(batch.number(ofRow: row), faults[row]?.message ?? status ?? change.promise)
    }
    return changed
  }

  private func summarise(_ inputs: Inputs) {
    let file = inputs.files.first ?? "-"
    context.setInputTotals(files: inputs.files.count)
    context.set("vertices_in", .integer(verticesBefore))
    context.set("vertices_out", .integer(verticesAfter))
    if !outcomes.isEmpty { context.set("outcomes", outcomes.value) }
    for sentence in left.sentences(file, "is left as it was") { context.messages.warn(sentence) }
  }
}
