// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Files, as the user named them.
public struct Inputs: Sendable {
  public var files: [String]
  /// nil = by name and content; standard input needs it.
  public var format: Format?
  /// nil = every layer.
  public var layer: String?
  public var selection = Selection()

  public init(files: [String], format: Format? = nil, layer: String? = nil) {
    self.files = files
    self.format = format
    self.layer = layer
  }
}

/// The rows that a job is about.
public struct Selection: Sendable {
  /// At most so many rows are read of each layer, its first ones; nil = all.
  public var rows: Int?
  /// Only rows that are not valid by the rules of OGC, unreadable ones among them.
  public var onlyInvalid = false
  public init() {}
}

/// The layer that a batch comes from.
public struct Source: Sendable {
  /// As the user named it; "-" = standard input.
  public let file: String
  public let layer: Layer
}

extension BatchLimit {
  /// For jobs whose rows depend on each other.
  static let wholeLayer = BatchLimit(rows: .max, coordinates: .max)
}

extension FeatureBatch {
  /// Reasons by row of the layer, for rows that have no geometry because they could not be read.
  var unreadable: [Int: String] {
    var reasons: [Int: String] = [:]
    for problem in problems {
      guard let row = row(numbered: problem.row), geometries.type(ofRow: row) == nil else { continue }
      reasons[problem.row] = problem.place + problem.reason
    }
    return reasons
  }
}

extension RowProblem {
  /// "line 12: " or "byte 3456: ", as far as it is known.
  fileprivate var place: String {
    line.map { "line \($0): " } ?? byte.map { "byte \($0): " } ?? ""
  }
}

extension JobContext {
  /// Reads the inputs, batch by batch. What a file or row has wrong is told on standard error; with several files the
  /// others go on. An empty layer gives one empty batch.
  ///
  /// - Parameters:
  ///   - oneLayer: the job writes one layer, so a file with several needs a choice.
  ///   - keepsText: the job writes features that it does not change byte for byte.
  func eachBatch(
    of inputs: Inputs, _ what: String, limit: BatchLimit = BatchLimit(), oneLayer: Bool = false,
    keepsText: Bool = false,
    _ body: (Source, FeatureBatch) throws(JobError) -> Void
  ) throws(JobError) {
    defer { messages.clear() }
    for (number, file) in inputs.files.enumerated() {
      let readers: [any FeatureReader]
      do {
        readers = try openReaders(file, inputs, ReadOptions(keepsText: keepsText))
      } catch {
        try tell(error)
        continue
      }
      if oneLayer, readers.count > 1 {
        let names = readers.compactMap(\.layer.name).joined(separator: ", ")
        throw .argument("\(file) has \(readers.count) layers (\(names)): choose one with --layer")
      }
      if inputs.files.count > 1 { messages.file = (number, inputs.files.count) }
      for reader in readers { try read(reader, inputs.selection, limit, what, body) }
    }
  }

  /// A GeoPackage without a choice gives all of its layers.
  private func openReaders(
    _ file: String, _ inputs: Inputs, _ options: ReadOptions
  ) throws(FormatError) -> [any FeatureReader] {
    guard let layer = inputs.layer else {
      return try MeridianIO.openReaders(file, format: inputs.format, options: options)
    }
    return [try openReader(file, format: inputs.format, layer: layer, options: options)]
  }

  private func read(
    _ reader: any FeatureReader, _ selection: Selection, _ limit: BatchLimit, _ what: String,
    _ body: (Source, FeatureBatch) throws(JobError) -> Void
  ) throws(JobError) {
    let source = Source(file: reader.file, layer: reader.layer)
    var limit = limit
    var wanted = selection.rows ?? .max
    let needsWhole = limit.rows == .max
    limit.rows = min(limit.rows, wanted)
    // A layer in one batch has nothing that reading could overlap with.
    let ahead = overlapsReading && !needsWhole ? ReadAhead(reader, limit) : nil
    var warnings: [String] = []
    defer {
      ahead?.stop()
      for warning in warnings { messages.warn(warning) }
    }
    var isEmpty = true
    while true {
      try Interrupt.check()
      let item = try ahead?.next() ?? ReadAhead.Item(reading: reader, limit)
      warnings = item.warnings
      switch item.batch {
      case .failure(let error): return try tell(error)
      case .success(nil):
        if isEmpty { try body(source, try emptyBatch()) }
        return
      case .success(let read?):
        isEmpty = false
        let batch = read.count <= wanted ? read : read.selecting(Array(0..<wanted))
        wanted -= batch.count
        tell(batch, of: source)
        try body(source, selection.onlyInvalid ? try invalidRows(of: batch, source) : batch)
        rows += batch.count
        messages.progress(what, rows: rows, findings: findings, item.fractionRead)
        if wanted == 0 { return }
      }
    }
  }

  /// The rows of a batch that are not valid, or could not be read, under their numbers. Rows without a verdict are none.
  private func invalidRows(of batch: FeatureBatch, _ source: Source) throws(JobError) -> FeatureBatch {
    var options = ValidateOptions()
    options.mode = .verdict
    let model = treatment.model(for: source.layer, .editing)
    let (result, _, faults) = try hosted(source.file, batch: batch) { () throws(MeridianError) in
      try validate(.valid, batch.geometries, options: options, run: run(model))
    }
    note(result.answers, isBeside: true)
    let unreadable = batch.unreadable
    let rows = (0..<batch.count).filter {
      result.verdicts[$0] == .invalid || unreadable[batch.number(ofRow: $0)] != nil || faults[$0] != nil
    }
    selectedRows = (selectedRows ?? 0) + rows.count
    return batch.selecting(rows)
  }

  private func emptyBatch() throws(JobError) -> FeatureBatch {
    var builder = GeometryBuilder()
    let set = try hosted { () throws(MeridianError) in try builder.finish() }
    return FeatureBatch(geometries: set, firstRow: 0, attributes: [])
  }

  /// A file that cannot be read is told; whether others go on is the caller's loop.
  private func tell(_ error: FormatError) throws(JobError) {
    try Interrupt.check()
    failedFiles += 1
    messages.error(error.description)
  }

  /// Rows on which a kernel failed are told one by one, like those that could not be read.
  func tell(_ faults: [Int: Fault], of batch: FeatureBatch, _ source: Source) {
    faultyRows += faults.count
    for (row, fault) in faults.sorted(by: { $0.key < $1.key }) {
      let layer = source.layer.name.map { "layer \($0): " } ?? ""
      messages.error("\(source.file): \(layer)row \(batch.number(ofRow: row)): \(fault.code): \(fault.message)")
    }
  }

  private func tell(_ batch: FeatureBatch, of source: Source) {
    let unreadable = batch.unreadable
    unreadableRows += unreadable.count
    for problem in batch.problems {
      let layer = source.layer.name.map { "layer \($0): " } ?? ""
      let line = "\(source.file): \(layer)row \(problem.row): \(problem.place)\(problem.reason)"
      if unreadable[problem.row] != nil { messages.error(line) } else { messages.warn(line) }
    }
  }

  /// All features of one layer in one set, for work that needs them together: targets to snap to.
  public func wholeLayer(of inputs: Inputs) throws(JobError) -> (layer: Layer, set: GeometrySet) {
    var found: (layer: Layer, set: GeometrySet)?
    try eachBatch(of: inputs, "reading", limit: .wholeLayer, oneLayer: true) { (source, batch) throws(JobError) in
      found = (source.layer, batch.geometries)
    }
    guard let found else { throw .failed("\(inputs.files.joined(separator: ", ")) could not be read") }
    rows = 0
    return found
  }
}
