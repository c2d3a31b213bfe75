// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension Host {
  /// Lengths, perimeters, areas, bounds, centroids, counts, or places along lines.
  ///
  /// Collections: sums over the members, for bounds the union; a centroid or a place along a line only where one member
  /// is not empty, else the status UNSUPPORTED. Safe from any thread.
  public func measure(
    _ operation: MeasureOperation, _ set: GeometrySet, options: MeasureOptions = MeasureOptions(), run: Run = Run()
  ) throws(MeridianError) -> Measured {
    try measured(operation.operation, set, options) { (options, columns, statuses) throws(MeridianError) in
      try self.measure(operation.operation, set, options, columns, statuses, run)
    }
  }

  /// Distances and azimuths between row i of `a` and row i of `b`. `broadcast`: `b` has one row, used for every row
  /// of `a`.
  ///
  /// A row with a collection has a `distance` (the least over pairs of members, up to 65,536 pairs) and no `inverse` or
  /// `closest` (UNSUPPORTED). A row that is null on either side is NULL. Safe from any thread.
  public func measurePair(
    _ operation: PairOperation, _ a: GeometrySet, _ b: GeometrySet, broadcast: Bool = false,
    options: MeasureOptions = MeasureOptions(), run: Run = Run()
  ) throws(MeridianError) -> Measured {
    try measured(operation.operation, a, options) { (options, columns, statuses) throws(MeridianError) in
      var options = options
      if broadcast { options.flags |= MRD_MEASURE_BROADCAST_B }
      return try self.measurePair(operation.operation, a, b, options, columns, statuses, run)
    }
  }

  /// From each point along `azimuths` (degrees clockwise from north) for `distances` (metres, or coordinate units under
  /// the coordinate metric; negative = backward): x, y and azimuth of the end. Safe from any thread.
  public func measureDirect(
    _ points: GeometrySet, azimuths: [Double], distances: [Double], options: MeasureOptions = MeasureOptions(),
    run: Run = Run()
  ) throws(MeridianError) -> Measured {
    guard azimuths.count == points.count, distances.count == points.count else {
      throw MeridianError(.argument, "direct: one azimuth and one distance a row are needed")
    }
    let operation = Operation.numbered(.measure, MRD_MEASURE_DIRECT)
    return try measured(operation, points, options) { (options, columns, statuses) throws(MeridianError) in
      try azimuths.withUnsafeBufferPointer { (azimuth) throws(MeridianError) in
        try distances.withUnsafeBufferPointer { (distance) throws(MeridianError) in
          guard let azimuth = azimuth.baseAddress, let distance = distance.baseAddress else { return Answers() }
          return try self.measureDirect(points, azimuth, distance, options, columns, statuses, run)
        }
      }
    }
  }

  /// Each edge in equal pieces no longer than `options.maxEdgeMetres` or `maxEdgeCoord`; input vertices stay bit-equal.
  /// Safe from any thread.
  public func densify(
    _ set: GeometrySet, options: MeasureOptions, run: Run = Run()
  ) throws(MeridianError) -> Transformed {
    let (made, statuses, answers) = try build(
      Operation.numbered(.measure, MRD_MEASURE_DENSIFY), set, options.abi, run)
    return Transformed(set: made, statuses: statuses, answers: answers)
  }

  /// Makes room for the columns, runs `body` and takes them over.
  private func measured(
    _ operation: Operation, _ set: GeometrySet, _ options: MeasureOptions,
    _ body: (
      mrd_measure_options, MeasureColumnsOut, UnsafeMutablePointer<Int32>?
    ) throws(MeridianError) -> Answers
  ) throws(MeridianError) -> Measured {
    let names = MeasureColumns.names(operation.number)
    let columns = DoubleColumns(names.count, rows: set.count)
    let statuses = ItemColumn(set.count)
    let answers = try options.withABI(rows: set.count) { (options) throws(MeridianError) in
      try body(options, columns.out, statuses.pointer)
    }
    return Measured(
      names: names, columns: columns.arrays, statuses: statuses.statuses, answers: answers)
  }
}

extension MeasureOptions {
  /// The options as the ABI has them, without the values that stand for rows.
  var abi: mrd_measure_options {
    var options = mrd_measure_options()
    options.struct_size = UInt32(MemoryLayout<mrd_measure_options>.size)
    options.side = side.rawValue
    options.max_edge_m = maxEdgeMetres
    options.max_edge_coord = maxEdgeCoord
    return options
  }

  func withABI<R>(
    rows: Int, _ body: (mrd_measure_options) throws(MeridianError) -> R
  ) throws(MeridianError) -> R {
    for values in [atFraction, atDistance] {
      guard values == nil || values?.count == rows else {
        throw MeridianError(.argument, "interpolate: one place a row is needed")
      }
    }
    var options = abi
    return try (atFraction ?? []).withUnsafeBufferPointer { (fraction) throws(MeridianError) in
      try (atDistance ?? []).withUnsafeBufferPointer { (distance) throws(MeridianError) in
        if atFraction != nil { options.at_fraction = fraction.baseAddress }
        if atDistance != nil { options.at_distance = distance.baseAddress }
        return try body(options)
      }
    }
  }
}

// MARK: - Over the ABI's own options, for the C interface too

extension Host {
  /// `options.at_fraction` and `at_distance` hold one value a row of the set. `statuses`: [rows], may be nil.
  func measure(
    _ operation: Operation, _ set: GeometrySet, _ options: mrd_measure_options, _ columns: MeasureColumnsOut,
    _ statuses: UnsafeMutablePointer<Int32>?, _ run: Run
  ) throws(MeridianError) -> Answers {
    try set.checkLayout()
    let state = RunState(self, run, work: set.weight)
    let gathering = MeasureGathering(set, columns, statuses)
    var answers = Answers()
    let fraction = options.at_fraction.map { RowValues(values: $0) }
    let distance = options.at_distance.map { RowValues(values: $0) }
    for (number, array) in set.arrays.enumerated() where array.count > 0 {
      let choice = try state.choose(operation, state.shape(of: array))
      answers.add(operation, choice, type: array.type)
      let fractions = fraction?.ordered(for: number, of: set)
      let distances = distance?.ordered(for: number, of: set)
      let job = gathering.job(state, operation, choice, number)
      try set.locating(number) { () throws(MeridianError) in
        try job.perform { table, rows, geoms, out, call in
          guard let measure = table.measure else { return MRD_E_UNSUPPORTED }
          var options = options
          return withRowValues(fractions, options.at_fraction, rows) { fraction in
            withRowValues(distances, options.at_distance, rows) { distance in
              options.at_fraction = fraction
              options.at_distance = distance
              return measure(operation.number, geoms, &options, out, call)
            }
          }
        }
      }
    }
    gathering.finish(fold: MemberFold.of(operation, run.model ?? set.model))
    state.progress?.finish()
    return answers
  }

  /// `azimuth` and `distance`: one value a row of the set.
  func measureDirect(
    _ points: GeometrySet, _ azimuth: UnsafePointer<Double>, _ distance: UnsafePointer<Double>,
    _ options: mrd_measure_options, _ columns: MeasureColumnsOut, _ statuses: UnsafeMutablePointer<Int32>?, _ run: Run
  ) throws(MeridianError) -> Answers {
    try points.checkLayout()
    let operation = Operation.numbered(.measure, MRD_MEASURE_DIRECT)
    let state = RunState(self, run, work: points.weight)
    let gathering = MeasureGathering(points, columns, statuses)
    var answers = Answers()
    for (number, array) in points.arrays.enumerated() where array.count > 0 {
      let choice = try state.choose(operation, state.shape(of: array))
      answers.add(operation, choice, type: array.type)
      let azimuths = RowValues(values: azimuth).ordered(for: number, of: points)
      let distances = RowValues(values: distance).ordered(for: number, of: points)
      let job = gathering.job(state, operation, choice, number)
      let (azimuth, distance) = (SharedPointer(azimuth), SharedPointer(distance))
      try points.locating(number) { () throws(MeridianError) in
        try job.perform { table, rows, geoms, out, call in
          guard let direct = table.direct else { return MRD_E_UNSUPPORTED }
          var options = options
          return withRowValues(azimuths, azimuth.pointer, rows) { azimuth in
            withRowValues(distances, distance.pointer, rows) { distance in
              direct(geoms, azimuth, distance, &options, out, call)
            }
          }
        }
      }
    }
    gathering.finish(fold: .only)
    state.progress?.finish()
    return answers
  }

  /// DENSIFY.
  func build(
    _ operation: Operation, _ set: GeometrySet, _ options: mrd_measure_options, _ run: Run
  ) throws(MeridianError) -> (GeometrySet, [RowStatus], Answers) {
    try set.checkLayout()
    let state = RunState(self, run, work: set.weight)
    let united = UnitedSet(unchanged: set)
    let statuses = ItemColumn.statuses(of: set)
    var answers = Answers()
    let results = try GeometryRun(operation: operation).perform(
      state, united, outcomes: false, answers: &answers, statuses: statuses
    ) { kernel, _, _, geoms, out, _, context in
      guard let build = kernel.measure?.pointee.build else { return MRD_E_UNSUPPORTED }
      var options = options
      return build(operation.number, geoms, &options, out, context.call)
    }
    let made = ResultSet.assemble(united, results)
    state.progress?.finish()
    return (made, set.joinedStatuses(statuses), answers)
  }
}

/// A pointer of the caller that calls on several threads read.
struct SharedPointer: @unchecked Sendable {
  let pointer: UnsafePointer<Double>?
  init(_ pointer: UnsafePointer<Double>?) { self.pointer = pointer }
}

/// The part of per-row values that belongs to a chunk: of the ordered copy when there is one, else of the caller's
/// memory.
func withRowValues<R>(
  _ ordered: [Double]?, _ own: UnsafePointer<Double>?, _ rows: Range<Int>, _ body: (UnsafePointer<Double>?) -> R
) -> R {
  guard let ordered else { return body(own.map { $0 + rows.lowerBound }) }
  return ordered.withUnsafeBufferPointer { values in body(values.baseAddress.map { $0 + rows.lowerBound }) }
}
