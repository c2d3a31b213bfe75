// SPDX-License-Identifier: Apache-2.0

/// How a CSV file is to be understood, where the header does not tell.
public struct CSVOptions: Sendable {
  /// `,`, `;` or tab; nil = the one that occurs most often in the header.
  public var separator: UInt8?
  /// The column with WKT.
  public var geometry: String?
  /// The columns with longitude and latitude, or x and y; both or none.
  public var x: String?
  public var y: String?

  public init(separator: UInt8? = nil, geometry: String? = nil, x: String? = nil, y: String? = nil) {
    self.separator = separator
    self.geometry = geometry
    self.x = x
    self.y = y
  }
}
