// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import Testing

@testable import MeridianIO

@Suite struct BadInputTests {
  private let folder = TemporaryFolder()

  private func rows(_ name: String, _ text: String) throws -> ReadRows { ReadRows(try folder.file(name, text)) }

  private func feature(_ geometry: String) -> String {
    #"{"type":"Feature","properties":{"n":1},"geometry":"# + geometry + "}"
  }

  // MARK: - Files

  @Test func missingDirectoryAndEmptyFilesAreNamed() throws {
    #expect(ReadRows(folder.path + "/none.geojson").error?.reason == "there is no such file or folder")
    #expect(ReadRows(folder.path, format: .geojson).error?.reason == "it is a directory")
    #expect(try rows("empty.geojson", "").error?.reason == "the file is empty")
    #expect(try rows("empty.csv", "").error?.reason.contains("the file is empty") == true)
    for name in ["empty.geojsonl", "empty.wkt", "empty.wkb"] {
      let read = try rows(name, "")
      #expect(read.error == nil && read.geometries.isEmpty && read.warnings == ["the file is empty"])
    }
    #expect(ReadRows("-").error?.reason.contains("need a format") == true)
    #expect(ReadRows(folder.path + "/x.unknown").error?.reason.contains("does not tell the format") == true)
  }

  @Test func outputAppearsWholeOrNotAtAll() throws {
    let set = try geometry("POINT (1 2)")
    let batch = FeatureBatch(geometries: set, firstRow: 0, attributes: [Attributes()])
    let name = folder.path + "/out.geojson"
    var writer: (any FeatureWriter)? = try openWriter(name)
    try writer?.write(batch)
    #expect(!folder.entries.contains("out.geojson"))
    writer?.abandon()
    #expect(folder.entries.isEmpty)
    writer = try openWriter(name)
    try writer?.write(batch)
    writer = nil
    #expect(folder.entries.isEmpty)
    writer = try openWriter(name)
    try writer?.write(batch)
    try writer?.finish()
    #expect(folder.entries == ["out.geojson"])
    #expect(ReadRows(name).geometries.count == 1)
  }

  @Test func aFullDiskIsTold() throws {
    let writer = try openWriter("/dev/full", format: .wkt)
    try writer.write(FeatureBatch(geometries: try geometry("POINT (1 2)"), firstRow: 0, attributes: [Attributes()]))
    let error = #expect(throws: FormatError.self) { try writer.finish() }
    #expect(error?.reason == "writing failed: the disk is full")
  }

  // MARK: - GeoJSON

  @Test func badFeaturesAreRowsAndTheOthersGoOn() throws {
    let bad = [
      #"{"type":"Point","coordinates":["1",2]}"#, #"{"type":"Point","coordinates":[1]}"#,
      #"{"type":"Point","coordinates":[1,1e400]}"#, #"{"type":"Point","coordinates":[1,NaN]}"#,
      #"{"type":"Point","coordinates":[null,2]}"#, #"{"type":"LineString","coordinates":[1,2]}"#,
      #"{"type":"Polygon","coordinates":[[1,2],[3,4]]}"#, #"{"type":"Pont","coordinates":[1,2]}"#,
      #"{"type":"Point"}"#, #"{"coordinates":[1,2]}"#, "7", "[]", #"{"type":"Point","coordinates":[1 2]}"#,
      #"{"type":"Point","coordinates":[01,2]}"#, #"{"type":"Point","coordinates":[1,2,]}"#,
      #"{"type":1,"coordinates":[1,2]}"#,
      #"{"type":"GeometryCollection","geometries":[null]}"#, #"{"type":"GeometryCollection"}"#,
    ]
    let good = feature(#"{"type":"Point","coordinates":[1,2]}"#)
    for geometry in bad {
      let text = #"{"type":"FeatureCollection","features":["# + "\n\(good),\n\(feature(geometry)),\n\(good)]}"
      let read = try rows("x.geojson", text)
      #expect(read.error == nil && read.geometries.count == 3 && read.geometries[1] == "null", "\(geometry)")
      #expect(read.problems.map(\.row) == [1] && read.problems.first?.line == 3, "\(geometry)")
      #expect(read.geometries[0] == read.geometries[2])
    }
    for element in [
      "7", "null", "\"x\"", "[]", #"{"type":"Feature","geometry":null,"properties":[]}"#,
      #"{"type":"Feature","geometry":null,"properties":{"a":[}}"#, #"{"type":"Point","coordinates":[1,2]}"#, "{}",
    ] {
      let read = try rows("x.geojson", #"{"features":["# + "\(element),\(good)]}")
      #expect(read.error == nil && read.geometries.count == 2 && read.problems.map(\.row) == [0], "\(element)")
    }
  }

  @Test func aBrokenDocumentIsAnErrorWithItsPlaceAfterTheRowsBefore() throws {
    let good = feature(#"{"type":"Point","coordinates":[1,2]}"#)
    for (tail, line) in [
      ("\n,]}", 2), ("\n \(good)]}", 2), (",\n\(good)", 2), (",\n\n{\"type\":", 3), ("]", 1), ("]}\n x", 2),
    ] {
      let read = try rows("x.geojson", #"{"type":"FeatureCollection","features":["# + good + tail)
      #expect(read.geometries.count >= 1 && read.error?.byte != nil && read.error?.line == line, "\(tail)")
    }
    for text in [
      "[]", "7", "{", "{}", #"{"type":"FeatureCollection"}"#, #"{"type":"FeatureCollection","features":{}}"#,
      #"{"type":"featurecollection","features":[]}"#, #"{"features":[],"features":[]}"#, #"{"a":}"#, #"{"a" 1}"#, "{7}",
      "\u{1}",
    ] {
      let read = try rows("x.geojson", text)
      #expect(read.error != nil || read.problems.count == 1, "\(text)")
    }
  }

  @Test func membersComeInAnyOrder() throws {
    let read = try rows(
      "x.geojson",
      #"{"crs":{"properties":{"name":"urn:ogc:def:crs:EPSG::2263"},"type":"name"},"features":[{"properties":null,"geometry":{"coordinates":[[[0,0],[1,0],[1,1],[0,0]],[]],"type":"Polygon"},"x":1,"id":"a","type":"Feature"}],"type":"FeatureCollection"}"#
    )
    #expect(read.error == nil && read.problems.isEmpty)
    #expect(read.geometries == [fingerprint(try geometry("POLYGON ((0 0,1 0,1 1,0 0),EMPTY)"), row: 0)])
    #expect(read.crs == .other("EPSG:2263") && read.warnings.isEmpty)
    #expect(read.text(read.attributes[0].foreign) == #""x":1"# && read.text(read.attributes[0].id) == #""a""#)
  }

  @Test func mixedDimensionsEmptyAndDuplicates() throws {
    let read = try rows(
      "x.geojsonl",
      """
      {"type":"LineString","coordinates":[[1,2],[3,4,5]]}
      {"type":"Point","coordinates":[1,2,3,4,5]}
      {"type":"MultiPolygon","coordinates":[[],[[]]]}
      {"type":"Feature","id":1,"id":2,"geometry":null,"properties":null}
      {"type":"Feature","properties":null}
      """)
    #expect(read.error == nil)
    let expected = ["LINESTRING Z (1 2 nan, 3 4 5)", "POINT ZM (1 2 3 4)", "MULTIPOLYGON (EMPTY, (EMPTY))"]
    let wanted = try expected.map { fingerprint(try geometry($0), row: 0) }
    #expect(Array(read.geometries.prefix(3)) == wanted)
    #expect(read.warnings.count == 2)
    #expect(read.text(read.attributes[3].id) == "1" && read.text(read.attributes[3].foreign) == #""id":2"#)
    #expect(read.problems.map(\.row) == [4])
  }

  @Test func byteOrderMarkIsSkippedWithAWarning() throws {
    let read = try rows("x.geojson", "\u{FEFF}" + #"{"type":"Point","coordinates":[1,2]}"#)
    #expect(read.error == nil && read.geometries.count == 1 && read.warnings.count == 1)
  }

  @Test func recordsWithSeparatorsMayHaveLines() throws {
    let read = try rows(
      "x.geojsons",
      "\u{1E}{\"type\":\"Point\",\n\"coordinates\":[1,2]}\n\u{1E}{\"type\":\"Po\n\u{1E}{\"type\":\"Point\",\"coordinates\":[3,4]}"
    )
    #expect(read.geometries.count == 3 && read.problems.map(\.row) == [1] && read.error == nil)
  }

  // MARK: - WKT, WKB, CSV

  @Test func wktGoesOnAfterBadRows() throws {
    let read = try rows(
      "x.wkt",
      """
      SRID=2263;POINT (1 2)
      POLYGON ((0 0, 1 1
      POINT(3 4)
      LINESTRING (0 0,
        1 1)

      POINT (1e400 0)
      CIRCULARSTRING (0 0, 1 1, 2 0)
      NULL
      point zm (1 2 nan -inf) ;
      POINT EMPTY
      """)
    #expect(read.error == nil && read.crs == .other("EPSG:2263"))
    #expect(read.problems.map(\.row) == [1, 4, 5])
    #expect(read.problems.map(\.line) == [3, 7, 8])
    #expect(read.geometries.count == 9)
    #expect(read.geometries[2] == fingerprint(try geometry("POINT (3 4)"), row: 0))
    #expect(read.geometries[8] == fingerprint(try geometry("POINT EMPTY"), row: 0))
  }

  @Test func hugeCountsInWKBAreRefusedBeforeMemoryIsTaken() throws {
    for type in 2...7 {
      let bytes: [UInt8] = [1, UInt8(type), 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 0, 0, 0]
      let read = ReadRows(try folder.file("x.wkb", bytes))
      #expect(read.error?.byte == 9 && read.error?.row == 0, "type \(type)")
    }
  }

  @Test func nestedCollectionsEnd() throws {
    let level: [UInt8] = [1, 7, 0, 0, 0, 1, 0, 0, 0]
    let tower =
      Array(repeatElement(level, count: 10_000).joined()) + [1, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
    #expect(ReadRows(try folder.file("x.wkb", tower)).error?.reason.contains("nested") == true)
    let text = String(repeating: "GEOMETRYCOLLECTION (", count: 10_000)
    #expect(try rows("x.wkt", text).problems.first?.reason.contains("nested") == true)
    let json = String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 100)
    #expect(
      try rows("x.geojsonl", json + String(repeating: "]}", count: 100)).problems.first?.reason.contains("nested")
        == true)
  }

  @Test func csvColumnsAndBadRows() throws {
    let read = try rows(
      "x.csv",
      "name,Lon,Lat\r\n\"a \"\"b\"\"\nc\",1,2\r\nshort,1\r\nbad,1,x\r\nempty,,\r\n\"quote\"x,1,2\r\nlast,-0,4e1")
    #expect(read.error == nil && read.crs == .lonLat)
    #expect(read.geometries.count == 6 && read.problems.map(\.row) == [1, 2, 4])
    #expect(read.problems.map(\.line) == [4, 5, 7])
    #expect(read.text(read.attributes[0].properties) == #"{"name":"a \"b\"\nc"}"#)
    let last = fingerprint(try geometry("POINT (-0 40)"), row: 0)
    #expect(read.geometries[3] == "null" && read.geometries[5] == last)
    #expect(try rows("y.csv", "a,b\n1,2\n").error?.reason.contains("no column of WKT") == true)
    #expect(try rows("z.csv", "wkt\n\"POINT (1 2)\n").error?.reason.contains("quotes") == true)
    let options = ReadOptions(csv: CSVOptions(x: "east", y: "north"))
    let named = ReadRows(try folder.file("n.csv", "east;north\n1;2\n"), options: options)
    #expect(named.geometries == [fingerprint(try geometry("POINT (1 2)"), row: 0)])
  }

  @Test func writersSayWhatTheyLeaveOut() throws {
    var builder = GeometryBuilder()
    try builder.begin(.point, .xym)
    builder.add(1, 2, .nan, 3)
    try builder.end()
    try builder.begin(.lineString, .xy)
    builder.add(1, .infinity)
    try builder.end()
    let set = try builder.finish()
    let writer = try openWriter(folder.path + "/x.geojson")
    try writer.write(FeatureBatch(geometries: set, firstRow: 5, attributes: [Attributes(), Attributes()]))
    try writer.finish()
    #expect(writer.problems.map(\.row) == [5, 6])
    let point = fingerprint(try geometry("POINT (1 2)"), row: 0)
    #expect(ReadRows(folder.path + "/x.geojson").geometries == [point, "null"])
    let late = try openWriter(folder.path + "/x.csv")
    let first = try geometry("POINT (1 2)")
    try late.write(FeatureBatch(geometries: first, firstRow: 0, attributes: [Attributes()]))
    #expect(throws: FormatError.self) {
      try late.write(
        FeatureBatch(geometries: first, firstRow: 1, attributes: [Attributes(properties: Array(#"{"a":1}"#.utf8))]))
    }
  }
}

/// What is read does not depend on where the windows of the input end.
@Suite struct WindowTests {
  @Test(arguments: 1...64) func everyWindowSizeReadsTheSame(size: Int) throws {
    let feature =
      #"{"type":"Feature","id":"\"\\","geometry":{"type":"Point","coordinates":[1.5,-2e1]},"properties":{"a":[1,"]}"]}}"#
    let geojson =
      #"{"type":"FeatureCollection","name":"x","features":[ "# + "\(feature) ,\n\(feature)\n] , \"bbox\":[1]} "
    let inputs: [(String, (ByteSource) throws -> StreamReader)] = [
      (geojson, { try GeoJSONReader($0) }), ("\(feature)\n\(feature)", { try GeoJSONSeqReader($0) }),
      ("POINT (1 2)\n\nPOLYGON ((0 0,\n1 0, 1 1, 0 0)) ;\nPOINT EMPTY", { try WKTFileReader($0) }),
      (
        "LINESTRING(-1 -2e-1,+3 -.5,-4 1e+1)\nMULTIPOINT ZM (EMPTY, (-nan inf -infinity -1))\nNULL\n"
          + "GEOMETRYCOLLECTION (POLYGON EMPTY, MULTIPOLYGON (EMPTY, ((-1 -1, -2 -1, -2 -2, -1 -1), EMPTY)))",
        { try WKTFileReader($0) }
      ),
      ("0101000000000000000000F03F0000000000000040\nNULL\n", { try WKBFileReader($0) }),
      ("a,lon,lat\r\n\"x \"\"y\"\"\n\",1,2\r\nz,3,4", { try CSVReader($0) }),
    ]
    for (text, open) in inputs {
      let (small, whole) = (try rows(text, size, open), try rows(text, 1 << 16, open))
      #expect(small == whole && small.count >= 2, "\(text)")
    }
  }

  private func rows(_ text: String, _ size: Int, _ open: (ByteSource) throws -> StreamReader) throws -> [String] {
    let reader = try open(ByteSource(Array(text.utf8), file: "text", windowSize: size))
    var rows: [String] = []
    while let batch = try reader.next(BatchLimit(rows: 1)) {
      #expect(batch.problems.isEmpty)
      rows.append(
        fingerprint(batch.geometries, row: 0) + String(decoding: batch.attributes[0].properties, as: UTF8.self))
    }
    return rows
  }
}
