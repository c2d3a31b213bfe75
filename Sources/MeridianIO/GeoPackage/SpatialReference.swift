// SPDX-License-Identifier: Apache-2.0

/// A row of `gpkg_spatial_ref_sys`.
struct SpatialReference {
  var id: Int32
  var name: String
  var organization: String
  var organizationID: Int64
  /// WKT, or "undefined".
  var definition: String

  static let wgs84 = Self(
    id: 4326, name: "WGS 84 geodetic", organization: "EPSG", organizationID: 4326,
    definition: """
      GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],\
      AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,\
      AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]
      """)
  static let undefinedCartesian = Self(
    id: -1, name: "Undefined Cartesian SRS", organization: "NONE", organizationID: -1, definition: "undefined")
  static let undefinedGeographic = Self(
    id: 0, name: "Undefined geographic SRS", organization: "NONE", organizationID: 0, definition: "undefined")

  /// The rows that every GeoPackage has.
  static let required = [wgs84, undefinedCartesian, undefinedGeographic]

  /// Ids from here on are outside the ranges of the authorities.
  static let firstFreeID: Int32 = 900_001

  /// True for the system of the same number of an authority, or without one by the same words.
  func isSame(as other: Self) -> Bool {
    guard organization == other.organization else { return false }
    return organization == "NONE"
      ? name == other.name && definition == other.definition : organizationID == other.organizationID
  }

  /// What the rest of the program is told. GeoPackage stores x, y = lon, lat whatever the axis order of the definition.
  var reference: CoordinateReference {
    if id == -1 || id == 0 { return .unknown }
    let authority = organization.uppercased()
    if isCRS84(authority) { return .lonLat }
    if authority.isEmpty || authority == "NONE" { return .other(name) }
    return CoordinateReference(named: "\(authority):\(organizationID)")
  }

  /// OGC's CRS84 has a name where GeoPackage wants a number, so writers choose one: then the definition says it, as the
  /// name alone or as the outermost identifier of its WKT, which stands last.
  private func isCRS84(_ authority: String) -> Bool {
    let text = String(definition.uppercased().filter { !$0.isWhitespace })
    let identifies = ["AUTHORITY[\"OGC\",\"CRS84\"]]", "ID[\"OGC\",\"CRS84\"]]", "ID[\"OGC\",84]]"]
      .contains { text.hasSuffix($0) }
    if identifies { return true }
    guard authority == "OGC" else { return false }
    return organizationID == 84 || name.uppercased().contains("CRS84") || text == "CRS84" || text.hasSuffix(":CRS84")
  }

  /// The row for a reference. Nothing is looked up: without a `definition` the authority's code has to speak for itself.
  init(_ reference: CoordinateReference, definition: String? = nil) {
    switch reference {
    case .lonLat: self = .wgs84
    case .unknown: self = .undefinedCartesian
    case .other(let text):
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      if parts.count == 2, let code = Int32(parts[1]), code > 0, !parts[0].isEmpty {
        // EPSG's and ESRI's numbers do not overlap, so the code can serve as the id of the row.
        self.init(
          id: code, name: text, organization: String(parts[0]), organizationID: Int64(code),
          definition: definition ?? "undefined")
      } else {
        // A system without a number.
        let id = Self.firstFreeID
        self.init(
          id: id, name: text, organization: "NONE", organizationID: Int64(id), definition: definition ?? text)
      }
    }
  }

  init(id: Int32, name: String, organization: String, organizationID: Int64, definition: String) {
    self.id = id
    self.name = name
    self.organization = organization
    self.organizationID = organizationID
    self.definition = definition
  }
}
