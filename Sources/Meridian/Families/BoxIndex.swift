// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

/// An index of boxes. The kernel that built or opened it answers all of its queries; rules of later calls do not change
/// that.
///
/// Safe from any thread: queries run concurrently, `insert` and `remove` wait until they are alone.
public final class BoxIndex: @unchecked Sendable {
  /// Which kernels measured the bounds and built the index, and why.
  public let answers: Answers
  let host: Host
  let choice: Choice
  let table: mrd_family_index
  let handle: OpaquePointer
  private let model: GeometryModel
  private let gate = ReadWriteLock()
  /// Bytes that the handle borrows.
  private let bytes: Buffer?

  /// From the bounds of a set's rows; row numbers are the ids. Null rows, and rows without bounds, are counted and never
  /// hit. The edge model is the run's, or the set's.
  public convenience init(
    host: Host, set: GeometrySet, options: IndexOptions = IndexOptions(), run: Run = Run()
  ) throws(MeridianError) {
    let bounds = try host.measure(.bounds, set, run: run)
    var boxes = Boxes()
    boxes.xmin = bounds.columns[0]
    boxes.ymin = bounds.columns[1]
    boxes.xmax = bounds.columns[2]
    boxes.ymax = bounds.columns[3]
    try self.init(
      host: host, boxes: boxes, model: run.model ?? set.model, options: options, run: run, bounds: bounds.answers)
  }

  /// From boxes; box i has id i.
  public convenience init(
    host: Host, boxes: Boxes, model: GeometryModel = .planar, options: IndexOptions = IndexOptions(), run: Run = Run()
  ) throws(MeridianError) {
    try self.init(host: host, boxes: boxes, model: model, options: options, run: run, bounds: Answers())
  }

  private convenience init(
    host: Host, boxes: Boxes, model: GeometryModel, options: IndexOptions, run: Run, bounds: Answers
  ) throws(MeridianError) {
    let model = run.model ?? model
    let made: BoxIndex = try options.withABI { (options) throws(MeridianError) in
      try boxes.withABI(model) { (boxes) throws(MeridianError) in
        try BoxIndex(host, boxes: boxes, options: options, run: run, bounds: bounds)
      }
    }
    self.init(sharing: made)
  }

  /// From bytes that `save` made.
  public convenience init(host: Host, bytes: [UInt8], run: Run = Run()) throws(MeridianError) {
    let kept = Buffer()
    guard kept.resize(bytes.count) else { throw MeridianError(.memory, "no memory for the bytes of an index") }
    bytes.withUnsafeBytes { source in
      if let start = source.baseAddress { kept.pointer?.copyMemory(from: start, byteCount: source.count) }
    }
    try self.init(host, bytes: kept.pointer, count: bytes.count, keeping: kept, run: run)
  }

  /// From a file that was built with `IndexOptions.path`.
  public convenience init(
    host: Host, file: String, options: IndexOptions = IndexOptions(), run: Run = Run()
  ) throws(MeridianError) {
    let made: BoxIndex = try options.withABI { (options) throws(MeridianError) in
      try BoxIndex(host, file: file, options: options, run: run)
    }
    self.init(sharing: made)
  }

  // MARK: - Over the ABI's own options, for the C interface too

  convenience init(
    _ host: Host, boxes: mrd_boxes, options: mrd_index_options, run: Run, bounds: Answers = Answers()
  ) throws(MeridianError) {
    let model = boxes.model.map { GeometryModel($0.pointee) } ?? .planar
    let abilities: UInt32 = options.path == nil ? 0 : MRD_OP_PERSISTS
    try self.init(host, .numbered(.index, MRD_INDEX_BUILD), model, abilities, nil, run, bounds) { table, out, call in
      guard let build = table.build else { return MRD_E_UNSUPPORTED }
      var (boxes, options) = (boxes, options)
      return build(&boxes, &options, &out, call)
    }
  }

  /// `bytes` must live as long as the index, in `keeping` or with the caller.
  convenience init(
    _ host: Host, bytes: UnsafeRawPointer?, count: Int, keeping: Buffer?, run: Run
  ) throws(MeridianError) {
    try self.init(host, .numbered(.index, MRD_INDEX_OPEN), run.model ?? .planar, 0, keeping, run, Answers()) {
      table, out, call in
      guard let open = table.open else { return MRD_E_UNSUPPORTED }
      return open(bytes, Int64(count), &out, call)
    }
  }

  convenience init(
    _ host: Host, file: String, options: mrd_index_options, run: Run
  ) throws(MeridianError) {
    let abilities = MRD_OP_PERSISTS
    try self.init(host, .numbered(.index, MRD_INDEX_OPEN), run.model ?? .planar, abilities, nil, run, Answers()) {
      table, out, call in
      guard let open = table.open_file else { return MRD_E_UNSUPPORTED }
      var options = options
      return file.withCString { open($0, &options, &out, call) }
    }
  }

  private convenience init(
    _ host: Host, _ operation: Operation, _ model: GeometryModel, _ abilities: UInt32, _ bytes: Buffer?, _ run: Run,
    _ answers: Answers,
    _ make:
      @escaping (
        _ table: mrd_family_index, _ out: inout OpaquePointer?, _ call: UnsafeMutablePointer<mrd_call>
      ) -> mrd_status
  ) throws(MeridianError) {
    let state = RunState(host, run, work: 0)
    let shape = CallShape(type: nil, dimensions: nil, model: model, dialect: nil, abilities: abilities)
    let choice = try state.choose(operation, shape)
    guard let table = choice.plugin.index?.pointee, table.release != nil else {
      throw MeridianError(.unsupported, "\(choice.plugin.id) does not offer \(operation.fullName)")
    }
    let made = try KernelJob(state, operation, choice, items: 1, grain: nil).perform(
      enter: { _, context in make(table, &context.handle, context.call) },
      collect: { _, context throws(MeridianError) in
        guard let handle = context.handle else { throw context.fault("made no index") }
        return HandleBox(handle)
      },
      abandon: { table.release?($0) })
    var all = answers
    all.add(operation, choice, type: nil)
    self.init(host, choice, table, made[0].handle, model, bytes, all)
  }

  private init(
    _ host: Host, _ choice: Choice, _ table: mrd_family_index, _ handle: OpaquePointer, _ model: GeometryModel,
    _ bytes: Buffer?, _ answers: Answers
  ) {
    self.answers = answers
    self.host = host
    self.choice = choice
    self.table = table
    self.model = model
    self.bytes = bytes
    self.handle = handle
    parent = nil
  }

  /// A second object for one handle, which the first one releases.
  private init(sharing other: BoxIndex) {
    answers = other.answers
    host = other.host
    choice = other.choice
    table = other.table
    model = other.model
    bytes = other.bytes
    handle = other.handle
    parent = other
  }
  private let parent: BoxIndex?

  deinit { if parent == nil { table.release?(handle) } }
}

// MARK: - Questions

extension BoxIndex {
  /// Facts of the index, at once.
  public var facts: IndexFacts {
    get throws(MeridianError) {
      let facts = try rawFacts()
      return IndexFacts(
        boxes: Int(facts.boxes), neverHit: Int(facts.never_hit), bytes: facts.bytes >= 0 ? Int(facts.bytes) : nil,
        bounds: [facts.bounds.0, facts.bounds.1, facts.bounds.2, facts.bounds.3],
        canInsertAndRemove: facts.flags & MRD_OP_INSERT_REMOVE != 0, canSave: facts.flags & MRD_OP_SERIALISES != 0,
        livesInFile: facts.flags & MRD_OP_PERSISTS != 0)
    }
  }

  func rawFacts() throws(MeridianError) -> mrd_index_facts {
    guard let facts = table.facts else { throw MeridianError(.unsupported, "\(choice.plugin.id) tells no facts") }
    var out = mrd_index_facts()
    out.struct_size = UInt32(MemoryLayout<mrd_index_facts>.size)
    var error = emptyErrorRecord()
    let status = reading { facts(handle, &out, &error) }
    guard status == MRD_OK else {
      throw MeridianError(Status(rawValue: status), "\(choice.plugin.id): facts failed\(errorText(error))")
    }
    return out
  }

  /// The boxes that meet each window.
  public func window(
    _ windows: Boxes, options: WindowOptions = WindowOptions(), run: Run = Run()
  ) throws(MeridianError) -> IndexHits {
    var abi = mrd_window_options()
    abi.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    abi.flags = options.ascending ? MRD_WINDOW_ASCENDING : 0
    abi.limit = Int64(options.limit)
    let raw = try windows.withABI(run.model ?? model) { (boxes) throws(MeridianError) in
      try self.window(boxes, abi, run)
    }
    return hits(raw)
  }

  /// The boxes nearest to each query, by (distance, id). A point is a box without extent.
  public func nearest(
    _ queries: Boxes, options: NearestOptions = NearestOptions(), run: Run = Run()
  ) throws(MeridianError) -> IndexHits {
    guard options.exclude == nil || options.exclude?.count == queries.count else {
      throw MeridianError(.argument, "nearest: one id to exclude a query is needed")
    }
    var abi = mrd_nearest_options()
    abi.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
    abi.ties = options.ties.rawValue
    abi.k = Int64(options.count)
    abi.max_distance_coord = options.maxDistanceCoord
    abi.max_distance_m = options.maxDistanceMetres
    let raw = try queries.withABI(run.model ?? model) { (boxes) throws(MeridianError) in
      try (options.exclude ?? []).withUnsafeBufferPointer { (exclude) throws(MeridianError) in
        if options.exclude != nil { abi.exclude = exclude.baseAddress }
        return try self.nearest(boxes, abi, run)
      }
    }
    return hits(raw)
  }

  /// Pairs of boxes that meet, ascending; nil = with itself, pairs i < j. Both indexes are of one kernel.
  public func join(_ other: BoxIndex? = nil, run: Run = Run()) throws(MeridianError) -> IndexPairs {
    let ids = try joinIDs(other, run)
    return IndexPairs(
      pairs: stride(from: 0, to: ids.count, by: 2).map { (ids[$0], ids[$0 + 1]) }, answers: answers)
  }

  /// The index as relocatable bytes. Needs a kernel with SERIALISES.
  public func save(run: Run = Run()) throws(MeridianError) -> [UInt8] {
    try savedBytes(run).array(of: UInt8.self)
  }

  /// Adds boxes; `ids` nil = the next numbers. An id that is there already throws and nothing is added.
  public func insert(_ boxes: Boxes, ids: [Int64]? = nil, run: Run = Run()) throws(MeridianError) {
    guard ids == nil || ids?.count == boxes.count else {
      throw MeridianError(.argument, "insert: one id a box is needed")
    }
    try boxes.withABI(run.model ?? model) { (boxes) throws(MeridianError) in
      try (ids ?? []).withUnsafeBufferPointer { (list) throws(MeridianError) in
        try self.insert(boxes, ids == nil ? nil : list.baseAddress, run)
      }
    }
  }

  /// Removes boxes; the answer is how many of the ids were there.
  public func remove(_ ids: [Int64], run: Run = Run()) throws(MeridianError) -> Int {
    try ids.withUnsafeBufferPointer { (list) throws(MeridianError) in
      try Int(self.remove(list.baseAddress, Int64(list.count), run))
    }
  }

  private func hits(_ raw: RawIndexHits) -> IndexHits {
    IndexHits(
      offsets: raw.offsets.map { Int($0) }, ids: raw.ids, distances: raw.distances,
      statuses: raw.statuses.map { RowStatus(rawValue: $0) }, answers: answers)
  }
}

// MARK: - Over the ABI's own options, for the C interface too

struct RawIndexHits {
  /// Empty for the modes COUNT and FIRST, whose ids are one a window.
  var offsets: [Int64] = [0]
  var ids: [Int64] = []
  var distances: [Double] = []
  var statuses: [Int32] = []
}

extension RawIndexHits {
  /// The lists of all chunks, one behind the other; a single one is taken over as it is.
  fileprivate init(joining chunks: [RawIndexHits]) {
    if chunks.count == 1 {
      self = chunks[0]
      return
    }
    offsets.reserveCapacity(chunks.reduce(1) { $0 + max(0, $1.offsets.count - 1) })
    ids.reserveCapacity(chunks.reduce(0) { $0 + $1.ids.count })
    distances.reserveCapacity(chunks.reduce(0) { $0 + $1.distances.count })
    for chunk in chunks {
      for offset in chunk.offsets.dropFirst() { offsets.append(Int64(ids.count) + offset) }
      ids += chunk.ids
      distances += chunk.distances
    }
    if chunks.contains(where: { $0.offsets.isEmpty }) { offsets = [] }
  }
}

extension BoxIndex {
  /// Queries of a call, about: kernels sort what they get, so many at once are answered faster; answers do not depend on it.
  private static let grain = 16_384
  /// With several threads, so that small batches have work for each.
  private static let parallelGrain = 1024

  func window(_ windows: mrd_boxes, _ options: mrd_window_options, _ run: Run) throws(MeridianError) -> RawIndexHits {
    guard let window = table.window else { throw unsupported("index.window") }
    let hasRows = options.mode == MRD_WINDOW_IDS && options.visitor == nil
    // A visitor runs on the calling thread and counts windows from the first: one call.
    return try queried(MRD_INDEX_WINDOW, windows, isWhole: options.visitor != nil, run) { boxes, _, context in
      var options = options
      return window(self.handle, boxes, &options, context.call)
    } collect: { rows, context throws(MeridianError) in
      guard options.visitor == nil else { return RawIndexHits() }
      let ids = context.result(MRD_BUF_IDS).array(of: Int64.self)
      guard hasRows || ids.count == rows.count else { throw context.fault("\(ids.count) answers for \(rows.count)") }
      return RawIndexHits(
        offsets: hasRows ? try context.takeRows(rows.count, entries: ids.count) : [], ids: ids)
    }
  }

  func nearest(_ queries: mrd_boxes, _ options: mrd_nearest_options, _ run: Run) throws(MeridianError) -> RawIndexHits {
    guard let nearest = table.nearest else { throw unsupported("index.nearest") }
    return try queried(MRD_INDEX_NEAREST, queries, isWhole: false, run) { boxes, rows, context in
      var options = options
      options.exclude = options.exclude.map { $0 + rows.lowerBound }
      return nearest(self.handle, boxes, &options, context.call)
    } collect: { rows, context throws(MeridianError) in
      let ids = context.result(MRD_BUF_IDS).array(of: Int64.self)
      return RawIndexHits(
        offsets: try context.takeRows(rows.count, entries: ids.count), ids: ids,
        distances: try context.takeValues(MRD_BUF_VALUES, count: ids.count, Double.self))
    }
  }

  /// Queries a call: enough calls for all threads, but none of them small.
  private func grain(_ count: Int, _ state: RunState) -> Int {
    min(Self.grain, max(Self.parallelGrain, count / (4 * max(1, state.threads - 1))))
  }

  /// Runs queries in chunks, or all in one call, and joins their lists.
  private func queried(
    _ operation: UInt32, _ boxes: mrd_boxes, isWhole: Bool, _ run: Run,
    _ enter: @escaping (UnsafePointer<mrd_boxes>, Range<Int>, CallContext) -> mrd_status,
    collect: @escaping (Range<Int>, CallContext) throws(MeridianError) -> RawIndexHits
  ) throws(MeridianError) -> RawIndexHits {
    let count = max(0, Int(boxes.length))
    let statuses = ItemColumn(count)
    let state = RunState(host, run, work: 2 * Double(count))
    let job = KernelJob(
      state, .numbered(.index, operation), choice, items: count, grain: isWhole ? nil : grain(count, state))
    let chunks = try reading { () throws(MeridianError) in
      try job.perform(
        prepare: { rows, context throws(MeridianError) in try context.lendStatuses(statuses.column, rows) },
        enter: { rows, context in
          var slice = boxes.slice(rows)
          return enter(&slice, rows, context)
        },
        collect: collect)
    }
    var whole = RawIndexHits(joining: chunks)
    whole.statuses = (0..<count).map { statuses[$0] }
    state.progress?.finish()
    return whole
  }

  func joinIDs(_ other: BoxIndex?, _ run: Run) throws(MeridianError) -> [Int64] {
    guard let join = table.join else { throw unsupported("index.join") }
    guard other == nil || other?.choice.plugin === choice.plugin else {
      throw MeridianError(.argument, "join: the two indexes are of different kernels")
    }
    let state = RunState(host, run, work: 0)
    let job = KernelJob(state, .numbered(.index, MRD_INDEX_JOIN), choice, items: 1, grain: nil)
    let (own, their) = (handle, other?.handle)
    func perform() throws(MeridianError) -> [[Int64]] {
      try job.perform(
        enter: { _, context in join(own, their, context.call) },
        collect: { _, context throws(MeridianError) in
          let ids = context.result(MRD_BUF_IDS).array(of: Int64.self)
          guard ids.count % 2 == 0 else { throw context.fault("half a pair") }
          return ids
        })
    }
    let lists = try reading { () throws(MeridianError) in
      guard let other, other.root !== root else { return try perform() }
      return try other.reading { () throws(MeridianError) in try perform() }
    }
    return lists[0]
  }

  func savedBytes(_ run: Run) throws(MeridianError) -> Buffer {
    guard let save = table.save else { throw unsupported("index.save") }
    let handle = self.handle
    return try reading { () throws(MeridianError) in
      try KernelJob(RunState(host, run, work: 0), .numbered(.index, MRD_INDEX_SAVE), choice, items: 1, grain: nil)
        .perform(
          enter: { _, context in save(handle, context.call) },
          collect: { _, context throws(MeridianError) in context.result(MRD_BUF_BYTES) })[0]
    }
  }

  func insert(_ boxes: mrd_boxes, _ ids: UnsafePointer<Int64>?, _ run: Run) throws(MeridianError) {
    guard let insert = table.insert else { throw unsupported("index.insert") }
    let (handle, ids) = (self.handle, SendablePointer(UnsafeMutableRawPointer(mutating: ids)))
    try writing { () throws(MeridianError) in
      _ = try KernelJob(RunState(host, run, work: 0), .numbered(.index, MRD_INDEX_INSERT), choice, items: 1, grain: nil)
        .perform(
          enter: { _, context in
            var boxes = boxes
            return insert(handle, &boxes, UnsafePointer(ids.pointer?.assumingMemoryBound(to: Int64.self)), context.call)
          },
          collect: { _, _ throws(MeridianError) in () })
    }
  }

  func remove(_ ids: UnsafePointer<Int64>?, _ count: Int64, _ run: Run) throws(MeridianError) -> Int64 {
    guard let remove = table.remove else { throw unsupported("index.remove") }
    let (handle, ids) = (self.handle, SendablePointer(UnsafeMutableRawPointer(mutating: ids)))
    return try writing { () throws(MeridianError) in
      try KernelJob(RunState(host, run, work: 0), .numbered(.index, MRD_INDEX_REMOVE), choice, items: 1, grain: nil)
        .perform(
          enter: { _, context in
            remove(
              handle, UnsafePointer(ids.pointer?.assumingMemoryBound(to: Int64.self)), count, &context.number,
              context.call)
          },
          collect: { _, context throws(MeridianError) in context.number })[0]
    }
  }

  private func unsupported(_ operation: String) -> MeridianError {
    MeridianError(.unsupported, "\(choice.plugin.id) made this index and does not offer \(operation)")
  }

  /// The object that owns the handle and its lock.
  private var root: BoxIndex { parent ?? self }

  func reading<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try root.gate.reading(body) }
  func writing<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try root.gate.writing(body) }
}

extension mrd_boxes {
  /// The boxes `rows`.
  func slice(_ rows: Range<Int>) -> mrd_boxes {
    func moved(_ base: UnsafePointer<Double>?, _ stride: Int64) -> UnsafePointer<Double>? {
      guard let base else { return nil }
      return (UnsafeRawPointer(base) + rows.lowerBound * Int(stride)).assumingMemoryBound(to: Double.self)
    }
    var slice = self
    slice.length = Int64(rows.count)
    slice.v = (
      moved(v.0, stride.0), moved(v.1, stride.1), moved(v.2, stride.2), moved(v.3, stride.3)
    )
    return slice
  }
}

extension Boxes {
  func withABI<R>(
    _ model: GeometryModel, _ body: (mrd_boxes) throws(MeridianError) -> R
  ) throws(MeridianError) -> R {
    guard ymin.count == count, xmax.count == count, ymax.count == count else {
      throw MeridianError(.argument, "boxes: the four columns have different lengths")
    }
    return try xmin.withUnsafeBufferPointer { (xmin) throws(MeridianError) in
      try ymin.withUnsafeBufferPointer { (ymin) throws(MeridianError) in
        try xmax.withUnsafeBufferPointer { (xmax) throws(MeridianError) in
          try ymax.withUnsafeBufferPointer { (ymax) throws(MeridianError) in
            var boxes = mrd_boxes()
            boxes.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
            boxes.length = Int64(xmin.count)
            boxes.v = (xmin.baseAddress, ymin.baseAddress, xmax.baseAddress, ymax.baseAddress)
            boxes.stride = (8, 8, 8, 8)
            var abi = model.abi
            return try withUnsafePointer(to: &abi) { (model) throws(MeridianError) in
              boxes.model = model
              return try body(boxes)
            }
          }
        }
      }
    }
  }
}

extension IndexOptions {
  func withABI<R>(_ body: (mrd_index_options) throws(MeridianError) -> R) throws(MeridianError) -> R {
    var options = mrd_index_options()
    options.struct_size = UInt32(MemoryLayout<mrd_index_options>.size)
    options.flags = readOnly ? MRD_INDEX_READ_ONLY : 0
    guard let path else { return try body(options) }
    return try path.utf8CString.withUnsafeBufferPointer { (path) throws(MeridianError) in
      options.path = path.baseAddress
      return try body(options)
    }
  }
}
