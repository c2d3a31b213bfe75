// SPDX-License-Identifier: Apache-2.0

extension CoordinateReference {
  /// From a name as GeoJSON's old `crs` member, GDAL and others spell it: `urn:ogc:def:crs:EPSG::2263`, `EPSG:2263`,
  /// `urn:ogc:def:crs:OGC:1.3:CRS84`.
  ///
  /// EPSG:4326 counts as longitude before latitude, as GeoJSON and WKB have it in practice whatever the registry says.
  init(named name: String) {
    let parts = name.split(separator: ":").map { $0.uppercased() }
    guard let code = parts.last, parts.count >= 2 else {
      self = .other(name)
      return
    }
    let authority = parts.count >= 5 ? parts[4] : parts[0]
    switch (authority, code) {
    case ("OGC", "CRS84"), ("OGC", "CRS84H"), ("EPSG", "4326"), ("EPSG", "4979"): self = .lonLat
    case ("EPSG", _): self = .other("EPSG:\(code)")
    default: self = .other(name)
    }
  }

  /// From the SRID of EWKB or EWKT; 0 says nothing.
  init(srid: Int32?) {
    switch srid {
    case nil, 0: self = .unknown
    case 4326: self = .lonLat
    case .some(let code): self = .other("EPSG:\(code)")
    }
  }

  /// The EPSG code as an SRID, where there is one.
  var srid: Int32? {
    switch self {
    case .lonLat: return 4326
    case .other(let name):
      let parts = name.split(separator: ":")
      guard parts.count == 2, parts[0] == "EPSG" else { return nil }
      return Int32(parts[1])
    case .unknown: return nil
    }
  }
}
