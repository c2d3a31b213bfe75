// SPDX-License-Identifier: Apache-2.0

/// Which columns of a header hold the geometry.
struct CSVColumns {
  enum Geometry: Equatable {
    case wkt(Int)
    case position(x: Int, y: Int)
  }

  static let wktNames = ["wkt", "geometry", "geom", "the_geom", "wkb_geometry", "shape"]
  /// Names that mean degrees.
  static let degreeNames = (x: ["lon", "longitude", "lng", "long"], y: ["lat", "latitude"])
  /// Names that do not say what the numbers are.
  static let planeNames = (x: ["x"], y: ["y"])

  var geometry: Geometry
  var crs: CoordinateReference

  /// Chosen by the options or by the names of the header, in any case; nil with the reason when there are none.
  static func find(in header: [String], options: CSVOptions) -> Result<CSVColumns, CSVHeaderError> {
    let names = header.map { trimmed($0).lowercased() }
    func index(_ name: String) -> Int? { header.firstIndex(of: name) ?? names.firstIndex(of: name.lowercased()) }
    func missing(_ name: String) -> Result<CSVColumns, CSVHeaderError> {
      .failure(CSVHeaderError(reason: "there is no column \"\(name)\" in the header"))
    }
    if let name = options.geometry {
      guard let column = index(name) else { return missing(name) }
      return .success(CSVColumns(geometry: .wkt(column), crs: .unknown))
    }
    if let xName = options.x, let yName = options.y {
      guard let x = index(xName) else { return missing(xName) }
      guard let y = index(yName) else { return missing(yName) }
      let isPlane = planeNames.x.contains(names[x]) && planeNames.y.contains(names[y])
      return .success(CSVColumns(geometry: .position(x: x, y: y), crs: isPlane ? .unknown : .lonLat))
    }
    if let column = names.firstIndex(where: wktNames.contains) {
      return .success(CSVColumns(geometry: .wkt(column), crs: .unknown))
    }
    for (pair, crs) in [(degreeNames, CoordinateReference.lonLat), (planeNames, .unknown)] {
      if let x = names.firstIndex(where: pair.x.contains), let y = names.firstIndex(where: pair.y.contains) {
        return .success(CSVColumns(geometry: .position(x: x, y: y), crs: crs))
      }
    }
    return .failure(
      CSVHeaderError(
        reason: "the header has no column of WKT (wkt, geometry, geom, the_geom) and no pair of lon and lat, or x and y"
      ))
  }

  func holds(_ column: Int) -> Bool {
    switch geometry {
    case .wkt(let wkt): column == wkt
    case .position(let x, let y): column == x || column == y
    }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// Why a header does not say where the geometry is.
struct CSVHeaderError: Error {
  var reason: String
}
