// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// One operation of one kernel over the chunks of one array, or of one list of boxes.
struct KernelJob {
  let state: RunState
  let operation: Operation
  let choice: Choice
  /// Rows of each call.
  let chunks: [Range<Int>]
  /// Coordinates of a chunk, for observers and progress.
  let coordinates: @Sendable (Range<Int>) -> Int

  init(_ state: RunState, _ operation: Operation, _ choice: Choice, _ array: GeometryArray, whole: Bool = false) {
    self.state = state
    self.operation = operation
    self.choice = choice
    let isWhole = whole || choice.info.pointee.flags & MRD_OP_WHOLE_ARRAY != 0
    chunks = isWhole ? Chunks.whole(array) : Chunks.cut(array, size: state.host.chunkSize)
    coordinates = { array.coordinateStart(ofRow: $0.upperBound) - array.coordinateStart(ofRow: $0.lowerBound) }
  }

  /// `count` items that are not geometries; `grain` items a call at least, nil = all in one call.
  init(_ state: RunState, _ operation: Operation, _ choice: Choice, items count: Int, grain: Int?) {
    self.state = state
    self.operation = operation
    self.choice = choice
    if let grain { chunks = Chunks.even(count, grain: grain) } else { chunks = [0..<count] }
    coordinates = { $0.count }
  }

  /// Makes the calls on the host's workers and returns what `collect` makes of each, in order of the chunks.
  ///
  /// `prepare` lends result memory before the call, `enter` is the call, `collect` checks and takes what came. The
  /// error of the lowest chunk that failed is thrown, its row counted in the array. `abandon` gives a handle back that
  /// the kernel made in a call that is refused afterwards, because it damaged memory.
  func perform<T>(
    prepare: @escaping (Range<Int>, CallContext) throws(MeridianError) -> Void = { _, _ throws(MeridianError) in },
    enter: @escaping (Range<Int>, CallContext) -> mrd_status,
    collect: @escaping (Range<Int>, CallContext) throws(MeridianError) -> T,
    abandon: @escaping (OpaquePointer) -> Void = { _ in }
  ) throws(MeridianError) -> [T] {
    let results = Slots<T>(chunks.count)
    let failures = Slots<MeridianError>(chunks.count)
    let budget = max(1, state.threads / max(1, chunks.count))
    let job = self
    state.host.pool.run(pieces: chunks.count, limit: state.threads) { number, worker in
      do throws(MeridianError) {
        let rows = job.chunks[number]
        if job.state.isCancelled { throw MeridianError(.cancelled, "cancelled") }
        let context = CallContext(
          job.state, kernel: job.choice.plugin.id, budget: budget, weight: Double(job.coordinates(rows) + rows.count))
        try prepare(rows, context)
        let status = job.observed(rows, worker) { enter(rows, context) }
        try context.settle(status, firstRow: rows.lowerBound, abandon: abandon)
        results[number] = try collect(rows, context)
        return true
      } catch {
        failures[number] = error
        return false
      }
    }
    if let failure = failures.firstValue(where: { _ in true }) { throw failure }
    guard let all = results.all() else { throw MeridianError(.internalError, "a chunk has no result") }
    return all
  }

  /// Tells the observers of the begin and the end of a call.
  private func observed(_ rows: Range<Int>, _ worker: Int, _ body: () -> mrd_status) -> mrd_status {
    guard !state.observers.isEmpty else { return body() }
    return operation.family.tableID.withCString { family in
      choice.plugin.id.withCString { kernel in
        var observation = mrd_observation()
        observation.struct_size = UInt32(MemoryLayout<mrd_observation>.size)
        observation.op = operation.number
        observation.family = family
        observation.kernel = kernel
        observation.rows = Int64(rows.count)
        observation.coordinates = Int64(coordinates(rows))
        observation.worker = UInt32(clamping: worker)
        for observer in state.observers { observer.begin?(observer.context, &observation) }
        let start = monotonicNanoseconds()
        let status = body()
        observation.nanoseconds = monotonicNanoseconds() &- start
        observation.status = status
        for observer in state.observers { observer.end?(observer.context, &observation) }
        return status
      }
    }
  }
}
