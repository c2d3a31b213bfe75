// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A status of the ABI. A struct, so that a value of a newer partner survives.
public struct Status: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let ok = Self(rawValue: MRD_OK)
  public static let abi = Self(rawValue: MRD_E_ABI)
  public static let argument = Self(rawValue: MRD_E_ARGUMENT)
  public static let unsupported = Self(rawValue: MRD_E_UNSUPPORTED)
  public static let memory = Self(rawValue: MRD_E_MEMORY)
  public static let cancelled = Self(rawValue: MRD_E_CANCELLED)
  public static let limit = Self(rawValue: MRD_E_LIMIT)
  public static let internalError = Self(rawValue: MRD_E_INTERNAL)
  public static let io = Self(rawValue: MRD_E_IO)
  public static let notFound = Self(rawValue: MRD_E_NOT_FOUND)
}

/// Why a call of the host failed: the ABI's status, the row and coordinate it is about, and a sentence.
public struct MeridianError: Error, Sendable {
  public var status: Status
  /// Row of the set that was passed in, or nil.
  public var row: Int?
  /// Coordinate of the array, or nil.
  public var coordinate: Int?
  public var message: String

  public init(_ status: Status, _ message: String, row: Int? = nil, coordinate: Int? = nil) {
    self.status = status
    self.row = row
    self.coordinate = coordinate
    self.message = message
  }
}
