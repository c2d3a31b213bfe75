// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

/// A geometry of GEOS; whoever holds it destroys it through the session that made it.
typealias Geometry = OpaquePointer

/// One GEOS context for the length of one family call: contexts are cheap, and so no state is shared between threads.
/// While the session lives, GEOS's interrupts on this thread obey the cancel word of the call.
final class Session {
  let context: OpaquePointer
  let call: UnsafeMutablePointer<mrd_call>
  /// The last message of GEOS, ending in NUL.
  private let words: UnsafeMutablePointer<CChar>
  private let formerCancel: UnsafePointer<UInt32>?
  private var staging = Staging()

  static let wordCapacity = 400

  /// nil, with the call's error filled, when GEOS has no memory for a context.
  convenience init?(_ call: UnsafeMutablePointer<mrd_call>) {
    guard let context = GEOS_init_r() else {
      _ = fail(call, MRD_E_MEMORY, "GEOS could not make a context")
      return nil
    }
    self.init(call, context)
  }

  private init(_ call: UnsafeMutablePointer<mrd_call>, _ context: OpaquePointer) {
    self.context = context
    self.call = call
    words = .allocate(capacity: Session.wordCapacity)
    words.pointee = 0
    formerCancel = mrd_geos_set_cancel(call.pointee.cancel)
    _ = GEOSContext_setErrorMessageHandler_r(context, captureMessage, words)
  }

  deinit {
    _ = mrd_geos_set_cancel(formerCancel)
    GEOS_finish_r(context)
    words.deallocate()
  }

  /// Marks `row` as failed, GEOS's words going to the call's error record: the call itself goes on.
  func markFailed(_ row: Int) {
    call.setStatus(row, MRD_ITEM_FAILED)
    _ = fail(call, MRD_E_INTERNAL, cString: words, item: row)
  }

  /// The same as an answer for loops that set the status themselves.
  func failedItem(_ row: Int) -> mrd_item_status {
    markFailed(row)
    return MRD_ITEM_FAILED
  }

  /// Answers for a whole call that GEOS let down.
  func failure() -> mrd_status {
    call.isCancelled ? cancelled() : fail(call, MRD_E_INTERNAL, cString: words)
  }

  func cancelled() -> mrd_status { fail(call, MRD_E_CANCELLED, "the call was cancelled") }

  func destroy(_ geometry: Geometry?) {
    if let geometry { GEOSGeom_destroy_r(context, geometry) }
  }

  /// Runs `body` with `geometry` and destroys it afterwards.
  func consume<Result>(_ geometry: Geometry, _ body: (Geometry) -> Result) -> Result {
    defer { GEOSGeom_destroy_r(context, geometry) }
    return body(geometry)
  }

  /// Three columns of at least `count` doubles each, valid until the next request; nil = no memory.
  func stage(_ count: Int) -> Staging? {
    staging.reserve(count, call) ? staging : nil
  }
}

/// Memory for coordinates on their way into or out of GEOS. It comes from the call, which frees it.
struct Staging {
  private(set) var base: UnsafeMutablePointer<Double>?
  private(set) var capacity = 0

  func column(_ index: Int) -> UnsafeMutablePointer<Double>? { base.map { $0 + index &* capacity } }

  mutating func reserve(_ count: Int, _ call: UnsafeMutablePointer<mrd_call>) -> Bool {
    guard count > capacity || base == nil else { return true }
    // Doubling, since scratch memory is given back only when the call ends.
    let wanted = max(count, capacity &* 2, 1024)
    let (bytes, overflow) = wanted.multipliedReportingOverflow(by: 3 * MemoryLayout<Double>.stride)
    guard !overflow, let memory = call.pointee.scratch(call, Int64(bytes), 64) else { return false }
    base = memory.assumingMemoryBound(to: Double.self)
    capacity = wanted
    return true
  }
}

/// Copies a message of GEOS into the session's buffer, without the newline that some of them end in.
private func captureMessage(_ message: UnsafePointer<CChar>?, _ userdata: UnsafeMutableRawPointer?) {
  guard let message, let userdata else { return }
  let words = userdata.assumingMemoryBound(to: CChar.self)
  var length = 0
  while message[length] != 0, length < Session.wordCapacity - 1 {
    words[length] = message[length]
    length += 1
  }
  while length > 0, words[length - 1] == 10 { length -= 1 }
  words[length] = 0
}
