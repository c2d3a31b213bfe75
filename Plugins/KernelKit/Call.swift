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

/// The place for what a kernel says of the geometries that it makes; nil, with the call's error filled, when it is missing or
/// shorter than the first version's.
public func knownResult(
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ call: UnsafeMutablePointer<mrd_call>
) -> UnsafeMutablePointer<mrd_geoms_out>? {
  if let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_geoms_out>.size) { return out }
  _ = fail(call, MRD_E_ABI, "the place for the result is missing or its struct_size is too small")
  return nil
}

/// A copy of options with every member that the writer did not know set to zero; all zero when NULL. nil when they end in
/// bytes that this kernel does not know and that are not zero.
public func readOptions<T>(_ options: UnsafePointer<T>?, zero: T) -> T? {
  guard let options else { return zero }
  let bytes = UnsafeRawPointer(options)
  // Structs of the ABI begin with their size.
  let size = Int(bytes.load(as: UInt32.self))
  // No version of a struct ends inside a member.
  guard size % MemoryLayout<T>.alignment == 0 else { return nil }
  var at = MemoryLayout<T>.size
  while at < size {
    if bytes.load(fromByteOffset: at, as: UInt8.self) != 0 { return nil }
    at += 1
  }
  var copy = zero
  withUnsafeMutableBytes(of: &copy) { target in
    target.baseAddress?.copyMemory(from: bytes, byteCount: min(target.count, size))
  }
  return copy
}

/// The same; instead of options that are not known nil with the call's error filled.
public func knownOptions<T>(_ options: UnsafePointer<T>?, zero: T, _ call: UnsafeMutablePointer<mrd_call>) -> T? {
  let known = readOptions(options, zero: zero)
  if known == nil { _ = fail(call, MRD_E_UNSUPPORTED, "the options have members that this kernel does not know") }
  return known
}
