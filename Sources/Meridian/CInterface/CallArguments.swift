// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What every family function of the C interface is given: the session and the surroundings of the call.
struct CallArguments {
  let session: SessionHandle
  let record: RunRecord

  init(_ session: OpaquePointer?, _ run: UnsafeMutablePointer<mrd_run>?) throws(MeridianError) {
    try self.init(try require(session, "session", as: SessionHandle.self), run)
  }

  init(_ session: SessionHandle, _ run: UnsafeMutablePointer<mrd_run>?) throws(MeridianError) {
    self.session = session
    record = try RunRecord(run)
  }

  var host: Host { session.host }
  var run: Run { record.run }

  /// Where the statuses of the rows go; nil when they are not wanted.
  var statuses: UnsafeMutablePointer<mrd_item_status>? { record.statuses }

  /// Hands back who answered and why, and the statuses of the rows where the call did not write them itself.
  func finish(_ answers: Answers, _ statuses: [RowStatus] = []) {
    if let target = record.statuses {
      for (row, status) in statuses.enumerated() { target[row] = status.rawValue }
    }
    record.finish(answers, session)
  }
}

/// The set behind a handle; NULL is an argument error that names the parameter.
func requireSet(_ set: OpaquePointer?, _ name: StaticString) throws(MeridianError) -> GeometrySet {
  try require(set, name, as: SetHandle.self).set
}

/// The operation of a family that a number stands for, when it is one of `numbers`.
func requireOperation(
  _ family: Family, _ number: UInt32, in numbers: ClosedRange<UInt32>
) throws(MeridianError) -> Operation {
  guard numbers.contains(number), let operation = Operation.find(family, number) else {
    throw MeridianError(.argument, "this function has no operation number \(number)")
  }
  return operation
}

/// Hands out a new set.
func giveSet(_ set: GeometrySet, to out: UnsafeMutablePointer<OpaquePointer?>) {
  out.pointee = makeHandle(SetHandle(set))
}
