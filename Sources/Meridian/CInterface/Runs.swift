// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A call's surroundings as C callers give them.
struct RunRecord {
  private let record: UnsafeMutablePointer<mrd_run>?
  private let raw: mrd_run
  let run: Run

  init(_ record: UnsafeMutablePointer<mrd_run>?) throws(MeridianError) {
    self.record = record
    raw = try read(UnsafePointer(record), "run", zero: mrd_run())
    var run = Run(
      threads: Int(raw.threads), cancel: raw.cancel, rules: raw.rules.map { String(cString: $0) },
      model: try raw.model.map { (model) throws(MeridianError) in
        GeometryModel(try read(model, "run.model", zero: mrd_model()))
      })
    if let progress = raw.progress {
      nonisolated(unsafe) let context = raw.progress_context
      run.progress = { progress(context, $0) }
    }
    self.run = run
  }

  /// One a row of the set, or NULL when they are not wanted.
  var statuses: UnsafeMutablePointer<mrd_item_status>? { raw.item_status }

  /// Tells who answered, and why.
  func finish(_ answers: Answers, _ session: SessionHandle) {
    // `kernel` and `reason` are the last members of version 0.1: written where the caller's struct has them.
    guard let record, Int(record.pointee.struct_size) >= MemoryLayout<mrd_run>.size else { return }
    record.pointee.kernel = session.keep(answers.kernels)
    record.pointee.reason = session.keep(answers.reasons)
  }
}
