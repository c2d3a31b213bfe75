// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Prepared targets of one or more layers, for finding what a pointer is near to. The kernel that prepared them answers.
///
/// Queries may run concurrently.
public final class SnapTargets: @unchecked Sendable {
  /// One array of one layer: what the kernel calls a layer.
  private struct Source {
    let layer: Int
    let array: Int
    let count: Int
    /// The row of each geometry and its number inside its collection, as `GeometrySet` has them.
    let rows: [Int]?
    let members: [Int]?

    init(_ set: GeometrySet, layer: Int, array: Int) {
      self.layer = layer
      self.array = array
      count = set.arrays[array].count
      rows = set.rows[array]
      members = set.members[array]
    }

    /// A feature and a part of the kernel's, as the user counts them; nil when there is none.
    @inline(__always)
    func located(_ feature: Int64, _ part: Int64) -> (layer: Int64, feature: Int64, part: Int64)? {
      guard feature >= 0, feature < Int64(count) else { return nil }
      let index = Int(feature)
      let member = members.map { $0[index] } ?? -1
      return (Int64(layer), Int64(rows.map { $0[index] } ?? index), member >= 0 ? Int64(member) : part)
    }

    /// Geometries stand in the order of their rows, each row alone.
    var isInRowOrder: Bool {
      guard let rows else { return members == nil }
      return members == nil && !zip(rows, rows.dropFirst()).contains { $0 >= $1 }
    }
  }

  /// Which kernel prepared the targets, and why.
  public let answers: Answers
  private let host: Host
  private let choice: Choice
  private let table: mrd_family_snap
  private let handle: OpaquePointer
  private let layers: [TargetLayer]
  private let sources: [Source]
  /// What the kernel counts, the user counts in the same order: each layer has one array at most, in the order of its rows.
  private let keepsOrder: Bool
  /// The metric of the targets is in metres.
  private let isInMetres: Bool
  private static let operation = Operation.numbered(.snap, MRD_SNAP_QUERY)

  /// Prepares the layers; their sets are kept as long as this object lives.
  public convenience init(host: Host, layers: [TargetLayer], run: Run = Run()) throws(MeridianError) {
    for layer in layers { try layer.set.checkLayout() }
    let sources = layers.enumerated().flatMap { number, layer in
      layer.set.arrays.indices.filter { layer.set.arrays[$0].count > 0 }
        .map { Source(layer.set, layer: number, array: $0) }
    }
    let state = RunState(host, run, work: 0)
    let shape = Self.shape(layers, sources, run)
    let choice = try state.choose(Self.operation, shape)
    guard let table = choice.plugin.snap?.pointee, let open = table.open, table.query != nil, table.release != nil
    else {
      throw MeridianError(.unsupported, "\(choice.plugin.id) does not offer \(Self.operation.fullName)")
    }
    let prepared = PreparedLayers(sources.map { (layers[$0.layer], layers[$0.layer].set.arrays[$0.array]) }, run.model)
    let made = try KernelJob(state, Self.operation, choice, items: 1, grain: nil).perform(
      enter: { _, context in
        open(prepared.pointers, UInt32(clamping: sources.count), 0, &context.handle, context.call)
      },
      collect: { _, context throws(MeridianError) in
        guard let handle = context.handle else { throw context.fault("prepared nothing") }
        return HandleBox(handle)
      },
      abandon: { table.release?($0) })
    var answers = Answers()
    answers.add(Self.operation, choice, type: nil)
    self.init(host, choice, table, made[0].handle, layers, sources, prepared, shape.model, answers)
  }

  private init(
    _ host: Host, _ choice: Choice, _ table: mrd_family_snap, _ handle: OpaquePointer, _ layers: [TargetLayer],
    _ sources: [Source], _ prepared: PreparedLayers, _ model: GeometryModel, _ answers: Answers
  ) {
    self.answers = answers
    self.host = host
    self.choice = choice
    self.table = table
    self.handle = handle
    self.layers = layers
    self.sources = sources
    keepsOrder =
      !zip(sources, sources.dropFirst()).contains { $0.layer == $1.layer } && sources.allSatisfy { $0.isInRowOrder }
    self.prepared = prepared
    isInMetres = model.metric != MRD_METRIC_COORD
  }

  deinit { table.release?(handle) }

  /// The layers as the kernel sees them, borrowed until it released the handle.
  private let prepared: PreparedLayers

  private static func shape(_ layers: [TargetLayer], _ sources: [Source], _ run: Run) -> CallShape {
    let arrays = sources.map { layers[$0.layer].set.arrays[$0.array] }
    let first = arrays.first
    let type = arrays.allSatisfy { $0.type == first?.type } ? first?.type : nil
    let dimensions = arrays.allSatisfy { $0.dimensions == first?.dimensions } ? first?.dimensions : nil
    return CallShape(
      type: type, dimensions: dimensions, model: run.model ?? first?.model ?? .planar, dialect: nil)
  }

  /// Ranked candidates for each point of a set; rows that are no points are UNSUPPORTED and have none.
  public func query(
    _ points: GeometrySet, options: SnapQueryOptions, run: Run = Run()
  ) throws(MeridianError) -> SnapHits {
    guard options.previous == nil || options.previous?.count == 2 * points.count else {
      throw MeridianError(.argument, "snap: two numbers a point are needed for the vertices before them")
    }
    let raw = try options.withABI { (options) throws(MeridianError) in try self.query(points, options, run) }
    return SnapHits(
      offsets: raw.offsets, hits: raw.hits.map { SnapHit($0) }, statuses: raw.statuses,
      answers: answers)
  }

  /// What each point is nearest to, however far off: why a query found nothing. Kinds rank alike and reach without end, so the
  /// first hit's `distance` says how far it is, and its kind to what. Layers keep their priorities.
  public func nearest(
    _ points: GeometrySet, options: SnapQueryOptions = SnapQueryOptions(), run: Run = Run()
  ) throws(MeridianError) -> SnapHits {
    var endless = options
    (endless.toleranceCoord, endless.toleranceMetres) = isInMetres ? (0, .infinity) : (.infinity, 0)
    endless.kindFactors = nil
    endless.kindPriorities = SnapKind.allCases.map { _ in 0 }
    return try query(points, options: endless, run: run)
  }

  struct RawHits {
    var offsets: [Int] = [0]
    var hits: [mrd_snap_hit] = []
    var statuses: [RowStatus] = []
  }

  /// Layers and features of the exclusions and of the hits are those of the user.
  func query(
    _ points: GeometrySet, _ options: mrd_snap_query_options, _ run: Run
  ) throws(MeridianError) -> RawHits {
    try points.checkLayout()
    guard let query = table.query else { throw MeridianError(.unsupported, "\(choice.plugin.id) cannot query") }
    let state = RunState(host, run, work: points.weight)
    let exclusions = try self.exclusions(options)
    let statuses = ItemColumn.statuses(of: points)
    let rank = SnapRank(layers.map { $0.priority }, options)
    var found = points.arrays.map { HitLists(emptyRows: $0.type == .point ? 0 : $0.count) }
    for (number, array) in points.arrays.enumerated() where array.count > 0 {
      guard array.type == .point else {
        for index in 0..<array.count { statuses[number][index] = RowStatus.unsupported.rawValue }
        continue
      }
      let previous = previous(options, points, number)
      let chunks = try points.locating(number) { () throws(MeridianError) in
        try KernelJob(state, Self.operation, choice, array).perform(
          prepare: { rows, context throws(MeridianError) in try context.lendStatuses(statuses[number].column, rows) },
          enter: { rows, context in
            array.withGeoms(rows, model: run.model) { geoms in
              exclusions.withUnsafeBufferPointer { exclusions in
                previous.withUnsafeBufferPointer { previous in
                  var options = options
                  options.exclusions = exclusions.baseAddress
                  options.n_exclusions = Int64(exclusions.count)
                  options.exclusion_size = UInt32(MemoryLayout<mrd_snap_exclusion>.stride)
                  let own = previous.baseAddress.map { $0 + 2 * rows.lowerBound }
                  options.previous = options.previous == nil ? nil : own
                  return query(self.handle, geoms, &options, &context.hitsOut, context.call)
                }
              }
            }
          },
          collect: { rows, context throws(MeridianError) in try context.takeHits(context.hitsOut, rows: rows.count) })
      }
      for var chunk in chunks {
        for index in chunk.hits.indices { try locate(&chunk.hits[index]) }
        if !keepsOrder { rank.orderEquals(&chunk) }
        found[number].append(chunk)
      }
    }
    state.progress?.finish()
    return gathered(points, found, statuses)
  }

  /// The vertices before the pointers of one array of points; empty when there are none.
  private func previous(_ options: mrd_snap_query_options, _ points: GeometrySet, _ number: Int) -> [Double] {
    guard let all = options.previous else { return [] }
    let rows = points.rows[number]
    return (0..<points.arrays[number].count).flatMap { index -> [Double] in
      let row = rows.map { $0[index] } ?? index
      return [all[2 * row], all[2 * row + 1]]
    }
  }

  private func gathered(
    _ points: GeometrySet, _ found: [HitLists], _ statuses: [ItemColumn]
  ) -> RawHits {
    var raw = RawHits()
    raw.statuses = points.joinedStatuses(statuses)
    if found.count == 1, found[0].rows == points.count, points.isOneArrayInOrder {
      raw.offsets = found[0].offsets
      raw.hits = found[0].hits
      return raw
    }
    raw.offsets.reserveCapacity(points.count + 1)
    raw.hits.reserveCapacity(found.reduce(0) { $0 + $1.hits.count })
    for row in 0..<points.count {
      if case .geometry(let array, let index) = points.place(ofRow: row) {
        raw.hits += found[array].hits[found[array].row(index)]
      } else if points.isCollection(row) {
        raw.statuses[row] = .unsupported
      }
      raw.offsets.append(raw.hits.count)
    }
    return raw
  }

  /// Names layers and rows as the user knows them.
  private func locate(_ hit: inout mrd_snap_hit) throws(MeridianError) {
    // A kernel of an older header says nothing of the second edge's layer: it is the first one's.
    if hit.other_feature >= 0 && hit.other_layer < 0 { hit.other_layer = hit.layer }
    (hit.layer, hit.feature, hit.part) = try located(hit.layer, hit.feature, hit.part)
    guard hit.other_feature >= 0 else { return }
    (hit.other_layer, hit.other_feature, hit.other_part) = try located(
      hit.other_layer, hit.other_feature, hit.other_part)
  }

  private func located(
    _ layer: Int64, _ feature: Int64, _ part: Int64
  ) throws(MeridianError) -> (layer: Int64, feature: Int64, part: Int64) {
    guard layer >= 0, layer < Int64(sources.count) else { throw misplaced() }
    guard let place = sources[Int(layer)].located(feature, part) else { throw misplaced() }
    return place
  }

  private func misplaced() -> MeridianError {
    MeridianError(.internalError, "\(choice.plugin.id): a candidate of a layer or feature that does not exist")
  }

  /// The exclusions as the kernel counts layers and features; those that name nothing are dropped.
  private func exclusions(_ options: mrd_snap_query_options) throws(MeridianError) -> [mrd_snap_exclusion] {
    guard let base = UnsafeRawPointer(options.exclusions), options.n_exclusions != 0 else { return [] }
    let size = Int(options.exclusion_size)
    guard size >= MemoryLayout<mrd_snap_exclusion>.size else {
      throw MeridianError(.abi, "options.exclusion_size is too small")
    }
    guard options.n_exclusions > 0, !Int(options.n_exclusions).multipliedReportingOverflow(by: size).overflow else {
      throw MeridianError(.argument, "options.n_exclusions is no number of records")
    }
    // The step is the caller's and need not keep the records aligned.
    return (0..<Int(options.n_exclusions)).flatMap { index in
      excluded(base.loadUnaligned(fromByteOffset: index * size, as: mrd_snap_exclusion.self))
    }
  }

  private func excluded(_ exclusion: mrd_snap_exclusion) -> [mrd_snap_exclusion] {
    guard exclusion.layer >= 0, exclusion.layer < Int64(layers.count) else { return [] }
    let layer = Int(exclusion.layer)
    let set = layers[layer].set
    guard exclusion.feature >= 0, exclusion.feature < Int64(set.count) else { return [] }
    let row = Int(exclusion.feature)
    let isCollection = set.isCollection(row)
    var list: [mrd_snap_exclusion] = []
    for (member, place) in (set.geometries(ofRow: row) ?? []).enumerated() {
      guard let source = sources.firstIndex(where: { $0.layer == layer && $0.array == place.array }) else { continue }
      if isCollection && exclusion.part >= 0 && exclusion.part != Int64(member) { continue }
      var own = exclusion
      own.layer = Int64(source)
      own.feature = Int64(place.index)
      // A member's vertex is not told apart by part and ring as well: the member as a whole stays out.
      if isCollection { own.part = -1 }
      list.append(own)
    }
    return list
  }
}

/// The hits of points, row by row.
struct HitLists {
  /// One more than there are rows.
  private(set) var offsets: [Int] = [0]
  fileprivate(set) var hits: [mrd_snap_hit] = []

  init(emptyRows: Int) { offsets += [Int](repeating: 0, count: emptyRows) }

  init(offsets: [Int], hits: [mrd_snap_hit]) {
    self.offsets = offsets
    self.hits = hits
  }

  var rows: Int { offsets.count - 1 }
  func row(_ index: Int) -> Range<Int> { offsets[index]..<offsets[index + 1] }

  mutating func append(_ other: HitLists) {
    if rows == 0 && hits.isEmpty {
      self = other
      return
    }
    let begin = hits.count
    hits += other.hits
    offsets += other.offsets.dropFirst().map { begin + $0 }
  }
}

/// How candidates of one point rank, as far as layers, kinds and distance go.
private struct SnapRank {
  let layerPriorities: [Int]
  let kindPriorities: [Int32]

  init(_ layerPriorities: [Int], _ options: mrd_snap_query_options) {
    self.layerPriorities = layerPriorities
    kindPriorities = (0..<Int32(MRD_SNAP_KINDS)).map { options.kind_priority?[Int($0)] ?? $0 }
  }

  func orderEquals(_ lists: inout HitLists) {
    for index in 0..<lists.rows {
      let row = lists.row(index)
      if row.count > 1 { lists.hits.replaceSubrange(row, with: orderingEquals(lists.hits[row])) }
    }
  }

  /// Places with best hits of equal rank, and hits of equal rank in one place, in the order of layer, feature, part, ring
  /// and vertex; nothing else is moved. Areas stay as they are: the kernel knows which polygon is smaller.
  private func orderingEquals(_ hits: ArraySlice<mrd_snap_hit>) -> [mrd_snap_hit] {
    var places: [[mrd_snap_hit]] = []
    for hit in hits {
      if let last = places.last?.first, last.group == hit.group {
        places[places.count - 1].append(hit)
      } else {
        places.append([hit])
      }
    }
    let inside = places.map { orderingRuns($0) { $0 } }
    var ordered: [mrd_snap_hit] = []
    for (group, place) in orderingRuns(inside, by: { $0[0] }).enumerated() {
      for var hit in place {
        hit.group = UInt32(truncatingIfNeeded: group)
        ordered.append(hit)
      }
    }
    return ordered
  }

  /// Runs of equal rank in the order of storage, stable.
  private func orderingRuns<Item>(_ items: [Item], by hit: (Item) -> mrd_snap_hit) -> [Item] {
    var ordered: [Item] = []
    var start = 0
    while start < items.count {
      var end = start + 1
      while end < items.count && isEqual(hit(items[start]), hit(items[end])) { end += 1 }
      ordered += items[start..<end].sorted { isStoredBefore(hit($0), hit($1)) }
      start = end
    }
    return ordered
  }

  private func isStoredBefore(_ one: mrd_snap_hit, _ other: mrd_snap_hit) -> Bool {
    (one.layer, one.feature, one.part, one.ring, one.vertex)
      < (other.layer, other.feature, other.part, other.ring, other.vertex)
  }

  private func isEqual(_ one: mrd_snap_hit, _ other: mrd_snap_hit) -> Bool {
    if one.kind == MRD_SNAP_AREA || other.kind == MRD_SNAP_AREA { return false }
    func kind(_ hit: mrd_snap_hit) -> Int32 {
      hit.kind >= 0 && Int(hit.kind) < kindPriorities.count ? kindPriorities[Int(hit.kind)] : hit.kind
    }
    /// A crossing of two layers ranks by the better one.
    func layer(_ hit: mrd_snap_hit) -> Int {
      let first = layerPriorities[Int(hit.layer)]
      return hit.other_layer >= 0 ? min(first, layerPriorities[Int(hit.other_layer)]) : first
    }
    return layer(one) == layer(other) && kind(one) == kind(other) && one.distance == other.distance
  }
}

/// Layers laid out for the ABI, with the arrays that they borrow.
private final class PreparedLayers: @unchecked Sendable {
  private let arrays: [GeometryArray]
  private let geoms: UnsafeMutableBufferPointer<mrd_geoms>
  private let models: UnsafeMutableBufferPointer<mrd_model>
  private let layers: UnsafeMutableBufferPointer<mrd_snap_layer>
  private let list: UnsafeMutableBufferPointer<UnsafePointer<mrd_snap_layer>?>
  var pointers: UnsafePointer<UnsafePointer<mrd_snap_layer>?>? { UnsafePointer(list.baseAddress) }

  init(_ sources: [(layer: TargetLayer, array: GeometryArray)], _ model: GeometryModel?) {
    arrays = sources.map { $0.array }
    geoms = .allocate(capacity: sources.count)
    models = .allocate(capacity: sources.count)
    layers = .allocate(capacity: sources.count)
    list = .allocate(capacity: sources.count)
    for (index, source) in sources.enumerated() {
      models.initializeElement(at: index, to: (model ?? source.array.model).abi)
      var own = source.array.geoms
      own.model = UnsafePointer(models.baseAddress.map { $0 + index })
      geoms.initializeElement(at: index, to: own)
      layers.initializeElement(
        at: index,
        to: mrd_snap_layer(
          struct_size: UInt32(MemoryLayout<mrd_snap_layer>.size),
          kinds: source.layer.kinds.reduce(0) { $0 | (1 << UInt32($1.rawValue)) },
          priority: Int32(clamping: source.layer.priority), pad0: 0,
          targets: UnsafePointer(geoms.baseAddress.map { $0 + index })))
      list.initializeElement(at: index, to: UnsafePointer(layers.baseAddress.map { $0 + index }))
    }
  }

  deinit {
    list.deallocate()
    layers.deallocate()
    models.deallocate()
    geoms.deallocate()
  }
}

extension GeometrySet {
  /// Row i is geometry i of the one array.
  fileprivate var isOneArrayInOrder: Bool {
    guard arrays.count == 1, arrays[0].count == count, collections.isEmpty else { return false }
    return rows[0].map { !$0.enumerated().contains { $0.offset != $0.element } } ?? true
  }
}

extension SnapQueryOptions {
  func withABI<R>(
    _ body: (mrd_snap_query_options) throws(MeridianError) -> R
  ) throws(MeridianError) -> R {
    guard kindFactors == nil || kindFactors?.count == Int(MRD_SNAP_KINDS),
      kindPriorities == nil || kindPriorities?.count == Int(MRD_SNAP_KINDS),
      screenMetric == nil || screenMetric?.count == 4
    else { throw MeridianError(.argument, "snap: one factor or priority a kind, four numbers for a screen metric") }
    var options = mrd_snap_query_options()
    options.struct_size = UInt32(MemoryLayout<mrd_snap_query_options>.size)
    options.max_candidates = UInt32(clamping: maxCandidates)
    options.tolerance_coord = toleranceCoord
    options.tolerance_m = toleranceMetres
    let excluded = exclusions.map {
      mrd_snap_exclusion(
        layer: Int64($0.layer), feature: Int64($0.feature), part: Int64($0.part ?? -1), ring: Int64($0.ring),
        vertex: Int64($0.vertex))
    }
    return try (kindFactors ?? []).withUnsafeBufferPointer { (factors) throws(MeridianError) in
      try (kindPriorities ?? []).withUnsafeBufferPointer { (priorities) throws(MeridianError) in
        try (screenMetric ?? []).withUnsafeBufferPointer { (metric) throws(MeridianError) in
          try (previous ?? []).withUnsafeBufferPointer { (previous) throws(MeridianError) in
            try excluded.withUnsafeBufferPointer { (excluded) throws(MeridianError) in
              if self.previous != nil { options.previous = previous.baseAddress }
              if kindFactors != nil { options.kind_factor = factors.baseAddress }
              if kindPriorities != nil { options.kind_priority = priorities.baseAddress }
              if screenMetric != nil { options.screen_metric = metric.baseAddress }
              options.exclusions = excluded.baseAddress
              options.n_exclusions = Int64(excluded.count)
              options.exclusion_size = UInt32(MemoryLayout<mrd_snap_exclusion>.stride)
              return try body(options)
            }
          }
        }
      }
    }
  }
}

extension SnapHit {
  init(_ hit: mrd_snap_hit) {
    func known(_ value: Int64) -> Int? { value >= 0 ? Int(value) : nil }
    self.init(
      kind: hit.kind, group: hit.group, layer: Int(hit.layer), feature: Int(hit.feature), part: known(hit.part),
      ring: known(hit.ring), vertex: known(hit.vertex), otherLayer: known(hit.other_layer),
      otherFeature: known(hit.other_feature), otherPart: known(hit.other_part), otherRing: known(hit.other_ring),
      otherVertex: known(hit.other_vertex), x: hit.x, y: hit.y, z: hit.z, distance: hit.distance)
  }
}

extension CallContext {
  /// The candidates of each of `rows` query points.
  func takeHits(_ out: mrd_snap_hits_out, rows: Int) throws(MeridianError) -> HitLists {
    let size = Int(out.record_size)
    let count = max(0, Int(out.count))
    let bytes = result(MRD_BUF_RECORDS)
    let (needed, overflow) = count.multipliedReportingOverflow(by: size)
    guard count == 0 || (size >= 16 && size % 8 == 0 && !overflow && needed <= bytes.count) else {
      throw fault("\(count) candidates of \(size) bytes in \(bytes.count) bytes")
    }
    let offsets = try takeRows(rows, entries: count)
    let hits =
      size == MemoryLayout<mrd_snap_hit>.stride
      ? withExtendedLifetime(bytes) { Array(bytes.values(mrd_snap_hit.self).prefix(count)) }
      : (0..<count).map { Self.hit(bytes, $0, size) }
    return HitLists(offsets: offsets.map { Int($0) }, hits: hits)
  }

  private static func hit(_ bytes: Buffer, _ index: Int, _ size: Int) -> mrd_snap_hit {
    var hit = mrd_snap_hit()
    (hit.feature, hit.part, hit.ring, hit.vertex, hit.other_feature, hit.other_vertex) = (-1, -1, -1, -1, -1, -1)
    (hit.other_layer, hit.other_part, hit.other_ring) = (-1, -1, -1)
    (hit.x, hit.y, hit.z, hit.distance) = (.nan, .nan, .nan, .nan)
    guard let start = bytes.pointer else { return hit }
    withUnsafeMutableBytes(of: &hit) { target in
      target.copyMemory(from: UnsafeRawBufferPointer(start: start + index * size, count: min(size, target.count)))
    }
    return hit
  }
}
