// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI
import Synchronization

/// The `mrd_call` of one call into a kernel, and the memory behind it.
///
/// It withstands kernels that misuse it: unknown buffers, negative lengths, growing from inside `parallel_for` and
/// nesting it are answered with NULL or done by the calling thread. When the host checks its kernels, everything that is
/// lent stands between guards.
final class CallContext: @unchecked Sendable {
  let call: UnsafeMutablePointer<mrd_call>
  private let error: UnsafeMutablePointer<mrd_error>
  let state: RunState
  let kernel: String
  private let checked: Bool
  private let weight: Double

  private var buffers: [Buffer?] = .init(repeating: nil, count: Int(MRD_BUF_COUNT))
  private var lengths: [Int] = .init(repeating: 0, count: Int(MRD_BUF_COUNT))
  private var scratch: [GuardedBlock] = []
  private var loans: [(column: UnsafeMutableRawPointer, block: GuardedBlock)] = []
  private var outcomeBlock: GuardedBlock?
  /// For operations that make geometries.
  let geometryOut: UnsafeMutablePointer<mrd_geoms_out>
  /// For operations that prepare something.
  var handle: OpaquePointer?
  /// For operations that count.
  var number: Int64 = 0
  /// For operations that find candidates.
  var hitsOut = mrd_snap_hits_out()
  /// For operations that report problems.
  var problemsOut = mrd_problems_out()
  /// Fixed-width records that the kernel fills in place.
  var records: UnsafeMutableRawPointer?
  /// For operations that fill columns of numbers.
  var columns: [UnsafeMutablePointer<Double>?] = []
  private var allocations = 0
  /// Share of the call that was told as progress.
  private var told = 0.0
  /// True while `parallel_for` runs: then nothing else of the call may be used.
  private let isParallel = Atomic(false)

  /// `budget`: threads for parallel_for. `weight`: the call's share of the run's work.
  init(_ state: RunState, kernel: String, budget: Int, weight: Double) {
    self.state = state
    self.kernel = kernel
    self.weight = weight
    checked = state.host.checksKernels
    geometryOut = .allocate(capacity: 1)
    geometryOut.initialize(to: mrd_geoms_out())
    geometryOut.pointee.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
    hitsOut.struct_size = UInt32(MemoryLayout<mrd_snap_hits_out>.size)
    problemsOut.struct_size = UInt32(MemoryLayout<mrd_problems_out>.size)
    error = .allocate(capacity: 1)
    error.initialize(to: mrd_error())
    error.pointee.struct_size = UInt32(MemoryLayout<mrd_error>.size)
    error.pointee.item = -1
    error.pointee.coord = -1
    call = .allocate(capacity: 1)
    call.initialize(to: mrd_call())
    call.pointee.struct_size = UInt32(MemoryLayout<mrd_call>.size)
    call.pointee.thread_budget = UInt32(clamping: max(1, budget))
    call.pointee.cancel = state.run.cancel
    call.pointee.host = Unmanaged.passUnretained(self).toOpaque()
    call.pointee.scratch = { call, bytes, align in CallContext.of(call)?.takeScratch(bytes, align) }
    call.pointee.grow = { call, buffer, bytes in CallContext.of(call)?.grow(buffer, bytes) }
    call.pointee.parallel_for = { call, body, context, count, grain in
      guard let this = CallContext.of(call), let body else { return MRD_E_ARGUMENT }
      return this.parallelFor(body, context, count, grain)
    }
    if state.progress != nil {
      call.pointee.progress = { call, fraction in CallContext.of(call)?.tellProgress(fraction) }
    }
    call.pointee.log = { call, level, message in
      guard let this = CallContext.of(call), let message else { return }
      this.state.host.log(level, this.kernel + ": " + String(cString: message))
    }
    call.pointee.error = error
  }

  deinit {
    call.deallocate()
    error.deallocate()
    geometryOut.deallocate()
  }

  private static func of(_ call: UnsafeMutablePointer<mrd_call>?) -> CallContext? {
    guard let host = call?.pointee.host else { return nil }
    return Unmanaged<CallContext>.fromOpaque(host).takeUnretainedValue()
  }

  // MARK: - What the host lends

  /// The part of a column that belongs to `rows`: in place, or between guards when the host checks its kernels.
  func lend(_ column: FixedColumn, _ rows: Range<Int>) throws(MeridianError) -> UnsafeMutableRawPointer? {
    guard let base = column.base else { return nil }
    let place = base + rows.lowerBound * column.stride
    guard checked else { return place }
    let bytes = rows.count * column.stride
    guard let block = GuardedBlock(bytes: bytes, checked: true) else {
      throw MeridianError(.memory, "no memory for the results of a call")
    }
    memcpy(block.start, place, bytes)
    loans.append((place, block))
    return block.start
  }

  /// Lends the row statuses, zeroed.
  func lendStatuses(_ column: FixedColumn, _ rows: Range<Int>) throws(MeridianError) {
    guard let statuses = try lend(column, rows) else { return }
    memset(statuses, 0, rows.count * column.stride)
    call.pointee.item_status = statuses.assumingMemoryBound(to: mrd_item_status.self)
  }

  /// Lends memory for `count` outcomes, zeroed.
  func lendOutcomes(_ count: Int) throws(MeridianError) {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Int32>.stride)
    guard !overflow, let block = GuardedBlock(bytes: bytes, checked: checked) else {
      throw MeridianError(.memory, "no memory for the outcomes of a call")
    }
    memset(block.start, 0, bytes)
    outcomeBlock = block
  }

  var outcomes: UnsafeMutablePointer<Int32>? { outcomeBlock?.start.assumingMemoryBound(to: Int32.self) }

  /// The outcomes that were lent, as the kernel left them; none when it was not asked for them.
  func takeOutcomes() -> [Int32] {
    guard let outcomeBlock, let outcomes else { return [] }
    return Array(UnsafeBufferPointer(start: outcomes, count: outcomeBlock.bytes / MemoryLayout<Int32>.stride))
  }

  // MARK: - What the kernel asks for

  /// Counts requests for memory; false when this one is to fail.
  private func mayAllocate() -> Bool {
    allocations += 1
    guard let failing = state.run.failingAllocation else { return true }
    return allocations < failing
  }

  private func takeScratch(_ bytes: Int64, _ align: UInt32) -> UnsafeMutableRawPointer? {
    guard !isParallel.load(ordering: .acquiring), bytes >= 0, align > 0, align & (align - 1) == 0, align <= 4096,
      mayAllocate(), let block = GuardedBlock(bytes: Int(bytes), align: Int(align), checked: checked)
    else { return nil }
    scratch.append(block)
    return block.start
  }

  private func grow(_ number: UInt32, _ bytes: Int64) -> UnsafeMutableRawPointer? {
    guard !isParallel.load(ordering: .acquiring), number < MRD_BUF_COUNT, bytes >= 0, mayAllocate() else { return nil }
    let (room, overflow) = Int(bytes).addingReportingOverflow(checked ? GuardedBlock.margin : 0)
    let index = Int(number)
    let buffer = buffers[index] ?? Buffer()
    // A damaged margin must not be healed by the next growth.
    guard !overflow, isIntact(index) else { return nil }
    guard buffer.resize(room), let start = buffer.pointer else { return nil }
    buffers[index] = buffer
    lengths[index] = Int(bytes)
    if checked { memset(start + Int(bytes), Int32(GuardedBlock.pattern), GuardedBlock.margin) }
    return start
  }

  private func isIntact(_ index: Int) -> Bool {
    guard checked, let start = buffers[index]?.pointer else { return true }
    return GuardedBlock.isIntact(start + lengths[index])
  }

  private func parallelFor(
    _ body: @escaping @convention(c) (UnsafeMutableRawPointer?, Int64, Int64) -> mrd_status,
    _ context: UnsafeMutableRawPointer?, _ count: Int64, _ grain: Int64
  ) -> mrd_status {
    let pieces = Chunks.even(Int(clamping: count), grain: Int(clamping: grain))
    guard !pieces.isEmpty else { return count < 0 ? MRD_E_ARGUMENT : MRD_OK }
    let isNested = isParallel.exchange(true, ordering: .acquiringAndReleasing)
    defer { if !isNested { isParallel.store(false, ordering: .releasing) } }
    let outcomes = Slots<mrd_status>(pieces.count)
    let state = self.state
    let limit = isNested ? 1 : Int(call.pointee.thread_budget)
    let argument = SendablePointer(context)
    state.host.pool.run(pieces: pieces.count, limit: limit) { piece, _ in
      let status =
        state.isCancelled
        ? MRD_E_CANCELLED
        : body(argument.pointer, Int64(pieces[piece].lowerBound), Int64(pieces[piece].upperBound))
      outcomes[piece] = status
      return status == MRD_OK
    }
    return outcomes.firstValue { $0 != MRD_OK } ?? MRD_OK
  }

  private func tellProgress(_ fraction: Double) {
    guard let progress = state.progress, !isParallel.load(ordering: .acquiring) else { return }
    let fraction = fraction >= 1 ? 1 : fraction
    guard fraction > told else { return }
    progress.advance(by: (fraction - told) * weight)
    told = fraction
  }

  // MARK: - After the call

  /// Gives back what was lent and judges the call. `firstRow`: the row of the array that the kernel's row 0 was.
  /// `abandon`: takes the handle of a call that went well for the kernel and is refused.
  func settle(
    _ status: mrd_status, firstRow: Int, abandon: (OpaquePointer) -> Void = { _ in }
  ) throws(MeridianError) {
    defer { scratch = [] }
    do throws(MeridianError) {
      try checkGuards()
    } catch {
      if status == MRD_OK, let handle { abandon(handle) }
      handle = nil
      throw error
    }
    guard status == MRD_OK else { throw failure(status, firstRow: firstRow) }
    for (column, block) in loans { memcpy(column, block.start, block.bytes) }
    for index in buffers.indices { _ = buffers[index]?.resize(lengths[index]) }
    tellProgress(1)
  }

  private func checkGuards() throws(MeridianError) {
    var damaged: String?
    if scratch.contains(where: { !$0.isIntact }) { damaged = "scratch memory" }
    if loans.contains(where: { !$0.block.isIntact }) || outcomeBlock?.isIntact == false {
      damaged = "a column of results"
    }
    if let index = buffers.indices.first(where: { !isIntact($0) }) { damaged = "result buffer \(index)" }
    if let damaged {
      throw MeridianError(.internalError, "\(kernel) wrote past the end of \(damaged)")
    }
  }

  private func failure(_ status: mrd_status, firstRow: Int) -> MeridianError {
    // The record may hold anything: end the message by force, and trust its row and coordinate only as numbers.
    let text = withUnsafeMutableBytes(of: &error.pointee.message) { bytes -> String in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return "" }
      bytes[bytes.count - 1] = 0
      return String(cString: start)
    }
    let row = error.pointee.item >= 0 ? firstRow.addingReportingOverflow(Int(error.pointee.item)) : (0, true)
    return MeridianError(
      Status(rawValue: status), kernel + ": " + (text.isEmpty ? "failed with status \(status)" : text),
      row: row.1 ? nil : row.0, coordinate: error.pointee.coord >= 0 ? Int(error.pointee.coord) : nil)
  }

  /// A result buffer, an empty one when the kernel never grew it.
  func result(_ number: UInt32) -> Buffer { buffers[Int(number)] ?? Buffer() }

  /// A fault of the kernel in what it gave back.
  func fault(_ words: String) -> MeridianError { MeridianError(.internalError, "\(kernel): \(words)") }
}

/// A pointer that the caller vouches for to be used by several threads.
struct SendablePointer: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  init(_ pointer: UnsafeMutableRawPointer?) { self.pointer = pointer }
}

/// Places that different threads fill, each its own one; read after all of them ended.
final class Slots<Value>: @unchecked Sendable {
  private let places: UnsafeMutableBufferPointer<Value?>

  init(_ count: Int) {
    places = .allocate(capacity: count)
    places.initialize(repeating: nil)
  }

  deinit {
    places.deinitialize()
    places.deallocate()
  }

  subscript(index: Int) -> Value? {
    get { places[index] }
    set { places[index] = newValue }
  }

  func firstValue(where condition: (Value) -> Bool) -> Value? {
    for place in places {
      if let value = place, condition(value) { return value }
    }
    return nil
  }

  /// The values when every place was filled.
  func all() -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(places.count)
    for place in places {
      guard let value = place else { return nil }
      values.append(value)
    }
    return values
  }
}
