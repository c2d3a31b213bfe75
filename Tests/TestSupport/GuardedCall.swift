// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

/// A call context backed by malloc, with canaries around every block, counted requests and refusals on demand.
///
/// ```swift
/// let call = GuardedCall(rows: 3)
/// let status = call.run { table.measure(op, geoms, nil, &columns, $0) }
/// #expect(call.isIntact)
/// ```
public final class GuardedCall {
  private static let canary: UInt64 = 0xC0FF_EE00_DEAD_BEA7
  private static let margin = 64

  private final class Block {
    let memory: UnsafeMutableRawPointer
    let bytes: Int
    init?(_ bytes: Int, align: Int) {
      self.bytes = bytes
      var fresh: UnsafeMutableRawPointer?
      let margin = max(GuardedCall.margin, align)
      let rounded = (bytes + 7) & ~7
      guard posix_memalign(&fresh, max(64, align), margin + rounded + GuardedCall.margin) == 0, let fresh else {
        return nil
      }
      memory = fresh
      self.margin = margin
      memset(fresh, 0xA5, margin + rounded + GuardedCall.margin)
      for at in stride(from: 0, to: GuardedCall.margin, by: 8) {
        fresh.storeBytes(of: canary, toByteOffset: margin - GuardedCall.margin + at, as: UInt64.self)
        fresh.storeBytes(of: canary, toByteOffset: margin + rounded + at, as: UInt64.self)
      }
    }
    let margin: Int
    var start: UnsafeMutableRawPointer { memory + margin }
    var isIntact: Bool {
      let rounded = (bytes + 7) & ~7
      for at in stride(from: 0, to: GuardedCall.margin, by: 8) {
        let before = memory.load(fromByteOffset: margin - GuardedCall.margin + at, as: UInt64.self)
        let after = memory.load(fromByteOffset: margin + rounded + at, as: UInt64.self)
        if before != canary || after != canary { return false }
      }
      return true
    }
    deinit { free(memory) }
  }

  private var scratch: [Block] = []
  private var results: [UInt32: Block] = [:]
  private var brokenResults = false
  /// Requests for memory so far; the one with number `failingRequest` is refused.
  public private(set) var requests = 0
  public var failingRequest = -1
  /// Scratch memory that was given, in bytes.
  public private(set) var bytes = 0
  public var statuses: [mrd_item_status]
  public var error = mrd_error()
  /// Set before `run` to leave the error record without its size, so that nothing can be written to it.
  public var hasErrorSize = true
  /// Set before `run` to have the kernel find the cancel word set.
  public var isCancelled = false
  /// Set before `run`: the cancel word lies there instead, where a kernel's own results may set it on the way.
  public var cancelWord: UnsafePointer<UInt32>?

  /// Set before `run`: above 1 the kernel may work in pieces, which are run one by one, the last one first.
  public var threadBudget: UInt32 = 1
  /// Pieces that were run.
  public private(set) var pieces = 0

  public init(rows: Int) { statuses = Array(repeating: 0, count: rows) }

  /// Runs a call with this context.
  public func run(_ body: (UnsafeMutablePointer<mrd_call>) -> mrd_status) -> mrd_status {
    error = mrd_error()
    error.struct_size = hasErrorSize ? UInt32(MemoryLayout<mrd_error>.size) : 0
    var word: UInt32 = isCancelled ? 1 : 0
    return statuses.withUnsafeMutableBufferPointer { statuses in
      withUnsafeMutablePointer(to: &error) { error in
        withUnsafeMutablePointer(to: &word) { word in
          var call = mrd_call()
          call.struct_size = UInt32(MemoryLayout<mrd_call>.size)
          call.thread_budget = threadBudget
          if threadBudget > 1 {
            call.parallel_for = { call, body, context, count, grain in
              GuardedCall.of(call)?.runPieces(body, context, count, grain) ?? MRD_E_INTERNAL
            }
          }
          call.cancel = cancelWord ?? UnsafePointer(word)
          call.host = Unmanaged.passUnretained(self).toOpaque()
          call.scratch = { call, bytes, align in GuardedCall.of(call)?.takeScratch(Int(bytes), Int(align)) }
          call.grow = { call, buffer, bytes in GuardedCall.of(call)?.growResult(buffer, Int(bytes)) }
          call.item_status = statuses.baseAddress
          call.error = error
          return body(&call)
        }
      }
    }
  }

  private static func of(_ call: UnsafeMutablePointer<mrd_call>?) -> GuardedCall? {
    call?.pointee.host.map { Unmanaged<GuardedCall>.fromOpaque($0).takeUnretainedValue() }
  }

  private func runPieces(
    _ body: mrd_range_fn?, _ context: UnsafeMutableRawPointer?, _ count: Int64, _ grain: Int64
  ) -> mrd_status {
    guard let body else { return MRD_E_ARGUMENT }
    for begin in stride(from: 0, to: count, by: Int(max(1, grain))).reversed() {
      pieces += 1
      let status = body(context, begin, min(count, begin + max(1, grain)))
      if status != MRD_OK { return status }
    }
    return MRD_OK
  }

  private func isRefused() -> Bool {
    defer { requests += 1 }
    return requests == failingRequest
  }

  private func takeScratch(_ bytes: Int, _ align: Int) -> UnsafeMutableRawPointer? {
    guard !isRefused(), let block = Block(bytes, align: align) else { return nil }
    scratch.append(block)
    self.bytes += bytes
    return block.start
  }

  private func growResult(_ buffer: UInt32, _ bytes: Int) -> UnsafeMutableRawPointer? {
    guard !isRefused(), let block = Block(bytes, align: 64) else { return nil }
    if let old = results[buffer] {
      brokenResults = brokenResults || !old.isIntact
      memcpy(block.start, old.start, min(old.bytes, bytes))
    }
    results[buffer] = block
    return block.start
  }

  /// False when some write went past the ends of a block.
  public var isIntact: Bool {
    !brokenResults && scratch.allSatisfy(\.isIntact) && results.values.allSatisfy(\.isIntact)
  }

  /// What the kernel left in a result buffer; empty when it never asked for it.
  public func values<T: BitwiseCopyable>(_ buffer: UInt32, _ type: T.Type) -> [T] {
    guard let block = results[buffer] else { return [] }
    let count = block.bytes / MemoryLayout<T>.stride
    return (0..<count).map { block.start.load(fromByteOffset: $0 * MemoryLayout<T>.stride, as: T.self) }
  }

  public var message: String {
    withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
