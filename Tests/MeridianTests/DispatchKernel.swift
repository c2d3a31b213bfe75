// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

@testable import Meridian

// A kernel for the tests of dispatch, registered from a static table. Its answers are simple enough to be worked out by
// hand, and its measures misbehave on purpose when `max_edge_coord` asks for it.

/// What `max_edge_coord` asks of the fake measures.
enum Misdeed: Double {
  case none = 0
  case columnOverrun, scratchOverrun, bufferOverrun, statusOverrun
  /// The row that starts at x = 666 is refused.
  case refusal
  /// Asks for memory that no host can give, and answers INTERNAL when it is given some.
  case oddRequests
  /// Works until it is cancelled.
  case endless
  /// Tells progress forward and backward.
  case progress
  /// Sums up by parallel_for, and nests it.
  case parallel
  /// Takes memory and says so when there is none.
  case memory
}

private func info(_ flags: UInt32 = 0) -> UnsafePointer<mrd_op_info> {
  let info = UnsafeMutablePointer<mrd_op_info>.allocate(capacity: 1)
  info.initialize(to: mrd_op_info())
  info.pointee.struct_size = UInt32(MemoryLayout<mrd_op_info>.size)
  info.pointee.flags = flags
  info.pointee.type_mask = 0xfe
  info.pointee.dims_mask = 0xfe
  info.pointee.edges_mask = 0xff
  info.pointee.metric_mask = 0xff
  info.pointee.dialect_mask = 0xff
  info.pointee.method = UnsafePointer(strdup("by hand"))
  return UnsafePointer(info)
}
nonisolated(unsafe) private let plainInfo = info()
nonisolated(unsafe) private let keptInfo = info(MRD_OP_KEPT_VERTICES)
nonisolated(unsafe) private let indexInfo = info(MRD_OP_INSERT_REMOVE)

private func fill<T>(_ call: UnsafeMutablePointer<mrd_call>, _ buffer: UInt32, _ values: [T]) -> Bool {
  guard let start = call.pointee.grow(call, buffer, Int64(values.count * MemoryLayout<T>.stride)) else { return false }
  values.withUnsafeBytes { source in if let from = source.baseAddress { memcpy(start, from, source.count) } }
  return true
}

// MARK: - measure

/// Length: the sum of x over the row's vertices (exact for small whole numbers). Counts: parts 1, rings 2, vertices.
/// Bounds and centroid: over the vertices, and the first vertex.
private func measure(
  _ op: UInt32, _ geoms: UnsafePointer<mrd_geoms>, _ misdeed: Misdeed, _ out: UnsafePointer<mrd_columns>,
  _ call: UnsafeMutablePointer<mrd_call>, bias: Double
) -> mrd_status {
  let array = GeometryArray(borrowing: geoms.pointee)
  let status = commit(misdeed, array, out, call)
  guard status == MRD_OK else { return status }
  for row in 0..<array.count {
    func put(_ column: Int, _ value: Double) {
      if column < Int(out.pointee.count) { out.pointee.values[column]?[row] = value }
    }
    let points = array.coordinates(ofRow: row)
    if array.isNull(row) { continue }
    if array.isEmpty(row) {
      call.pointee.item_status?[row] = MRD_ITEM_EMPTY
      if op != MRD_MEASURE_BOUNDS && op != MRD_MEASURE_CENTROID { for column in 0..<3 { put(column, 0) } }
      continue
    }
    if array.x(points.lowerBound) == 999 {
      call.pointee.item_status?[row] = MRD_ITEM_DOMAIN
      continue
    }
    let xs = points.map { array.x($0) }
    let ys = points.map { array.y($0) }
    switch op {
    case MRD_MEASURE_COUNTS:
      put(0, 1)
      put(1, 2)
      put(2, Double(points.count))
    case MRD_MEASURE_BOUNDS:
      put(0, xs.min() ?? .nan)
      put(1, ys.min() ?? .nan)
      put(2, xs.max() ?? .nan)
      put(3, ys.max() ?? .nan)
    case MRD_MEASURE_CENTROID:
      put(0, xs[0])
      put(1, ys[0])
    default: put(0, xs.reduce(0, +) + bias)
    }
  }
  return MRD_OK
}

private func commit(
  _ misdeed: Misdeed, _ array: GeometryArray, _ out: UnsafePointer<mrd_columns>, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  switch misdeed {
  case .none: break
  case .columnOverrun: out.pointee.values[0]?[array.count] = 1
  case .statusOverrun: call.pointee.item_status?[array.count] = 1
  case .scratchOverrun:
    call.pointee.scratch(call, 24, 64)?.storeBytes(of: 7, toByteOffset: 24, as: UInt8.self)
  case .bufferOverrun: call.pointee.grow(call, MRD_BUF_IDS, 24)?.storeBytes(of: 7, toByteOffset: 24, as: UInt8.self)
  case .refusal:
    for row in 0..<array.count where array.x(array.coordinates(ofRow: row).lowerBound) == 666 {
      return mrd_fail(call.pointee.error, MRD_E_LIMIT, Int64(row), 3, "the number of the beast")
    }
  case .oddRequests:
    let given = [
      call.pointee.grow(call, MRD_BUF_COUNT, 8), call.pointee.grow(call, MRD_BUF_X, -1),
      call.pointee.grow(call, MRD_BUF_X, Int64.max), call.pointee.scratch(call, -1, 8),
      call.pointee.scratch(call, 8, 3), call.pointee.scratch(call, 8, 8192), call.pointee.scratch(call, Int64.max, 8),
    ]
    if given.contains(where: { $0 != nil }) || call.pointee.grow(call, MRD_BUF_X, 0) == nil { return MRD_E_INTERNAL }
    guard let aligned = call.pointee.scratch(call, 8, 4096), UInt(bitPattern: aligned) % 4096 == 0 else {
      return MRD_E_INTERNAL
    }
  case .endless: while mrd_cancelled(call) == 0 { sched_yield() }; return MRD_E_CANCELLED
  case .progress: for step in [0.5, 0.25, 0.75, .nan, 2] { call.pointee.progress?(call, step) }
  case .parallel: return parallelSum(call)
  case .memory:
    guard call.pointee.scratch(call, 100, 8) != nil, call.pointee.grow(call, MRD_BUF_IDS, 100) != nil else {
      return mrd_fail(call.pointee.error, MRD_E_MEMORY, -1, -1, "no memory")
    }
  }
  return MRD_OK
}

/// Sums 0 ..< 10,000 in pieces, each of which nests a loop; INTERNAL when the sum is wrong.
private func parallelSum(_ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
  final class Sum {
    let call: UnsafeMutablePointer<mrd_call>
    let lock = Lock()
    var total: Int64 = 0
    init(_ call: UnsafeMutablePointer<mrd_call>) { self.call = call }
  }
  let sum = Sum(call)
  let status = call.pointee.parallel_for(
    call,
    { context, begin, end in
      guard let context else { return MRD_E_INTERNAL }
      let sum = Unmanaged<Sum>.fromOpaque(context).takeUnretainedValue()
      if sum.call.pointee.scratch(sum.call, 8, 8) != nil { return MRD_E_INTERNAL }
      return sum.call.pointee.parallel_for(
        sum.call,
        { context, begin, end in
          guard let context else { return MRD_E_INTERNAL }
          let sum = Unmanaged<Sum>.fromOpaque(context).takeUnretainedValue()
          sum.lock.withLock { for value in begin..<end { sum.total += value } }
          return MRD_OK
        }, context, end - begin, 1) == MRD_OK && end - begin >= 10 ? MRD_OK : MRD_E_INTERNAL
    }, Unmanaged.passUnretained(sum).toOpaque(), 10_000, 10)
  guard status == MRD_OK else { return status }
  // Each piece of n items adds 0 + ... + n - 1; the pieces are those of the host's even cut.
  let expected = Chunks.even(10_000, grain: 10).reduce(0) { $0 + $1.count * ($1.count - 1) / 2 }
  return sum.total == Int64(expected) ? MRD_OK : MRD_E_INTERNAL
}

nonisolated(unsafe) private var measureTable = mrd_family_measure(
  struct_size: UInt32(MemoryLayout<mrd_family_measure>.size), pad0: 0,
  info: { _ in plainInfo },
  measure: { op, geoms, options, out, call in
    guard let geoms, let out, let call else { return MRD_E_ARGUMENT }
    if op == MRD_MEASURE_INTERPOLATE {
      for row in 0..<Int(geoms.pointee.length) {
        out.pointee.values[0]?[row] = options?.pointee.at_fraction?[row] ?? -1
      }
      return MRD_OK
    }
    return measure(op, geoms, Misdeed(rawValue: options?.pointee.max_edge_coord ?? 0) ?? .none, out, call, bias: 0)
  },
  // The distance is |x - x| of the first vertices.
  pair: { op, a, b, options, out, call in
    guard let a, let b, let out else { return MRD_E_ARGUMENT }
    let (left, right) = (GeometryArray(borrowing: a.pointee), GeometryArray(borrowing: b.pointee))
    let isBroadcast = (options?.pointee.flags ?? 0) & MRD_MEASURE_BROADCAST_B != 0
    guard right.count == (isBroadcast ? 1 : left.count) else { return MRD_E_ARGUMENT }
    for row in 0..<left.count {
      let other = right.coordinates(ofRow: isBroadcast ? 0 : row).lowerBound
      out.pointee.values[0]?[row] = abs(left.x(left.coordinates(ofRow: row).lowerBound) - right.x(other))
    }
    return MRD_OK
  },
  direct: { points, azimuth, distance, _, out, _ in
    guard let points, let azimuth, let distance, let out else { return MRD_E_ARGUMENT }
    let array = GeometryArray(borrowing: points.pointee)
    for row in 0..<array.count {
      out.pointee.values[0]?[row] = array.x(array.span(row).lowerBound) + distance[row]
      out.pointee.values[2]?[row] = azimuth[row]
    }
    return MRD_OK
  },
  // A copy of every row.
  build: { _, geoms, _, out, call in
    guard let geoms, let out, let call else { return MRD_E_ARGUMENT }
    let array = GeometryArray(borrowing: geoms.pointee)
    return give(array, (0..<array.count).map { $0 }, array.type, out, call)
  })

nonisolated(unsafe) private var biasedTable: mrd_family_measure = {
  var table = measureTable
  table.measure = { op, geoms, _, out, call in
    guard let geoms, let out, let call else { return MRD_E_ARGUMENT }
    return measure(op, geoms, .none, out, call, bias: 0.5)
  }
  return table
}()

/// Gives rows of an array as the result, under another type when asked.
private func give(
  _ array: GeometryArray, _ rows: [Int], _ type: GeometryType, _ out: UnsafeMutablePointer<mrd_geoms_out>,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let made = ArrayAssembler.gather(array, rows, as: type)
  let source = made.geoms
  out.pointee.type = source.type
  out.pointee.dims = source.dims
  out.pointee.length = source.length
  let offsets = [source.offsets.0, source.offsets.1, source.offsets.2]
  var fine = true
  var entries = made.count
  for level in 0..<type.offsetLevels {
    let values = (0...entries).map { Int64(made.offset(level, $0)) }
    fine = fine && offsets[level] != nil && fill(call, MRD_BUF_OFFSETS0 + UInt32(level), values)
    entries = Int(values[entries])
  }
  for dimension in made.dimensions.ordinateNumbers {
    fine =
      fine
      && fill(
        call, MRD_BUF_X + UInt32(dimension), (0..<made.coordinateCount).map { made.ordinate(dimension, $0) })
  }
  if (0..<made.count).contains(where: { made.isNull($0) }) {
    var bits = [UInt8](repeating: 0, count: (made.count + 7) / 8)
    for row in 0..<made.count where !made.isNull(row) { bits[row >> 3] |= 1 << UInt8(row & 7) }
    fine = fine && fill(call, MRD_BUF_VALIDITY, bits)
  }
  return fine ? MRD_OK : mrd_fail(call.pointee.error, MRD_E_MEMORY, -1, -1, "no memory")
}

// MARK: - validate

/// A row is invalid when its first x is negative: one problem for each vertex with a negative x, the first with words.
nonisolated(unsafe) private var validateTable = mrd_family_validate(
  struct_size: UInt32(MemoryLayout<mrd_family_validate>.size), pad0: 0,
  info: { _ in plainInfo },
  check: { _, geoms, _, out, call in
    guard let geoms, let out, let call else { return MRD_E_ARGUMENT }
    let array = GeometryArray(borrowing: geoms.pointee)
    var records: [mrd_problem] = []
    var text: [UInt8] = []
    for row in 0..<array.count {
      if array.isNull(row) { continue }
      let points = array.coordinates(ofRow: row)
      let bad = points.filter { array.x($0) < 0 }
      out.pointee.verdicts?[row] = UInt8(bad.isEmpty ? MRD_VERDICT_VALID : MRD_VERDICT_INVALID)
      for (number, at) in bad.enumerated() {
        var record = mrd_problem()
        record.code = MRD_PROBLEM_CROSSING
        record.severity = MRD_SEVERITY_ERROR
        record.row = Int64(row)
        record.vertex = Int64(at - points.lowerBound)
        (record.part, record.ring) = (0, 0)
        (record.other_row, record.other_part, record.other_ring, record.other_vertex) = (Int64(row), -1, -1, -1)
        (record.x, record.y) = (array.x(at), array.y(at))
        if number == 0 {
          let words = Array("x is \(Int(array.x(at)))".utf8)
          record.text_offset = Int64(text.count)
          record.text_length = UInt32(words.count)
          text += words
        }
        records.append(record)
      }
    }
    out.pointee.record_size = UInt32(MemoryLayout<mrd_problem>.stride)
    out.pointee.count = Int64(records.count)
    return fill(call, MRD_BUF_RECORDS, records) && fill(call, MRD_BUF_BYTES, text) ? MRD_OK : MRD_E_MEMORY
  },
  // Polygons whose first x is negative lose all parts; others come back. Multi types.
  repair: { geoms, _, out, reports, size, call in
    guard let geoms, let out, let call, size == UInt32(MemoryLayout<mrd_repair_report>.stride) else {
      return MRD_E_ARGUMENT
    }
    let array = GeometryArray(borrowing: geoms.pointee)
    for row in 0..<array.count {
      reports?[row].outcome = MRD_REPAIR_UNCHANGED
      reports?[row].vertices_added = Int64(array.coordinates(ofRow: row).count)
    }
    return give(array, (0..<array.count).map { $0 }, array.type.multi, out, call)
  },
  prepare: { geoms, _, out, _ in
    guard let geoms, let out else { return MRD_E_ARGUMENT }
    let array = GeometryArray(borrowing: geoms.pointee)
    let state = UnsafeMutablePointer<Double>.allocate(capacity: 1)
    state.initialize(to: array.x(array.coordinates(ofRow: 0).lowerBound))
    out.pointee = OpaquePointer(state)
    return MRD_OK
  },
  edit: { prepared, edits, size, _, count, out, call in
    guard let prepared, let edits, let out, let call, size == UInt32(MemoryLayout<mrd_edit>.stride) else {
      return MRD_E_ARGUMENT
    }
    let state = UnsafeMutablePointer<Double>(prepared)
    for number in 0..<Int(count) {
      guard edits[number].vertex == 0 else {
        return mrd_fail(call.pointee.error, MRD_E_ARGUMENT, Int64(number), -1, "only vertex 0")
      }
    }
    if count > 0 { state.pointee = edits[Int(count) - 1].x }
    out.pointee.verdicts?[0] = state.pointee < 0 ? 0 : 1
    out.pointee.record_size = UInt32(MemoryLayout<mrd_problem>.stride)
    out.pointee.count = 0
    return MRD_OK
  },
  release: { prepared in if let prepared { UnsafeMutablePointer<Double>(prepared).deallocate() } })

// MARK: - simplify

/// Level l keeps a line's vertices 0, l + 2, 2 (l + 2) ...; other types keep all. A line that starts at x = 111 becomes
/// the point (1, 2).
nonisolated(unsafe) private var simplifyTable = mrd_family_simplify(
  struct_size: UInt32(MemoryLayout<mrd_family_simplify>.size), pad0: 0,
  info: { _ in keptInfo },
  simplify: { _, geoms, options, out, outcomes, call in
    guard let geoms, let options, let out, let call else { return MRD_E_ARGUMENT }
    let array = GeometryArray(borrowing: geoms.pointee)
    let levels = Int(options.pointee.n_tolerances)
    guard array.type == .lineString else {
      let status = give(array, (0..<levels).flatMap { _ in 0..<array.count }, array.type, out, call)
      let ids = (0..<levels).flatMap { _ in
        (0..<array.count).flatMap { row in array.coordinates(ofRow: row).map { Int64($0) } }
      }
      let points = [Double](repeating: .nan, count: 2 * levels * array.count)
      return fill(call, MRD_BUF_IDS, ids) && fill(call, MRD_BUF_VALUES, points) ? status : MRD_E_MEMORY
    }
    var (offsets, ids, points): ([Int64], [Int64], [Double]) = ([0], [], [])
    for level in 0..<levels {
      for row in 0..<array.count {
        let span = array.coordinates(ofRow: row)
        let isPoint = !span.isEmpty && array.x(span.lowerBound) == 111
        if !isPoint { ids += span.filter { ($0 - span.lowerBound) % (level + 2) == 0 }.map { Int64($0) } }
        outcomes?[level * array.count + row] = isPoint ? MRD_SIMPLIFY_TO_POINT : MRD_SIMPLIFY_REDUCED
        points += isPoint ? [1, 2] : [.nan, .nan]
        offsets.append(Int64(ids.count))
      }
    }
    out.pointee.type = array.type.rawValue
    out.pointee.dims = array.dimensions.rawValue
    out.pointee.length = Int64(levels * array.count)
    var fine = fill(call, MRD_BUF_OFFSETS0, offsets) && fill(call, MRD_BUF_IDS, ids)
    for dimension in array.dimensions.ordinateNumbers {
      fine = fine && fill(call, MRD_BUF_X + UInt32(dimension), ids.map { array.ordinate(dimension, Int($0)) })
    }
    return fine && fill(call, MRD_BUF_VALUES, points) ? MRD_OK : MRD_E_MEMORY
  })

// MARK: - index

/// Boxes in a list.
private final class ListedBoxes {
  var boxes: [(id: Int64, box: [Double])] = []
  func add(_ boxes: mrd_boxes, _ ids: UnsafePointer<Int64>?) {
    for index in 0..<Int(boxes.length) {
      self.boxes.append((ids?[index] ?? Int64(self.boxes.count), Self.box(boxes, index)))
    }
  }
  static func box(_ boxes: mrd_boxes, _ index: Int) -> [Double] {
    func value(_ base: UnsafePointer<Double>?, _ stride: Int64) -> Double {
      UnsafeRawPointer(base)?.load(fromByteOffset: index * Int(stride), as: Double.self) ?? .nan
    }
    return [
      value(boxes.v.0, boxes.stride.0), value(boxes.v.1, boxes.stride.1), value(boxes.v.2, boxes.stride.2),
      value(boxes.v.3, boxes.stride.3),
    ]
  }
  static func meet(_ a: [Double], _ b: [Double]) -> Bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
  }
  static func of(_ handle: OpaquePointer?) -> ListedBoxes? {
    handle.map { Unmanaged<ListedBoxes>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
  }
}

nonisolated(unsafe) private var indexTable: mrd_family_index = {
  var table = mrd_family_index()
  table.struct_size = UInt32(MemoryLayout<mrd_family_index>.size)
  table.info = { $0 <= MRD_INDEX_REMOVE ? indexInfo : nil }
  table.build = { boxes, _, out, _ in
    guard let boxes, let out else { return MRD_E_ARGUMENT }
    let list = ListedBoxes()
    list.add(boxes.pointee, nil)
    out.pointee = OpaquePointer(Unmanaged.passRetained(list).toOpaque())
    return MRD_OK
  }
  table.release = { if let handle = $0 { Unmanaged<ListedBoxes>.fromOpaque(UnsafeRawPointer(handle)).release() } }
  table.facts = { index, out, error in
    guard let list = ListedBoxes.of(index), let out else { return MRD_E_ARGUMENT }
    if list.boxes.isEmpty { return mrd_fail(error, MRD_E_INTERNAL, -1, -1, "no boxes") }
    out.pointee.boxes = Int64(list.boxes.count)
    out.pointee.never_hit = Int64(list.boxes.filter { $0.box.contains { $0.isNaN } }.count)
    out.pointee.bytes = -1
    return MRD_OK
  }
  table.window = { index, windows, options, call in
    guard let list = ListedBoxes.of(index), let windows, let options, let call else { return MRD_E_ARGUMENT }
    var (rows, ids): ([Int64], [Int64]) = ([0], [])
    for window in 0..<Int(windows.pointee.length) {
      let box = ListedBoxes.box(windows.pointee, window)
      ids += list.boxes.filter { ListedBoxes.meet($0.box, box) }.map { $0.id }
      rows.append(Int64(ids.count))
    }
    return fill(call, MRD_BUF_ROWS, rows) && fill(call, MRD_BUF_IDS, ids) ? MRD_OK : MRD_E_MEMORY
  }
  table.nearest = { index, queries, options, call in
    guard let list = ListedBoxes.of(index), let queries, let options, let call else { return MRD_E_ARGUMENT }
    var (rows, ids, values): ([Int64], [Int64], [Double]) = ([0], [], [])
    for query in 0..<Int(queries.pointee.length) {
      let at = ListedBoxes.box(queries.pointee, query)[0]
      let excluded = options.pointee.exclude?[query] ?? -1
      let order = list.boxes.filter { !$0.box[0].isNaN && $0.id != excluded }
        .map { (abs($0.box[0] - at), $0.id) }.sorted { $0 < $1 }
      for found in order.prefix(Int(options.pointee.k)) {
        values.append(found.0)
        ids.append(found.1)
      }
      rows.append(Int64(ids.count))
    }
    return fill(call, MRD_BUF_ROWS, rows) && fill(call, MRD_BUF_IDS, ids) && fill(call, MRD_BUF_VALUES, values)
      ? MRD_OK : MRD_E_MEMORY
  }
  table.join = { a, b, call in
    guard let one = ListedBoxes.of(a), let call else { return MRD_E_ARGUMENT }
    var ids: [Int64] = []
    for first in one.boxes {
      for second in (ListedBoxes.of(b) ?? one).boxes
      where (b != nil || first.id < second.id) && ListedBoxes.meet(first.box, second.box) {
        ids += [first.id, second.id]
      }
    }
    return fill(call, MRD_BUF_IDS, ids) ? MRD_OK : MRD_E_MEMORY
  }
  table.insert = { index, boxes, ids, _ in
    guard let list = ListedBoxes.of(index), let boxes else { return MRD_E_ARGUMENT }
    list.add(boxes.pointee, ids)
    return MRD_OK
  }
  table.remove = { index, ids, count, removed, _ in
    guard let list = ListedBoxes.of(index), let ids, let removed else { return MRD_E_ARGUMENT }
    let gone = (0..<Int(count)).map { ids[$0] }
    removed.pointee = Int64(list.boxes.filter { gone.contains($0.id) }.count)
    list.boxes.removeAll { gone.contains($0.id) }
    return MRD_OK
  }
  return table
}()

// MARK: - the plug-ins

private func plugin(
  _ id: StaticString, _ family: @escaping @convention(c) (UnsafePointer<CChar>?) -> UnsafeRawPointer?
) -> UnsafePointer<mrd_plugin> {
  let plugin = UnsafeMutablePointer<mrd_plugin>.allocate(capacity: 1)
  plugin.initialize(to: mrd_plugin())
  plugin.pointee.struct_size = UInt32(MemoryLayout<mrd_plugin>.size)
  plugin.pointee.abi = UInt32(MRD_ABI_VERSION)
  let text = UnsafePointer(strdup("\(id)"))
  plugin.pointee.id = text
  plugin.pointee.name = text
  plugin.pointee.vendor = text
  plugin.pointee.version = UnsafePointer(strdup("1.0"))
  plugin.pointee.license = UnsafePointer(strdup("Apache-2.0"))
  plugin.pointee.build = text
  plugin.pointee.get_family = family
  return UnsafePointer(plugin)
}

private func pointer<T>(_ table: UnsafeMutablePointer<T>) -> UnsafeRawPointer { UnsafeRawPointer(table) }

nonisolated(unsafe) let handPlugin = plugin("test.hand") { id in
  switch id.map({ String(cString: $0) }) {
  case MRD_FAMILY_MEASURE: pointer(&measureTable)
  case MRD_FAMILY_VALIDATE: pointer(&validateTable)
  case MRD_FAMILY_SIMPLIFY: pointer(&simplifyTable)
  case MRD_FAMILY_SNAP: pointer(&snapTable)
  case MRD_FAMILY_INDEX: pointer(&indexTable)
  default: nil
  }
}

/// Measures only, half a unit too long.
nonisolated(unsafe) let biasedPlugin = plugin("test.biased") { id in
  id.map { String(cString: $0) } == MRD_FAMILY_MEASURE ? pointer(&biasedTable) : nil
}

// MARK: - snap

/// Targets by the address of their arrays; every point gets each feature whose first x is its own, as far off as the
/// tolerance is wide.
private final class ListedTargets {
  var features: [(layer: Int, feature: Int, x: Double)] = []
}

nonisolated(unsafe) private var snapTable: mrd_family_snap = {
  var table = mrd_family_snap()
  table.struct_size = UInt32(MemoryLayout<mrd_family_snap>.size)
  table.info = { _ in plainInfo }
  table.open = { layers, count, _, out, _ in
    guard let layers, let out else { return MRD_E_ARGUMENT }
    let targets = ListedTargets()
    for layer in 0..<Int(count) {
      guard let geoms = layers[layer]?.pointee.targets else { return MRD_E_ARGUMENT }
      let array = GeometryArray(borrowing: geoms.pointee)
      for row in 0..<array.count where !array.isEmpty(row) {
        targets.features.append((layer, row, array.x(array.coordinates(ofRow: row).lowerBound)))
      }
    }
    out.pointee = OpaquePointer(Unmanaged.passRetained(targets).toOpaque())
    return MRD_OK
  }
  table.query = { snapper, points, options, out, call in
    guard let snapper, let points, let options, let out, let call else { return MRD_E_ARGUMENT }
    let targets = Unmanaged<ListedTargets>.fromOpaque(UnsafeRawPointer(snapper)).takeUnretainedValue()
    let array = GeometryArray(borrowing: points.pointee)
    var (rows, hits): ([Int64], [mrd_snap_hit]) = ([0], [])
    for row in 0..<array.count {
      for target in targets.features where target.x == array.x(array.span(row).lowerBound) {
        let isExcluded = (0..<Int(options.pointee.n_exclusions)).contains {
          let one = options.pointee.exclusions[$0]
          return one.layer == Int64(target.layer) && one.feature == Int64(target.feature)
        }
        if isExcluded { continue }
        var hit = mrd_snap_hit()
        hit.layer = Int64(target.layer)
        hit.feature = Int64(target.feature)
        (hit.part, hit.ring, hit.vertex, hit.other_feature, hit.other_vertex) = (0, 0, 0, -1, -1)
        (hit.other_layer, hit.other_part, hit.other_ring) = (-1, -1, -1)
        hit.x = target.x
        hit.distance = options.pointee.tolerance_coord
        hits.append(hit)
      }
      rows.append(Int64(hits.count))
    }
    out.pointee.record_size = UInt32(MemoryLayout<mrd_snap_hit>.stride)
    out.pointee.count = Int64(hits.count)
    return fill(call, MRD_BUF_ROWS, rows) && fill(call, MRD_BUF_RECORDS, hits) ? MRD_OK : MRD_E_MEMORY
  }
  table.release = { if let handle = $0 { Unmanaged<ListedTargets>.fromOpaque(UnsafeRawPointer(handle)).release() } }
  // LAYER: outcome = rows of the targets; PAIR: outcome 1; SELF: outcome = rows of the call; GRID: a copy as multi type.
  table.snap = { op, geoms, targets, _, out, outcomes, call in
    guard let geoms, let out, let call else { return MRD_E_ARGUMENT }
    let array = GeometryArray(borrowing: geoms.pointee)
    guard op != MRD_SNAP_PAIR || targets?.pointee.length == geoms.pointee.length else { return MRD_E_ARGUMENT }
    for row in 0..<array.count {
      switch op {
      case MRD_SNAP_LAYER: outcomes?[row] = Int32(targets?.pointee.length ?? -1)
      case MRD_SNAP_SELF: outcomes?[row] = Int32(array.count)
      default: outcomes?[row] = MRD_SNAP_MOVED
      }
    }
    return give(array, (0..<array.count).map { $0 }, op == MRD_SNAP_GRID ? array.type.multi : array.type, out, call)
  }
  return table
}()
