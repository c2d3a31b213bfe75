// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@c @implementation
public func mrd_simplify(
  _ session: OpaquePointer?, _ op: UInt32, _ set: OpaquePointer?, _ options: UnsafePointer<mrd_simplify_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ outcomes: UnsafeMutablePointer<Int32>?,
  _ kept: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let out = try require(out, "out")
    var options = try read(options, "options", zero: mrd_simplify_options())
    guard options.n_tolerances == 0 || options.tolerances != nil else {
      throw MeridianError(.argument, "options.tolerances is NULL")
    }
    if kept != nil { options.flags |= MRD_SIMPLIFY_WANT_KEPT }
    let simplified = try call.host.simplify(
      try requireOperation(.simplify, op, in: MRD_SIMPLIFY_DOUGLAS_PEUCKER...MRD_SIMPLIFY_COVERAGE),
      try requireSet(set, "set"), options, call.run)
    giveSet(simplified.set, to: out)
    outcomes?.update(from: simplified.outcomes, count: simplified.outcomes.count)
    if let kept, let vertices = simplified.kept {
      let result = ResultHandle()
      result.add(MRD_BUF_ROWS, vertices.offsets)
      result.add(MRD_BUF_IDS, vertices.ids)
      kept.pointee = makeHandle(result)
    }
    call.finish(simplified.answers, simplified.statuses)
  }
}
