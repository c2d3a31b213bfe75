// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Why a path was accepted or refused. A struct, so that a reason of a newer library survives.
public struct Reason: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let accepted = Self(rawValue: MRD_REASON_ACCEPTED)
  public static let shadowed = Self(rawValue: MRD_REASON_SHADOWED)
  public static let notFound = Self(rawValue: MRD_REASON_NOT_FOUND)
  public static let relativePath = Self(rawValue: MRD_REASON_RELATIVE_PATH)
  public static let writableByOthers = Self(rawValue: MRD_REASON_WRITABLE_BY_OTHERS)
  public static let wrongOwner = Self(rawValue: MRD_REASON_WRONG_OWNER)
  public static let linkLeavesRoot = Self(rawValue: MRD_REASON_LINK_LEAVES_ROOT)
  public static let libraryLeavesManifest = Self(rawValue: MRD_REASON_LIBRARY_LEAVES_MANIFEST)
  public static let malformedManifest = Self(rawValue: MRD_REASON_MALFORMED_MANIFEST)
  public static let newerManifest = Self(rawValue: MRD_REASON_NEWER_MANIFEST)
  public static let wrongPlatform = Self(rawValue: MRD_REASON_WRONG_PLATFORM)
  public static let cpuLevel = Self(rawValue: MRD_REASON_CPU_LEVEL)
  public static let wrongABI = Self(rawValue: MRD_REASON_WRONG_ABI)
  public static let wrongChecksum = Self(rawValue: MRD_REASON_WRONG_CHECKSUM)
  public static let privilegedProcess = Self(rawValue: MRD_REASON_PRIVILEGED_PROCESS)
  public static let loadFailed = Self(rawValue: MRD_REASON_LOAD_FAILED)
  public static let noEntry = Self(rawValue: MRD_REASON_NO_ENTRY)
  public static let refused = Self(rawValue: MRD_REASON_REFUSED)
  public static let badTable = Self(rawValue: MRD_REASON_BAD_TABLE)
  public static let initFailed = Self(rawValue: MRD_REASON_INIT_FAILED)
  public static let io = Self(rawValue: MRD_REASON_IO)
  public static let notAbsoluteRegular = Self(rawValue: MRD_REASON_NOT_ABSOLUTE_REGULAR)

  /// The names that `mrd_reason_name` gives, in the order of the codes.
  static let names: [StaticString] = [
    "ACCEPTED", "SHADOWED", "NOT_FOUND", "RELATIVE_PATH", "WRITABLE_BY_OTHERS", "WRONG_OWNER", "LINK_LEAVES_ROOT",
    "LIBRARY_LEAVES_MANIFEST", "MALFORMED_MANIFEST", "NEWER_MANIFEST", "WRONG_PLATFORM", "CPU_LEVEL", "WRONG_ABI",
    "WRONG_CHECKSUM", "PRIVILEGED_PROCESS", "LOAD_FAILED", "NO_ENTRY", "REFUSED", "BAD_TABLE", "INIT_FAILED", "IO",
    "NOT_ABSOLUTE_REGULAR",
  ]

  /// "WRITABLE_BY_OTHERS" as static text for the C interface; nil for a code that is not known.
  var staticName: StaticString? {
    rawValue >= 0 && Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : nil
  }

  /// "WRITABLE_BY_OTHERS"; "REASON_99" for a code that is not known.
  public var name: String {
    guard let name = staticName else { return "REASON_\(rawValue)" }
    return name.description
  }
}

/// One path that discovery or loading looked at, with what came of it.
public struct Diagnostic: Equatable, Sendable {
  public let reason: Reason
  public let path: String
  /// The whole reason, `dlerror()` included.
  public let message: String

  init(_ reason: Reason, _ path: String, _ message: String) {
    self.reason = reason
    self.path = path
    self.message = message
  }
}
