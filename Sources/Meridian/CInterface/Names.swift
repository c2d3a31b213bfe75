// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@c @implementation
public func mrd_version() -> UnsafePointer<CChar>? { staticText(Host.version) }

@c @implementation
public func mrd_abi_version() -> UInt32 { MRD_ABI_VERSION }

@c @implementation
public func mrd_status_name(_ status: mrd_status) -> UnsafePointer<CChar>? {
  let name: StaticString? =
    switch status {
    case MRD_OK: "MRD_OK"
    case MRD_E_ABI: "MRD_E_ABI"
    case MRD_E_ARGUMENT: "MRD_E_ARGUMENT"
    case MRD_E_UNSUPPORTED: "MRD_E_UNSUPPORTED"
    case MRD_E_MEMORY: "MRD_E_MEMORY"
    case MRD_E_CANCELLED: "MRD_E_CANCELLED"
    case MRD_E_LIMIT: "MRD_E_LIMIT"
    case MRD_E_INTERNAL: "MRD_E_INTERNAL"
    case MRD_E_IO: "MRD_E_IO"
    case MRD_E_NOT_FOUND: "MRD_E_NOT_FOUND"
    default: nil
    }
  return name.flatMap(staticText)
}

@c @implementation
public func mrd_problem_name(_ code: Int32) -> UnsafePointer<CChar>? {
  ProblemCode(rawValue: code).entry.flatMap { staticText($0.name) }
}

@c @implementation
public func mrd_problem_message(_ code: Int32) -> UnsafePointer<CChar>? {
  ProblemCode(rawValue: code).entry.flatMap { staticText($0.sentence) }
}

@c @implementation
public func mrd_reason_name(_ reason: Int32) -> UnsafePointer<CChar>? {
  Reason(rawValue: reason).staticName.flatMap(staticText)
}

/// A static string's own bytes, which end in NUL and live as long as the process.
private func staticText(_ text: StaticString) -> UnsafePointer<CChar>? {
  text.hasPointerRepresentation ? UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) : nil
}
