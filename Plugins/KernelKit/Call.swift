// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Fills the call's error record and returns `status`, so that a kernel can `return fail(call, ...)`. A literal keeps
/// string building out of the error path.
public func fail(
  _ call: UnsafeMutablePointer<mrd_call>, _ status: mrd_status, _ message: StaticString, item: Int = -1,
  coordinate: Int = -1
) -> mrd_status {
  message.withUTF8Buffer { bytes in
    // A StaticString ends in NUL.
    bytes.withMemoryRebound(to: CChar.self) {
      mrd_fail(call.pointee.error, status, Int64(item), Int64(coordinate), $0.baseAddress)
    }
  }
}

/// The same with words of a library below.
public func fail(
  _ call: UnsafeMutablePointer<mrd_call>, _ status: mrd_status, cString message: UnsafePointer<CChar>, item: Int = -1
) -> mrd_status {
  mrd_fail(call.pointee.error, status, Int64(item), -1, message)
}

extension UnsafeMutablePointer where Pointee == mrd_call {
  @inlinable public var isCancelled: Bool { mrd_cancelled(self) != 0 }

  /// The status of a failure that is in the error record already. Never MRD_OK: a record that the caller left without its
  /// size holds nothing.
  public var failure: mrd_status {
    let code = pointee.error?.pointee.code ?? MRD_OK
    return code == MRD_OK ? MRD_E_ARGUMENT : code
  }

  /// Sets the status of a row when the caller wants statuses.
  @inlinable public func setStatus(_ row: Int, _ status: mrd_item_status) {
    if let statuses = pointee.item_status { statuses[row] = status }
  }

  /// The same status for `count` rows.
  @inlinable public func setStatus(_ first: Int, count: Int, _ status: mrd_item_status) {
    if let statuses = pointee.item_status { (statuses + first).update(repeating: status, count: count) }
  }

  /// Adds warning bits to the status of a row.
  @inlinable public func addWarning(_ row: Int, _ bits: mrd_item_status) {
    if let statuses = pointee.item_status { statuses[row] |= bits }
  }
}

/// True when options end in bytes that this kernel does not know and that are not zero: answer MRD_E_UNSUPPORTED.
public func hasUnknownOptions<T>(_ options: UnsafePointer<T>?, structSize: UInt32) -> Bool {
  guard let options else { return false }
  let bytes = UnsafeRawPointer(options)
  var at = MemoryLayout<T>.size
  while at < Int(structSize) {
    if bytes.load(fromByteOffset: at, as: UInt8.self) != 0 { return true }
    at += 1
  }
  return false
}

/// A copy of options with every member that the writer did not know set to zero; all zero when NULL.
public func readOptions<T>(_ options: UnsafePointer<T>?, structSize: UInt32, zero: T) -> T {
  guard let options else { return zero }
  var copy = zero
  withUnsafeMutableBytes(of: &copy) { target in
    let size = min(target.count, Int(structSize))
    target.baseAddress?.copyMemory(from: options, byteCount: size)
  }
  return copy
}
