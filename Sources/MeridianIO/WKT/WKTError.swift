// SPDX-License-Identifier: Apache-2.0

/// Why text is not the WKT of a geometry.
public struct WKTError: Error, Sendable, Equatable {
  /// Offset of the text that is wrong.
  public var byte: Int
  /// A sentence without a full stop.
  public var reason: String
  /// True when the text ends inside the geometry: more of it could make it whole.
  public var isTruncation: Bool

  public init(byte: Int, reason: String, isTruncation: Bool = false) {
    self.byte = byte
    self.reason = reason
    self.isTruncation = isTruncation
  }
}
