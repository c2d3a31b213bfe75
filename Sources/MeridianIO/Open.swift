// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What stands behind the last dot of a file's own name, in small letters; nil without a dot.
package func fileExtension(_ fileName: String) -> String? {
  guard let name = fileName.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return nil }
  return name[name.index(after: dot)...].lowercased()
}

extension Format {
  /// By the extension of a file name, in any case; nil for standard input and unknown ones.
  public init?(fileName: String) {
    switch fileExtension(fileName) {
    case "geojson", "json": self = .geojson
    case "geojsonl", "geojsons", "ndjson", "geojsonseq", "jsonl": self = .geojsonseq
    case "wkt": self = .wkt
    case "wkb", "ewkb": self = .wkb
    case "csv", "tsv": self = .csv
    case "gpkg": self = .gpkg
    default: return nil
    }
  }
}

extension Format {
  /// What names of files in this format end in, without the dot.
  package var fileEnding: String { self == .geojsonseq ? "geojsonl" : rawValue }

  /// The formats with the ends of names that stand for them, for messages: "geojson (.geojson, .json), ...".
  package static let listedWithExtensions = """
    geojson (.geojson, .json), geojsonseq (.geojsonl, .geojsons, .geojsonseq, .ndjson, .jsonl), wkt (.wkt), \
    wkb (.wkb, .ewkb), csv (.csv, .tsv), gpkg (.gpkg)
    """

  /// True when a file name ends in an extension, whether it is known or not.
  package static func hasExtension(_ fileName: String) -> Bool {
    guard let name = fileName.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return false }
    return dot > name.startIndex && name.index(after: dot) < name.endIndex
  }

  /// True when a file that is written by default says which reference system its coordinates are in. Without a word of it
  /// readers take what they take: GeoJSONSeq is longitude and latitude by definition.
  package func says(_ crs: CoordinateReference) -> Bool {
    guard case .other = crs else { return true }
    switch self {
    case .geojson, .gpkg: return true
    case .csv: return crs.srid != nil
    case .geojsonseq, .wkt, .wkb: return false
    }
  }

  /// False for formats of geometries alone.
  package var carriesAttributes: Bool { self != .wkt && self != .wkb }
}

/// What a reader cannot find out by itself.
public struct ReadOptions: Sendable {
  /// Edge model and metric of the geometries; nil = geodesic for longitude and latitude, planar for everything else.
  public var model: GeometryModel?
  public var csv: CSVOptions
  /// Batches of GeoJSON and GeoJSONSeq have the text of each feature (`FeatureBatch.texts`), so that one that is not changed
  /// can be written byte for byte.
  public var keepsText: Bool

  public init(model: GeometryModel? = nil, csv: CSVOptions = CSVOptions(), keepsText: Bool = false) {
    self.model = model
    self.csv = csv
    self.keepsText = keepsText
  }
}

/// Choices of the writers.
public struct WriteOptions: Sendable {
  /// GeoJSONSeq with a record separator in front of each feature (RFC 8142); nil = for files named .geojsons alone.
  public var recordSeparators: Bool?
  /// WKB as one line of digits a geometry instead of binary.
  public var hexadecimal: Bool
  public var wkbFlavour: WKBWriter.Flavour
  /// CSV's separator; nil = tab for files named .tsv, or else a comma.
  public var separator: UInt8?

  public init(
    recordSeparators: Bool? = nil, hexadecimal: Bool = false, wkbFlavour: WKBWriter.Flavour = .iso,
    separator: UInt8? = nil
  ) {
    self.recordSeparators = recordSeparators
    self.hexadecimal = hexadecimal
    self.wkbFlavour = wkbFlavour
    self.separator = separator
  }
}

/// Opens a file, or standard input for "-", which needs a format.
///
/// `layer`: the table of a GeoPackage, nil = its only or first one; other formats have no layers.
public func openReader(
  _ file: String, format: Format? = nil, layer: String? = nil, options: ReadOptions = ReadOptions()
) throws(FormatError) -> any FeatureReader {
  let format = try chosenFormat(file, format)
  guard format == .gpkg || layer == nil else {
    throw FormatError(file: file, reason: "\(format.rawValue) has no layers, and layer \"\(layer ?? "")\" is asked for")
  }
  guard format != .gpkg else { return try openGeoPackage(file, layer: layer, options: options) }
  let source = try ByteSource(file)
  switch format {
  case .geojson, .geojsonseq:
    let reader: StreamReader =
      format == .geojson
      ? try GeoJSONReader(source, model: options.model) : try GeoJSONSeqReader(source, model: options.model)
    reader.keepsText = options.keepsText
    return reader
  case .wkt: return try WKTFileReader(source, model: options.model)
  case .wkb: return try WKBFileReader(source, model: options.model)
  case .csv, .gpkg: return try CSVReader(source, model: options.model, options: options.csv)
  }
}

/// A reader for each layer of a file, in the order of the layers; formats without layers give one.
public func openReaders(
  _ file: String, format: Format? = nil, options: ReadOptions = ReadOptions()
) throws(FormatError) -> [any FeatureReader] {
  let chosen = try chosenFormat(file, format)
  #if MERIDIAN_SQLITE
    if chosen == .gpkg, file != "-" {
      let package = try GeoPackage(path: file)
      var readers: [any FeatureReader] = []
      for layer in package.layers { readers.append(try package.reader(layer: layer.name, model: options.model)) }
      return readers
    }
  #endif
  return [try openReader(file, format: chosen, options: options)]
}

/// Opens a file for writing, or standard output for "-", which needs a format. `layer` says what the coordinates are and,
/// for a GeoPackage, how the table and its columns are called.
public func openWriter(
  _ file: String, format: Format? = nil, layer: Layer = Layer(), options: WriteOptions = WriteOptions()
) throws(FormatError) -> any FeatureWriter {
  let format = try chosenFormat(file, format)
  guard format != .gpkg else { return try createGeoPackage(file, layer: layer) }
  let output = try OutputFile(file)
  switch format {
  case .geojson: return GeoJSONWriter(output, layer: layer)
  case .geojsonseq:
    let separated = options.recordSeparators ?? file.lowercased().hasSuffix(".geojsons")
    return GeoJSONSeqWriter(output, layer: layer, separated: separated)
  case .wkt: return WKTFileWriter(output, layer: layer)
  case .wkb:
    let wkb = WKBWriter.Options(flavour: options.wkbFlavour, srid: layer.crs.srid)
    return WKBFileWriter(output, layer: layer, options: wkb, hexadecimal: options.hexadecimal)
  case .csv, .gpkg:
    let tab = file.lowercased().hasSuffix(".tsv")
    return CSVWriter(output, layer: layer, separator: options.separator ?? UInt8(ascii: tab ? "\t" : ","))
  }
}

private func chosenFormat(_ file: String, _ format: Format?) throws(FormatError) -> Format {
  if let format = format ?? Format(fileName: file) { return format }
  let formats = Format.allCases.map(\.rawValue).joined(separator: ", ")
  let reason = file == "-" ? "standard input and output need a format" : "the name does not tell the format"
  throw FormatError(file: file, reason: "\(reason): one of \(formats)")
}

private func openGeoPackage(
  _ file: String, layer: String?, options: ReadOptions
) throws(FormatError) -> any FeatureReader {
  #if MERIDIAN_SQLITE
    guard file != "-" else {
      throw FormatError(file: file, reason: "a GeoPackage is a database and cannot come from standard input")
    }
    return try GeoPackage(path: file).reader(layer: layer, model: options.model)
  #else
    throw withoutSQLite(file)
  #endif
}

/// Opens a GeoPackage for writing, of which `layer` is the first layer.
package func createGeoPackage(_ file: String, layer: Layer) throws(FormatError) -> any LayeredWriter {
  #if MERIDIAN_SQLITE
    return try GeoPackageWriter(path: file, layer: layer)
  #else
    throw withoutSQLite(file)
  #endif
}
