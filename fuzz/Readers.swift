// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// The reader that this process fuzzes, named by MERIDIAN_FUZZ_READER: one program serves all of them.
private let reader: String = getenv("MERIDIAN_FUZZ_READER").map { String(cString: $0) } ?? "geojson"

private let scratch = ScratchFile()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  let bytes = UnsafeRawBufferPointer(start: data, count: count)
  drain { () throws(FormatError) in
    // SQLite reads files, and every page of one may be anything.
    if reader == "gpkg" { return try GeoPackage(path: scratch.holding(bytes)).reader() }
    let source = fuzzedSource(bytes)
    switch reader {
    case "geojsonseq": return try GeoJSONSeqReader(source)
    case "wkt": return try WKTFileReader(source)
    case "wkb": return try WKBFileReader(source)
    case "csv": return try CSVReader(source)
    default: return try GeoJSONReader(source)
    }
  }
  return 0
}
