// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not the WKB of a geometry.
public struct WKBError: Error, Sendable, Equatable {
  /// Offset of the value that is wrong, in the bytes that were passed in.
  public var byte: Int
  /// A sentence without a full stop.
  public var reason: String
  /// How many bytes the geometry has at least, when it ends too early; nil for every other error. Whoever reads a stream
  /// gets more and tries again.
  public var needed: Int?

  public init(byte: Int, reason: String, needed: Int? = nil) {
    self.byte = byte
    self.reason = reason
    self.needed = needed
  }
}
