// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension Host {
  /// Fewer vertices within a tolerance; several tolerances make a pyramid, level by level. Rows that became a point
  /// are points; a collection's kept vertices are numbered through its members. Safe from any thread.
  public func simplify(
    _ operation: SimplifyOperation, _ set: GeometrySet, options: SimplifyOptions, run: Run = Run()
  ) throws(MeridianError) -> Simplified {
    if let bits = options.protectedVertices {
      guard set.arrays.count == 1, bits.count >= (set.arrays[0].coordinateCount + 7) / 8 else {
        throw MeridianError(
          .argument, "simplify: protected vertices need a set of one array and one bit for each of its coordinates")
      }
    }
    let raw = try options.withABI { (options) throws(MeridianError) in
      try self.simplify(operation.operation, set, options, run)
    }
    return Simplified(
      set: raw.set, outcomes: raw.outcomes.map { SimplifyOutcome(rawValue: $0) ?? .reduced },
      kept: raw.kept.map { (offsets: $0.offsets, ids: $0.ids) }, statuses: raw.statuses, answers: raw.answers)
  }
}

extension SimplifyOptions {
  func withABI<R>(_ body: (mrd_simplify_options) throws(MeridianError) -> R) throws(MeridianError) -> R {
    var options = mrd_simplify_options()
    options.struct_size = UInt32(MemoryLayout<mrd_simplify_options>.size)
    if weighted { options.flags |= MRD_SIMPLIFY_WEIGHTED }
    if noCrossing { options.flags |= MRD_SIMPLIFY_NO_CROSSING }
    if fixedBoundary { options.flags |= MRD_SIMPLIFY_FIXED_BOUNDARY }
    if wantKept { options.flags |= MRD_SIMPLIFY_WANT_KEPT }
    options.unit = unit.rawValue
    options.measure = measure.rawValue
    options.collapse = collapse.rawValue
    options.n_tolerances = UInt32(clamping: tolerances.count)
    options.target_count = Int64(targetCount)
    options.target_share = targetShare
    options.zoom = zoom
    options.tile_size = tileSize
    options.pixel_factor = pixelFactor
    options.max_distance = maxDistance
    return try tolerances.withUnsafeBufferPointer { (tolerances) throws(MeridianError) in
      options.tolerances = tolerances.baseAddress
      return try (protectedVertices ?? []).withUnsafeBufferPointer { (bits) throws(MeridianError) in
        if protectedVertices != nil { options.protected_vertices = bits.baseAddress }
        return try body(options)
      }
    }
  }
}

/// Kept vertices: result row r has `ids[offsets[r]..<offsets[r + 1]]`, numbers inside the input row.
struct KeptVertices {
  var offsets: [Int64] = [0]
  var ids: [Int64] = []
}

struct RawSimplified {
  var set: GeometrySet
  /// [rows x levels]
  var outcomes: [Int32]
  var kept: KeptVertices?
  var statuses: [RowStatus]
  var answers: Answers
}

extension Host {
  /// `options.protected_vertices` is passed on as it is: the set has one array then.
  func simplify(
    _ operation: Operation, _ set: GeometrySet, _ options: mrd_simplify_options, _ run: Run
  ) throws(MeridianError) -> RawSimplified {
    try set.checkLayout()
    guard options.protected_vertices == nil || set.arrays.count <= 1 else {
      throw MeridianError(.argument, "simplify: protected vertices need a set of one array")
    }
    let levels = max(1, Int(options.n_tolerances))
    guard !set.count.multipliedReportingOverflow(by: levels).overflow else {
      throw MeridianError(.limit, "simplify: \(levels) tolerances for \(set.count) rows")
    }
    let isWhole = operation.number == MRD_SIMPLIFY_COVERAGE
    let united = isWhole ? UnitedSet(set) : UnitedSet(unchanged: set)
    let state = RunState(self, run, work: united.set.weight)
    let statuses = ItemColumn.statuses(of: united.set)
    var answers = Answers()
    let wantsKept = options.flags & MRD_SIMPLIFY_WANT_KEPT != 0
    let job = GeometryRun(
      operation: operation, toleranceUnit: options.unit, levels: levels, wantsKept: wantsKept, isWhole: isWhole,
      bringsPoints: options.collapse == MRD_COLLAPSE_POINT)
    let results = try job.perform(state, united, outcomes: true, answers: &answers, statuses: statuses) {
      kernel, _, _, geoms, out, outcomes, context in
      guard let simplify = kernel.simplify?.pointee.simplify else { return MRD_E_UNSUPPORTED }
      var options = options
      return simplify(operation.number, geoms, &options, out, outcomes, context.call)
    }
    state.progress?.finish()
    let rows = united.set
    let outcomes = OutcomeFold.simplify.joined(results, rows, levels)
    return RawSimplified(
      set: ResultSet.assemble(united, results, levels: levels), outcomes: outcomes,
      kept: wantsKept ? KeptVertices(results, rows, levels) : nil, statuses: rows.joinedStatuses(statuses),
      answers: answers)
  }
}

extension KeptVertices {
  /// Numbers the input coordinates of each result row inside its input row; members of a collection one after the other.
  init(_ results: [KernelGeometry?], _ set: GeometrySet, _ levels: Int) {
    offsets.reserveCapacity(set.count * levels + 1)
    for level in 0..<levels {
      for row in 0..<set.count {
        var base = 0
        for (array, index) in set.geometries(ofRow: row) ?? [] {
          let input = set.arrays[array]
          let start = input.coordinateStart(ofRow: index)
          if let result = results[array], let kept = result.kept {
            let span = result.array.coordinates(ofRow: level * input.count + index)
            for id in kept[span] { ids.append(id - Int64(start) + Int64(base)) }
          }
          base += input.coordinateStart(ofRow: index + 1) - start
        }
        offsets.append(Int64(ids.count))
      }
    }
  }
}

/// The outcome of a collection from those of its members.
enum OutcomeFold {
  case simplify, snap

  /// [rows x levels] outcomes by row of the set; null rows are UNCHANGED.
  func joined(_ results: [KernelGeometry?], _ set: GeometrySet, _ levels: Int = 1) -> [Int32] {
    var joined: [Int32] = []
    joined.reserveCapacity(set.count * levels)
    for level in 0..<levels {
      for row in 0..<set.count {
        let members = (set.geometries(ofRow: row) ?? []).compactMap { place -> Int32? in
          guard let result = results[place.array] else { return nil }
          let at = level * set.arrays[place.array].count + place.index
          return at < result.outcomes.count ? result.outcomes[at] : nil
        }
        joined.append(fold(members))
      }
    }
    return joined
  }

  private func fold(_ members: [Int32]) -> Int32 {
    guard let first = members.first else { return 0 }
    if members.allSatisfy({ $0 == first }) { return first }
    switch self {
    case .simplify: return MRD_SIMPLIFY_REDUCED
    case .snap:
      let isHeld = members.contains { $0 == MRD_SNAP_PARTLY || $0 == MRD_SNAP_WITHHELD }
      return isHeld ? MRD_SNAP_PARTLY : MRD_SNAP_MOVED
    }
  }
}
