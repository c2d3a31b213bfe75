// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianABI
import MeridianIO

/// Builds box indexes from features, opens them, and asks them. A row's number in its layer is its id.
public struct IndexJob {
  let context: JobContext
  public init(_ context: JobContext) { self.context = context }

  // MARK: - Build

  /// Writes an index of one layer: a file of the kernel's own where it keeps indexes in files, else relocatable bytes.
  public func build(_ inputs: Inputs, to path: String) throws(JobError) {
    let (boxes, model) = try boxes(of: inputs)
    let index = try keepable(boxes, model, of: inputs)
    context.note(index.answers, model)
    let facts = try hosted { () throws(MeridianError) in try index.facts }
    if path != "-", try keepsFiles(index) {
      try buildInFile(boxes, model, path)
    } else {
      let bytes = try hosted { () throws(MeridianError) in try index.save(run: run()) }
      let output = try ReportOutput(path)
      try output.write(bytes)
      try output.finish()
    }
    context.setInputTotals(files: inputs.files.count)
    describe(facts)
  }

  /// An index that can be kept. The preferred kernel may have them in memory alone: then one that saves them takes over,
  /// with a warning.
  private func keepable(_ boxes: Boxes, _ model: GeometryModel, of inputs: Inputs) throws(JobError) -> BoxIndex {
    func index(_ rules: String?) throws(JobError) -> BoxIndex {
      try hosted(inputs.files.first) { () throws(MeridianError) in
        try BoxIndex(host: context.host, boxes: boxes, model: model, run: run(rules))
      }
    }
    let preferred = try index(nil)
    let facts = try hosted { () throws(MeridianError) in try preferred.facts }
    guard !facts.canSave, !facts.livesInFile, preferred.answers.list.contains(where: { !$0.reason.hasPrefix("named") })
    else { return preferred }
    guard let saver = context.host.kernels.first(where: { $0.operations.contains("index.save") }) else {
      let reason = "keeps indexes in memory alone, and no other kernel is here; ask the features themselves instead"
      throw .failed("\(preferred.answers.kernels) \(reason)")
    }
    context.messages.warn("\(preferred.answers.kernels) keeps indexes in memory alone: \(saver.id) builds this one")
    return try index("index=\(saver.id)")
  }

  /// True when the kernel that made the index can keep it in a file of its own, such as a database.
  private func keepsFiles(_ index: BoxIndex) throws(JobError) -> Bool {
    guard let kernel = index.answers.list.last?.kernel,
      let build = Operation.find(.index, MRD_INDEX_BUILD)
    else { return false }
    return try hosted { () throws(MeridianError) in
      try context.host.info(kernel: kernel, operation: build).pointee.flags & MRD_OP_PERSISTS != 0
    }
  }

  /// The kernel writes the file itself, so it writes one of another name, which then takes the place.
  private func buildInFile(_ boxes: Boxes, _ model: GeometryModel, _ path: String) throws(JobError) {
    let temporary = try formatted { () throws(FormatError) in try ReplacementFile.name(for: path) }
    do throws(JobError) {
      _ = try hosted(path) { () throws(MeridianError) in
        let options = IndexOptions(path: temporary.path)
        return try BoxIndex(host: context.host, boxes: boxes, model: model, options: options, run: run())
      }
      guard temporary.publish() else { throw .failed("\(path): \(lastError())") }
    } catch {
      temporary.remove()
      throw error
    }
  }

  /// Boxes of all rows; null and empty rows get one that is never hit.
  private func boxes(of inputs: Inputs) throws(JobError) -> (Boxes, GeometryModel) {
    var boxes = Boxes()
    var model = GeometryModel.planar
    try context.eachBatch(of: inputs, "indexing", oneLayer: true) { (source, batch) throws(JobError) in
      model = context.treatment.model(for: source.layer, .indexing)
      // The metric says what distances are in; boxes follow from the edges alone.
      var boxModel = model
      if model.edges == MRD_EDGES_PLANAR { boxModel = .planar }
      let bounds = try hosted(source.file, batch: batch) { () throws(MeridianError) in
        try context.host.measure(.bounds, batch.geometries, run: context.run(boxModel))
      }
      context.note(bounds.answers, boxModel)
      for row in 0..<batch.count {
        let box = bounds.columns.map { $0[row] }
        boxes.append(box[0], box[1], box[2], box[3])
      }
    }
    if context.failedFiles > 0 { throw .failed("nothing was indexed") }
    return (boxes, model)
  }

  private func describe(_ facts: IndexFacts) {
    context.set("boxes", .integer(facts.boxes))
    context.set("never_hit", .integer(facts.neverHit))
    if let bytes = facts.bytes { context.set("bytes", .integer(bytes)) }
    context.set("bounds", .list(facts.bounds.map { .number($0) }))
  }

  private func run(_ rules: String? = nil) -> Run { Run(cancel: Interrupt.cancelWord, rules: rules) }

  // MARK: - Open

  /// An index file, or a file of features that is indexed on the fly.
  public func open(_ inputs: Inputs) throws(JobError) -> BoxIndex {
    guard let file = inputs.files.first else { throw .argument("a file is missing") }
    let kind = inputs.format == nil && file != "-" ? try FileKind(of: file) : .features
    let index: BoxIndex
    switch kind {
    case .features:
      let (boxes, model) = try boxes(of: inputs)
      index = try hosted(file) { () throws(MeridianError) in
        try BoxIndex(host: context.host, boxes: boxes, model: model, run: run())
      }
    case .database:
      index = try hosted(file) { () throws(MeridianError) in
        var options = IndexOptions()
        options.readOnly = true
        return try BoxIndex(host: context.host, file: file, options: options, run: run())
      }
    case .bytes:
      let bytes = try readFile(file)
      index = try hosted(file) { () throws(MeridianError) in
        try BoxIndex(host: context.host, bytes: bytes, run: run())
      }
    }
    context.note(index.answers)
    describe(try hosted { () throws(MeridianError) in try index.facts })
    return index
  }

  // MARK: - Ask

  /// Rows that meet each window, or how many they are.
  public func query(
    _ index: BoxIndex, windows: [QueryBox], count: Bool, report: some Report
  ) throws(JobError) {
    let hits = try hosted { () throws(MeridianError) in try index.window(windows.boxes, run: run()) }
    context.note(hits.answers)
    for (number, window) in windows.enumerated() {
      let rows = hits.ids(ofQuery: number)
      if count {
        try report.add(CountRow(window: window, count: rows.count))
      } else {
        for row in rows { try report.add(WindowRow(window: window, row: row)) }
      }
    }
    context.set("hits", .integer(hits.ids.count))
  }

  /// The rows nearest to each point.
  public func nearest(
    _ index: BoxIndex, points: [QueryBox], options: NearestOptions, report: some Report
  ) throws(JobError) {
    let hits = try hosted { () throws(MeridianError) in
      try index.nearest(points.boxes, options: options, run: run())
    }
    context.note(hits.answers)
    for (number, point) in points.enumerated() {
      let span = hits.offsets[number]..<hits.offsets[number + 1]
      for (rank, hit) in span.enumerated() {
        try report.add(NearestRow(point: point, rank: rank, row: hits.ids[hit], distance: hits.distances[hit]))
      }
    }
    context.set("hits", .integer(hits.ids.count))
  }
}

extension [QueryBox] {
  fileprivate var boxes: Boxes {
    var boxes = Boxes()
    for box in self { boxes.append(box.bounds[0], box.bounds[1], box.bounds[2], box.bounds[3]) }
    return boxes
  }
}

/// What a file is, as far as an index goes.
private enum FileKind {
  case features
  /// An SQLite file that is no GeoPackage.
  case database
  /// Bytes of a saved index.
  case bytes

  /// SQLite's magic is 16 bytes long; a GeoPackage has "GPKG" or "GP10" as application id at byte 68.
  init(of file: String) throws(JobError) {
    let head = try readFile(file, atMost: 72)
    if head.starts(with: Array("SQLite format 3\0".utf8)) {
      let id = head.count >= 72 ? Array(head[68..<70]) : []
      self = id == Array("GP".utf8) ? .features : .database
    } else if Format(fileName: file) != nil {
      self = .features
    } else {
      self = .bytes
    }
  }
}

/// The bytes of a file, or its beginning.
private func readFile(_ path: String, atMost limit: Int = .max) throws(JobError) -> [UInt8] {
  let descriptor = mrdp_open(path, O_RDONLY | O_CLOEXEC, 0)
  guard descriptor >= 0 else { throw .failed("\(path): \(lastError())") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 20))
  while bytes.count < limit {
    let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
    guard count >= 0 else { throw .failed("\(path): \(lastError())") }
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return bytes
}
