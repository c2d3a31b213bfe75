// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

extension Host {
  /// Moves geometries onto targets (`pair`, `layer`), onto each other (`ownLayer`) or onto a grid. `targets` is needed
  /// for the first two and left out for the others. A collection is snapped member by member; with `pair` it stays as it
  /// is (UNSUPPORTED). Safe from any thread.
  public func snap(
    _ operation: SnapOperation, _ set: GeometrySet, targets: GeometrySet? = nil, options: SnapOptions,
    run: Run = Run()
  ) throws(MeridianError) -> Snapped {
    let raw = try snap(operation.operation, set, targets, options.abi, run)
    return Snapped(
      set: raw.set, outcomes: raw.outcomes.map { SnapOutcome(rawValue: $0) ?? .moved }, statuses: raw.statuses,
      answers: raw.answers)
  }
}

/// Metres per screen point at a latitude (degrees) and a zoom: 2 pi 6378137 cos(lat) / (tile x 2^zoom). `tile`: screen
/// points a tile, 0 = 512. NaN when the latitude is outside [-90, 90].
public func metresPerPoint(latitude: Double, zoom: Double, tile: Double = 512) -> Double {
  guard latitude >= -90, latitude <= 90 else { return .nan }
  let equator = 2 * Double.pi * 6_378_137
  return equator * cos(latitude * Double.pi / 180) / ((tile == 0 ? 512 : tile) * exp2(zoom))
}

// MARK: - Over the ABI's own options, for the C interface too

struct RawSnapped {
  var set: GeometrySet
  var outcomes: [Int32]
  var statuses: [RowStatus]
  var answers: Answers
}

extension Host {
  func snap(
    _ operation: Operation, _ set: GeometrySet, _ targets: GeometrySet?, _ options: mrd_snap_options, _ run: Run
  ) throws(MeridianError) -> RawSnapped {
    try set.checkLayout()
    try targets?.checkLayout()
    let takesTargets = operation.number == MRD_SNAP_PAIR || operation.number == MRD_SNAP_LAYER
    guard takesTargets == (targets != nil) else {
      throw MeridianError(
        .argument, "\(operation.fullName) " + (takesTargets ? "needs a set of targets" : "takes no targets"))
    }
    if operation.number == MRD_SNAP_PAIR, let targets { return try snapPairs(operation, set, targets, options, run) }
    let isWhole = operation.number == MRD_SNAP_LAYER || operation.number == MRD_SNAP_SELF
    let united = isWhole ? UnitedSet(set) : UnitedSet(unchanged: set)
    let layer: GeometryArray?
    if let targets { layer = try TargetArray.of(targets) } else { layer = nil }
    let state = RunState(self, run, work: united.set.weight)
    let statuses = ItemColumn.statuses(of: united.set)
    var answers = Answers()
    let job = GeometryRun(
      operation: operation, mayBeMulti: operation.number == MRD_SNAP_GRID, isWhole: isWhole)
    let model = run.model
    let results = try job.perform(state, united, outcomes: true, answers: &answers, statuses: statuses) {
      kernel, _, _, geoms, out, outcomes, context in
      guard let snap = kernel.snap?.pointee.snap else { return MRD_E_UNSUPPORTED }
      var options = options
      guard let layer else { return snap(operation.number, geoms, nil, &options, out, outcomes, context.call) }
      return layer.withGeoms(model: model) { targets in
        snap(operation.number, geoms, targets, &options, out, outcomes, context.call)
      }
    }
    state.progress?.finish()
    return RawSnapped(
      set: ResultSet.assemble(united, results), outcomes: OutcomeFold.snap.joined(results, united.set),
      statuses: united.set.joinedStatuses(statuses), answers: answers)
  }

  /// PAIR: the rows that meet are run by pair of types; rows without a partner come back as they are.
  private func snapPairs(
    _ operation: Operation, _ set: GeometrySet, _ targets: GeometrySet, _ options: mrd_snap_options, _ run: Run
  ) throws(MeridianError) -> RawSnapped {
    guard set.count == targets.count else {
      throw MeridianError(.argument, "\(operation.fullName): \(set.count) rows against \(targets.count)")
    }
    let plan = PairPlan(set, targets, broadcast: false, joinsMembers: false)
    let state = RunState(self, run, work: set.weight)
    var answers = Answers()
    var statuses = plan.statuses
    var outcomes = [Int32](repeating: MRD_SNAP_UNCHANGED, count: set.count)
    let assembly = RowAssembly(set)
    for group in plan.groups {
      let part = try snapPairs(operation, set, targets, group, options, state, &answers)
      for (index, row) in group.rows.enumerated() {
        statuses[row] = RowStatus(rawValue: part.statuses[index])
        outcomes[row] = index < part.result.outcomes.count ? part.result.outcomes[index] : MRD_SNAP_UNCHANGED
      }
      assembly.replace(group.rows, with: part.result.array)
    }
    // A null target leaves its row as it is; only null rows of the set are null.
    for row in 0..<set.count where statuses[row] == .null && set.type(ofRow: row) != nil { statuses[row] = .notApplied }
    state.progress?.finish()
    return RawSnapped(set: assembly.finish(), outcomes: outcomes, statuses: statuses, answers: answers)
  }

  private func snapPairs(
    _ operation: Operation, _ set: GeometrySet, _ targets: GeometrySet, _ group: PairPlan.Group,
    _ options: mrd_snap_options, _ state: RunState, _ answers: inout Answers
  ) throws(MeridianError) -> (result: KernelGeometry, statuses: ItemColumn) {
    let left = GeometrySet(set.arrays[group.a].rearranged(group.aRows))
    let right = targets.arrays[group.b].rearranged(group.bRows)
    let statuses = ItemColumn.statuses(of: left)
    let model = state.run.model
    do throws(MeridianError) {
      let results = try GeometryRun(operation: operation).perform(
        state, UnitedSet(unchanged: left), outcomes: true, answers: &answers, statuses: statuses
      ) { kernel, _, rows, geoms, out, outcomes, context in
        guard let snap = kernel.snap?.pointee.snap else { return MRD_E_UNSUPPORTED }
        var options = options
        return right.withGeoms(rows, model: model) { targets in
          snap(operation.number, geoms, targets, &options, out, outcomes, context.call)
        }
      }
      guard let result = results[0] else { throw MeridianError(.internalError, "a group without rows") }
      return (result, statuses[0])
    } catch {
      var located = error
      if let row = error.row { located.row = row < group.rows.count ? group.rows[row] : nil }
      throw located
    }
  }
}

/// The one array that a layer of targets becomes: kernels take targets of one type.
enum TargetArray {
  /// Single and multi types become the multi type; lines and polygons together become lines, one a ring.
  static func of(_ set: GeometrySet) throws(MeridianError) -> GeometryArray {
    let arrays = set.arrays.filter { $0.count > 0 }
    guard let first = arrays.first else { return GeometryBuilder.noPoints(set.model) }
    if arrays.count == 1 { return first }
    let hasPoints = arrays.contains { $0.type.multi == .multiPoint }
    guard !hasPoints || arrays.allSatisfy({ $0.type.multi == .multiPoint }) else {
      throw MeridianError(.unsupported, "snap: targets that mix points with lines or polygons; snap to them in turn")
    }
    let isAlike = arrays.allSatisfy { $0.type.multi == first.type.multi }
    let type = isAlike ? first.type.multi : .multiLineString
    let dimensions = Dimensions(
      z: arrays.contains { $0.dimensions.hasZ }, m: arrays.contains { $0.dimensions.hasM })
    let assembler = ArrayAssembler(type, dimensions, set.model)
    for array in arrays { assembler.append(array, 0..<array.count) }
    return assembler.finish()
  }
}

extension GeometryBuilder {
  /// An array without rows.
  static func noPoints(_ model: GeometryModel) -> GeometryArray {
    GeometryArray(type: .point, dimensions: .xy, count: 0, offsets: [], ordinates: [Buffer(), Buffer()], model: model)
  }
}

/// A set in which some rows were replaced.
final class RowAssembly {
  private let original: GeometrySet
  private var arrays: [GeometryArray] = []
  private var places: [GeometrySet.Place?]

  init(_ original: GeometrySet) {
    self.original = original
    places = .init(repeating: nil, count: original.count)
  }

  /// Row i of `array` takes the place of row `rows[i]`.
  func replace(_ rows: [Int], with array: GeometryArray) {
    for (index, row) in rows.enumerated() {
      places[row] = array.isNull(index) ? .null : .geometry(array: arrays.count, index: index)
    }
    arrays.append(array)
  }

  /// The rows that were not replaced are copied beside the others.
  func finish() -> GeometrySet {
    var kept = original.arrays.map { _ in [Int]() }
    var keptHome = original.arrays.map { _ in [Int]() }
    for (number, array) in original.arrays.enumerated() { keptHome[number] = .init(repeating: -1, count: array.count) }
    for row in 0..<original.count where places[row] == nil {
      for (array, index) in original.geometries(ofRow: row) ?? [] {
        keptHome[array][index] = kept[array].count
        kept[array].append(index)
      }
    }
    var numbers: [Int] = []
    for (number, rows) in kept.enumerated() {
      numbers.append(arrays.count)
      if !rows.isEmpty { arrays.append(ArrayAssembler.gather(original.arrays[number], rows)) }
    }
    return assemble { .geometry(array: numbers[$0], index: keptHome[$0][$1]) }
  }

  private func assemble(_ home: (Int, Int) -> GeometrySet.Place) -> GeometrySet {
    var collections: [GeometrySet.Collection] = []
    let all = (0..<original.count).map { row -> GeometrySet.Place in
      if let place = places[row] { return place }
      switch original.place(ofRow: row) {
      case .null: return .null
      case .geometry(let array, let index): return original.arrays[array].isNull(index) ? .null : home(array, index)
      case .collection(let number):
        let old = original.collections[number]
        let tokens = old.tokens.map { token -> GeometrySet.Token in
          guard case .geometry(let array, let index) = token, case .geometry(let a, let i) = home(array, index) else {
            return token
          }
          return .geometry(array: a, index: i)
        }
        collections.append(GeometrySet.Collection(row: row, dimensions: old.dimensions, tokens: tokens))
        return .collection(index: collections.count - 1)
      }
    }
    return GeometrySet(arrays: arrays, places: all, collections: collections, model: original.model)
  }
}
