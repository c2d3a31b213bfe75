// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The ids of the families as literals: a `#define` of the headers reaches Swift as a String, whose comparison would
/// link Unicode tables into every plug-in.
public enum FamilyID {
  public static let measure: StaticString = "meridian.measure/1"
  public static let validate: StaticString = "meridian.validate/1"
  public static let simplify: StaticString = "meridian.simplify/1"
  public static let snap: StaticString = "meridian.snap/1"
  public static let index: StaticString = "meridian.index/1"
}

/// True when a C string has the bytes of a literal.
public func isSame(_ text: UnsafePointer<CChar>?, _ literal: StaticString) -> Bool {
  guard let text else { return false }
  let wanted = cString(literal)
  var at = 0
  while text[at] == wanted[at] {
    if text[at] == 0 { return true }
    at += 1
  }
  return false
}

/// What every entry point checks: a host of a size that it can read, speaking this header's ABI. Fills the error if not.
public func acceptsHost(_ host: UnsafePointer<mrd_host>?, _ error: UnsafeMutablePointer<mrd_error>?) -> Bool {
  // Name and version are not read here: the range alone decides.
  guard let host, host.pointee.struct_size >= 12, host.pointee.abi_min <= MRD_ABI_VERSION,
    MRD_ABI_VERSION <= host.pointee.abi_max
  else {
    _ = mrd_fail(error, MRD_E_ABI, -1, -1, cString("the host does not speak ABI 0.1"))
    return false
  }
  return true
}
