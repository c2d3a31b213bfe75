// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What every family function of the C interface is given: the session and the surroundings of the call.
struct CallArguments {
  let session: SessionHandle
  let record: RunRecord

  init(_ session: OpaquePointer?, _ run: UnsafeMutablePointer<mrd_run>?) throws(MeridianError) {
    self.session = try require(session, "session", as: SessionHandle.self)
    record = try RunRecord(run)
  }

  init(_ session: SessionHandle, _ run: UnsafeMutablePointer<mrd_run>?) throws(MeridianError) {
    self.session = session
    record = try RunRecord(run)
  }

  var host: Host { session.host }
  var run: Run { record.run }

  /// Hands back the statuses of the rows, and who answered and why.
  func finish(_ statuses: [RowStatus], _ answers: Answers) { record.finish(statuses, answers, session) }
}

/// The set behind a handle; NULL is an argument error that names the parameter.
func requireSet(_ set: OpaquePointer?, _ name: StaticString) throws(MeridianError) -> GeometrySet {
  try require(set, name, as: SetHandle.self).set
}

/// The operation of a family that a number stands for.
func requireOperation<T: RawRepresentable>(_ number: UInt32, as type: T.Type) throws(MeridianError) -> T
where T.RawValue == UInt32 {
  guard let operation = T(rawValue: number) else {
    throw MeridianError(.argument, "this function has no operation number \(number)")
  }
  return operation
}

/// The case that a number in an options struct stands for; others are of a newer version.
func requireCase<T: RawRepresentable>(_ number: Int32, _ name: StaticString, as type: T.Type) throws(MeridianError) -> T
where T.RawValue == Int32 {
  guard let value = T(rawValue: number) else {
    throw MeridianError(.unsupported, "\(name) has the unknown value \(number)")
  }
  return value
}

/// Refuses flags that this version does not know.
func checkFlags(_ flags: UInt32, known: UInt32, _ name: StaticString) throws(MeridianError) {
  guard flags & ~known == 0 else {
    throw MeridianError(.unsupported, "\(name) has bits that this version does not know")
  }
}

/// `count` values of the caller's, or nil when NULL.
func copyArray<T: BitwiseCopyable>(_ pointer: UnsafePointer<T>?, _ count: Int) -> [T]? {
  pointer.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
}

/// Hands out a new set.
func giveSet(_ set: GeometrySet, to out: UnsafeMutablePointer<OpaquePointer?>) {
  out.pointee = makeHandle(SetHandle(set))
}
