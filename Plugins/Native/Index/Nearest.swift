// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// NEAREST: the k boxes of least (distance, id) for each query, as index.h orders them.
func queryNearest(
  _ tree: BoxTree, _ queries: BoxArray, _ options: mrd_nearest_options, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let isInMetres = queries.metric != MRD_METRIC_COORD
  let (coord, metres) = (options.max_distance_coord, options.max_distance_m)
  guard options.k >= 0, coord >= 0, metres >= 0, (isInMetres ? coord : metres) == 0,
    options.ties == MRD_TIES_LOWEST_ID || options.ties == MRD_TIES_ALL
  else {
    return fail(
      call, MRD_E_ARGUMENT, "k and the largest distance must not be negative; its unit is that of the metric")
  }
  guard isInMetres || !tree.isCurved else {
    return fail(call, MRD_E_UNSUPPORTED, "between boxes of curved edges the native index knows distances in metres")
  }
  let geodesics = isInMetres ? Geodesics(metric: queries.model) : nil
  guard !isInMetres || geodesics != nil else {
    return fail(call, MRD_E_UNSUPPORTED, "the native index has no such metric, or no such ellipsoid")
  }
  guard var query = NearestQuery(tree, queries, options, geodesics, call, CancelPoll(call)) else {
    return fail(call, MRD_E_MEMORY, "no memory for the neighbours")
  }
  let isFine = query.run()
  if query.poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled") }
  return isFine ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the neighbours")
}

/// A box that was found, by the key of its distance.
struct FoundBox: BitwiseCopyable {
  let key: UInt64
  let id: UInt32
}

private struct NearestQuery {
  let tree: BoxTree
  let queries: BoxArray
  let options: mrd_nearest_options
  let call: UnsafeMutablePointer<mrd_call>
  var poll: CancelPoll
  private let search: NearestSearch
  /// Distances in metres; nil for coordinates.
  private var globe: GlobeNearest?
  private let limit: Double
  /// A square that no distance within the limit is above.
  private let limitSquare: Double
  private var best: Neighbours
  private var found: ScratchList<FoundBox>
  /// The query that was answered last, and the distance of its last neighbour if it has all of them.
  private var last = Box.empty
  private var lastReach = Double.infinity

  init?(
    _ tree: BoxTree, _ queries: BoxArray, _ options: mrd_nearest_options, _ geodesics: Geodesics?,
    _ call: UnsafeMutablePointer<mrd_call>, _ poll: CancelPoll
  ) {
    self.tree = tree
    self.queries = queries
    self.options = options
    self.call = call
    self.poll = poll
    let most = max(1, min(Int(clamping: max(1, options.k)), tree.count))
    guard let memory = scratch(call, NearestSearch.memory, of: UInt8.self),
      let keys = scratch(call, most, of: UInt64.self), let ids = scratch(call, most, of: UInt32.self)
    else { return nil }
    search = NearestSearch(tree, memory)
    best = Neighbours(keys, ids, most: most)
    let reach = max(options.max_distance_coord, options.max_distance_m)
    limit = reach == 0 ? .infinity : reach
    globe = geodesics.map { GlobeNearest(tree, $0, k: most, limit: reach == 0 ? .infinity : reach, call) }
    limitSquare = limit * limit * (1 + 0x1p-40) + .leastNonzeroMagnitude
    found = ScratchList(call)
  }

  /// False = no memory, or cancelled.
  mutating func run() -> Bool {
    guard let order = QueryOrder(queries.count, tree.nodes, call, &poll, { queries[$0] }),
      let begins = scratch(call, queries.count, of: Int.self),
      let ends = scratch(call, queries.count, of: Int.self)
    else { return false }
    for place in 0..<order.count {
      let number = order[place]
      begins[number] = found.count
      if globe != nil { answerInMetres(number) } else { answer(queries[number], except: excluded(number)) }
      ends[number] = found.count
      if poll.tick() || found.failed || globe?.failed ?? false { return false }
    }
    return put(begins, ends)
  }

  /// An id that no box has when none is excluded.
  private func excluded(_ number: Int) -> UInt32 {
    guard let id = options.exclude?[number], id >= 0, id < Int64(UInt32.max) else { return .max }
    return UInt32(id)
  }

  private mutating func answer(_ query: Box, except excluded: UInt32) {
    best.removeAll()
    guard query.canBeHit else { return }
    let canSquare = search.canSquare(query)
    if canSquare { searchNear(query, except: excluded) } else { searchAll(query, except: excluded) }
    best.sort()
    for index in 0..<best.count { found.append(FoundBox(key: best.key(index), id: best.id(index))) }
    if options.ties == MRD_TIES_ALL && best.isFull { addEquals(query, canSquare, except: excluded) }
  }

  private mutating func answerInMetres(_ number: Int) {
    best.removeAll()
    let shape = queries[number].shape(curved: tree.isCurved)
    guard shape.pieces > 0 else { return }
    guard shape.box.ymin <= 90, shape.box.ymax >= -90 else { return call.setStatus(number, MRD_ITEM_DOMAIN) }
    let except = excluded(number)
    globe?.run(shape.box, except: except, &best, &poll)
    best.sort()
    for index in 0..<best.count { found.append(FoundBox(key: best.key(index), id: best.id(index))) }
    guard options.ties == MRD_TIES_ALL, best.isFull, let last = found.last, let all = globe?.found else { return }
    let begin = found.count
    for index in 0..<all.count where all[index].key == last.key && all[index].id > last.id { found.append(all[index]) }
    found.sort(begin..<found.count) { $0.id < $1.id }
  }

  private mutating func searchNear(_ query: Box, except excluded: UInt32) {
    let start = min(limitSquare, startSquare(query))
    var best = self.best
    search.run(query) {
      best.isFull ? BoxDistance.square(ofKey: best.worst) : start
    } _: { square, id in
      if id != excluded && (limit == .infinity || square.squareRoot() <= limit) {
        best.offer(BoxDistance.key(ofSquare: square), id)
      }
      return !poll.tick()
    }
    self.best = best
    last = query
    lastReach = best.isFull ? BoxDistance.square(ofKey: best.worst).squareRoot() : .infinity
  }

  /// The neighbours of the last query are no farther from this one than they were and the way between the two. Not when
  /// one of them may be excluded here.
  private func startSquare(_ query: Box) -> Double {
    guard lastReach < .infinity, options.exclude == nil else { return .infinity }
    let dx = max((query.xmin - last.xmin).magnitude, (query.xmax - last.xmax).magnitude)
    let dy = max((query.ymin - last.ymin).magnitude, (query.ymax - last.ymax).magnitude)
    let reach = lastReach + dx + dy
    return reach.isFinite ? reach * reach * (1 + 0x1p-40) + .leastNonzeroMagnitude : .infinity
  }

  private mutating func searchAll(_ query: Box, except excluded: UInt32) {
    var best = self.best
    search.runAll(query) { key, id in
      if id != excluded && BoxDistance.value(ofKey: key) <= limit { best.offer(key, id) }
      return !poll.tick()
    }
    self.best = best
  }

  /// The boxes as far away as the last of the k best whose ids are greater: the equals with lower ids are among the best.
  private mutating func addEquals(_ query: Box, _ canSquare: Bool, except excluded: UInt32) {
    let begin = found.count
    let (worst, lowest) = (found[begin - 1].key, found[begin - 1].id)
    var equals = found
    func offer(_ key: UInt64, _ id: UInt32) -> Bool {
      if key == worst && id > lowest && id != excluded { equals.append(FoundBox(key: key, id: id)) }
      return !poll.tick() && !equals.failed
    }
    if canSquare {
      search.run(query, bound: { BoxDistance.square(ofKey: worst) }) { offer(BoxDistance.key(ofSquare: $0), $1) }
    } else {
      search.runAll(query) { offer($0, $1) }
    }
    found = equals
    found.sort(begin..<found.count) { $0.id < $1.id }
  }

  /// What was found, in the order of the queries.
  private mutating func put(_ begins: UnsafeMutablePointer<Int>, _ ends: UnsafeMutablePointer<Int>) -> Bool {
    var rows = ResultBuffer<Int64>(call, MRD_BUF_ROWS)
    var ids = ResultBuffer<Int64>(call, MRD_BUF_IDS)
    var distances = ResultBuffer<Double>(call, MRD_BUF_VALUES)
    rows.extend(to: queries.count + 1)
    ids.extend(to: found.count)
    distances.extend(to: found.count)
    guard !rows.failed, !ids.failed, !distances.failed else { return false }
    rows[0] = 0
    var next = 0
    for number in 0..<queries.count {
      for index in begins[number]..<ends[number] {
        ids[next] = Int64(found[index].id)
        let key = found[index].key
        distances[next] = globe == nil ? BoxDistance.value(ofKey: key) : Double(bitPattern: key)
        next &+= 1
      }
      rows[number + 1] = Int64(next)
      if poll.tick(1) { return false }
    }
    return rows.finish() && ids.finish() && distances.finish()
  }
}
