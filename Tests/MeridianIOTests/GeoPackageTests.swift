// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import CSQLite
  import Foundation
  import Meridian
  import Testing

  @testable import MeridianIO

  /// A folder of its own for a test, removed with it.
  private final class Folder {
    let path: String
    init() throws {
      path = NSTemporaryDirectory() + "/meridian-gpkg-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func file(_ name: String) -> String { path + "/" + name }
    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
  }

  /// A feature of the tests: geometry as coordinates of a type, id and properties as JSON text.
  private struct Row {
    var geometry: (inout GeometryBuilder) throws -> Void
    var id: String?
    var properties: String

    static func point(_ x: Double, _ y: Double, id: String? = nil, _ properties: String = "{}") -> Row {
      Row(
        geometry: { builder in
          try builder.begin(.point, .xy)
          builder.add(x, y)
          try builder.end()
        }, id: id, properties: properties)
    }
    static func null(id: String? = nil, _ properties: String = "{}") -> Row {
      Row(geometry: { try $0.null() }, id: id, properties: properties)
    }
  }

  private func batch(_ rows: [Row], first: Int = 0) throws -> FeatureBatch {
    var builder = GeometryBuilder()
    for row in rows { try row.geometry(&builder) }
    return FeatureBatch(
      geometries: try builder.finish(), firstRow: first,
      attributes: rows.map { Attributes(id: $0.id.map { Array($0.utf8) }, properties: Array($0.properties.utf8)) })
  }

  @discardableResult
  private func write(_ path: String, _ batches: [[Row]], layer: Layer = Layer()) throws -> [String] {
    let writer = try GeoPackageWriter(path: path, layer: layer)
    for rows in batches { try writer.write(try batch(rows)) }
    try writer.finish()
    return writer.warnings
  }

  /// One row as it was read.
  private struct ReadRow: Equatable {
    var id: String?
    var properties: String
    /// ISO WKB in hex; nil = null.
    var wkb: String?
  }

  private func read(_ reader: GeoPackageReader, rows: Int = 3) throws -> (rows: [ReadRow], problems: [RowProblem]) {
    var result: [ReadRow] = []
    var problems: [RowProblem] = []
    while let batch = try reader.next(BatchLimit(rows: rows)) {
      #expect(batch.firstRow == result.count)
      for row in 0..<batch.count {
        var wkb: [UInt8] = []
        let present = WKBWriter.append(row: row, of: batch.geometries, to: &wkb)
        let attributes = batch.attributes[row]
        result.append(
          ReadRow(
            id: attributes.id.map { String(decoding: $0, as: UTF8.self) },
            properties: String(decoding: attributes.properties, as: UTF8.self),
            wkb: present ? wkb.map { String(format: "%02x", $0) }.joined() : nil))
      }
      problems += batch.problems
    }
    return (result, problems)
  }

  private func read(_ path: String) throws -> [ReadRow] { try read(GeoPackage(path: path).reader()).rows }

  /// Geometries of every type and dimension, empty ones among them.
  private func everyKind() -> [Row] {
    func ring(_ builder: inout GeometryBuilder, _ x: Double) throws {
      try builder.ring()
      for (dx, dy) in [(0.0, 0.0), (1, 0), (1, 1), (0, 0)] { builder.add(x + dx, dy, 7.25, -0.5) }
    }
    var rows: [Row] = []
    for dimensions in [Dimensions.xy, .xyz, .xym, .xyzm] {
      for type in [GeometryType.point, .lineString, .polygon, .multiPoint, .multiLineString, .multiPolygon] {
        for isEmpty in [false, true] {
          rows.append(
            Row(
              geometry: { builder in
                try builder.begin(type, dimensions)
                if !isEmpty {
                  switch type {
                  case .point: builder.add(0.1, -1e-300, 3, 4)
                  case .lineString, .multiPoint:
                    builder.add(-180, 90, 1, 2)
                    builder.add(179.99999999999997, 0, 3, 4)
                  case .multiPolygon:
                    try builder.part()
                    try ring(&builder, 0)
                    try builder.part()
                    try ring(&builder, 5)
                  default:
                    try ring(&builder, 0)
                    try ring(&builder, 0.25)
                  }
                }
                try builder.end()
              }, id: nil, properties: #"{"kind":"\#(type.name)","empty":\#(isEmpty)}"#))
        }
      }
    }
    rows.append(.null(#"{"kind":"nothing","empty":true}"#))
    rows.append(
      Row(
        geometry: { builder in
          try builder.begin(.collection, .xy)
          try builder.begin(.point, .xy)
          builder.add(3, 4)
          try builder.end()
          try builder.begin(.collection, .xy)
          try builder.end()
          try builder.end()
        }, id: nil, properties: #"{"kind":"GeometryCollection","empty":false}"#))
    return rows
  }

  @Suite struct GeoPackageTests {
    @Test func everyGeometrySurvives() throws {
      let folder = try Folder()
      let rows = everyKind()
      let path = folder.file("every kind?#%.gpkg")
      try write(path, [rows])
      let expected = try batch(rows)
      let found = try read(path)
      #expect(found.count == rows.count)
      for (row, result) in found.enumerated() {
        var wkb: [UInt8] = []
        let present = WKBWriter.append(row: row, of: expected.geometries, to: &wkb)
        #expect(result.wkb == (present ? wkb.map { String(format: "%02x", $0) }.joined() : nil), "row \(row)")
        #expect(result.properties == rows[row].properties, "row \(row)")
      }
      #expect(folder.contents == ["every kind?#%.gpkg"])
    }

    @Test func propertiesKeepTypeAndText() throws {
      let folder = try Folder()
      let properties = [
        #"{"int":9223372036854775807,"real":0.1,"text":"Zürich \"x\" \\ \n 😀","yes":true,"nested":{"a":[1,2.50,null]},"none":null}"#,
        #"{"int":-5,"real":1e+300,"text":"","yes":false,"nested":[1,{"b":"c"}],"none":null}"#,
        #"{"int":null,"real":-2.5e-320,"text":null,"yes":null,"nested":null,"none":null}"#,
      ]
      let path = folder.file("a.gpkg")
      try write(path, [properties.map { .point(1, 2, $0) }])
      #expect(try read(path).map(\.properties) == properties)
      let fields = try GeoPackage(path: path).layers[0].fields
      #expect(
        fields == [
          Field(name: "int", type: "INTEGER"), Field(name: "real", type: "REAL"), Field(name: "text", type: "TEXT"),
          Field(name: "yes", type: "BOOLEAN"), Field(name: "nested", type: "JSON"), Field(name: "none", type: "TEXT"),
        ])
    }

    /// What is read and written again is the same, byte for byte, with the declared types.
    @Test func aCopyIsTheSame() throws {
      let folder = try Folder()
      let fields = [
        Field(name: "b", type: "BLOB"), Field(name: "d", type: "DATE"), Field(name: "t", type: "TEXT(5)"),
        Field(name: "m", type: "MEDIUMINT"), Field(name: "f", type: "FLOAT"), Field(name: "j", type: "JSON"),
      ]
      let layer = Layer(name: "roads \"main\"", crs: .other("EPSG:2263"), fields: fields)
      let rows: [Row] = [
        .point(1, 2, id: "7", #"{"b":"AAECAw==","d":"2026-01-02","t":"abc","m":12,"f":1.5,"j":{"k":"v"}}"#),
        .null(id: "9", #"{"b":"","d":null,"t":null,"m":null,"f":2.0,"j":"text"}"#),
        .point(-1, -2, id: "12", #"{"b":"AA==","d":"2026-12-31","t":"é","m":-1,"f":0.1,"j":null}"#),
      ]
      let (first, second) = (folder.file("a.gpkg"), folder.file("b.gpkg"))
      try write(first, [rows], layer: layer)
      let package = try GeoPackage(path: first)
      #expect(package.layers[0].name == "roads \"main\"")
      #expect(package.layers[0].crs == .other("EPSG:2263"))
      #expect(package.layers[0].fields == fields)
      #expect(try read(first).map(\.properties) == rows.map(\.properties))
      #expect(try read(first).map(\.id) == ["7", "9", "12"])

      let reader = try package.reader(layer: "roads \"main\"")
      let writer = try GeoPackageWriter(path: second, layer: reader.layer)
      while let batch = try reader.next(BatchLimit(rows: 2)) { try writer.write(batch) }
      try writer.finish()
      #expect(try read(second) == read(first))
      #expect(try GeoPackage(path: second).layers[0].fields == fields)
    }

    @Test func columnsGrowWithTheValues() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      let batches: [[Row]] = [
        [.point(0, 0, #"{"a":1,"b":true,"c":"x","d":null}"#), .point(0, 0, #"{"a":2}"#)],
        [.point(0, 0, #"{"a":2.5,"b":"maybe","e":3}"#)],
        [.point(0, 0, #"{"a":0.1,"c":[1],"d":9007199254740993}"#)],
        [.point(0, 0, #"{"d":0.5,"a":"007","e":1e400,"f":123456789012345678901234567890}"#)],
      ]
      try write(path, batches)
      #expect(
        try read(path).map(\.properties) == [
          #"{"a":"1.0","b":"true","c":"x","d":null,"e":null,"f":null}"#,
          #"{"a":"2.0","b":null,"c":null,"d":null,"e":null,"f":null}"#,
          #"{"a":"2.5","b":"maybe","c":null,"d":null,"e":"3","f":null}"#,
          #"{"a":"0.1","b":null,"c":[1],"d":"9007199254740993","e":null,"f":null}"#,
          #"{"a":"007","b":null,"c":null,"d":"0.5","e":"1e400","f":"123456789012345678901234567890"}"#,
        ])
    }

    /// SQLite keeps reals in a column that is declared INTEGER; numbers stay numbers in the copy.
    @Test func realsInDeclaredIntegersStayNumbers() throws {
      let folder = try Folder()
      let fields = [
        Field(name: "short", type: "INTEGER"), Field(name: "odd", type: "INT UNSIGNED"),
        Field(name: "long", type: "INTEGER"),
      ]
      let path = folder.file("a.gpkg")
      try write(
        path,
        [
          [.point(0, 0, #"{"short":-9999,"odd":1,"long":9007199254740993}"#)],
          [.point(0, 0, #"{"short":24.5,"odd":0.5,"long":0.5}"#)],
        ], layer: Layer(name: "t", fields: fields))
      #expect(
        try read(path).map(\.properties) == [
          #"{"short":-9999.0,"odd":1.0,"long":"9007199254740993"}"#, #"{"short":24.5,"odd":0.5,"long":"0.5"}"#,
        ])
      #expect(try GeoPackage(path: path).layers[0].fields.map(\.type) == ["REAL", "REAL", "TEXT"])
    }

    @Test func namesThatCollideOrAreReserved() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      let warnings = try write(
        path, [[.point(1, 1, id: "4", #"{"fid":"own","geom":1,"Name":1,"name":2,"":3,"n\u0000l":4,"name":5}"#)]],
        layer: Layer(name: "gpkg_secret"))
      #expect(warnings.contains { $0.contains("name_2") })
      #expect(warnings.contains { $0.contains("twice") })
      let package = try GeoPackage(path: path)
      #expect(package.layers[0].name == "layer_gpkg_secret")
      let rows = try read(path)
      #expect(rows[0].id == "4")
      #expect(
        rows[0].properties == "{\"fid\":\"own\",\"geom\":1,\"Name\":1,\"name_2\":2,\"property\":3,\"n\u{fffd}l\":4}")
    }

    /// Refused at once: looking up names among so many takes minutes.
    @Test func tooManyPropertiesAreRefusedAtOnce() throws {
      let folder = try Folder()
      let properties = "{" + (0..<30_000).map { "\"c\($0)\":1" }.joined(separator: ",") + "}"
      let started = ContinuousClock.now
      let error = try #require(throws: FormatError.self) {
        try write(folder.file("a.gpkg"), [[.point(1, 2, properties)]])
      }
      #expect(error.reason.contains("1998 properties"), "\(error.reason)")
      #expect(ContinuousClock.now - started < .seconds(120))
      #expect(folder.contents.isEmpty)
    }

    @Test func idsAreKeptWhereTheyCanBe() throws {
      let folder = try Folder()
      let ids = ["5", "5", "\"a\\u00e9\"", nil, "-3", "1.5", "9223372036854775807", "6"]
      let path = folder.file("a.gpkg")
      try write(path, [ids.map { .point(0, 0, id: $0, #"{"id":"mine"}"#) }])
      let rows = try read(path)
      #expect(Set(rows.compactMap(\.id)).count == ids.count)
      let kept = rows.map { row in row.properties.replacingOccurrences(of: #"{"id":"mine","id_2":"#, with: "") }
      #expect(Set(kept) == ["null}", "\"5\"}", "\"aé\"}", "\"-3\"}", "\"1.5\"}", "\"9223372036854775807\"}", "\"6\"}"])
      #expect(rows.first?.id == "5")
      // No id at all before an id that then is taken.
      let other = folder.file("b.gpkg")
      try write(other, [[.point(0, 0), .point(0, 0, id: "1"), .point(0, 0, id: "8")]])
      #expect(try read(other).map(\.id) == ["1", "2", "8"])
      #expect(try read(other)[1].properties == #"{"id":"1"}"#)
    }

    @Test func severalLayersAreListed() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      let writer = try GeoPackageWriter(path: path, layer: Layer(name: "one", crs: .lonLat))
      try writer.write(try batch([.point(1, 2)]))
      try writer.startLayer(Layer(name: "two", crs: .unknown))
      try writer.startLayer(Layer(name: "TWO", crs: .other("a local grid")))
      try writer.write(try batch([.point(1, 2), .null()]))
      try writer.finish()
      let package = try GeoPackage(path: path)
      #expect(package.layers.map(\.name) == ["one", "two", "TWO_2"])
      #expect(package.layers.map(\.crs) == [.lonLat, .unknown, .other("a local grid")])
      #expect(try read(package.reader(layer: "TWO_2")).rows.count == 2)
      #expect(try read(package.reader(layer: "two")).rows.isEmpty)
      let error = #expect(throws: FormatError.self) { try package.reader(layer: "three") }
      #expect(error?.description.contains("one, two, TWO_2") == true)
    }

    /// CRS84 has a name where GeoPackage wants a number: writers differ in the number and say the rest elsewhere.
    @Test(arguments: [
      ("OGC", 84, "CRS84", "undefined"), ("OGC", 1, "whatever", "CRS84"),
      ("ogc", 100_000, "WGS 84 (CRS84)", "undefined"),
      ("NONE", 100_000, "WGS 84 (CRS84)", #"GEOGCS["WGS 84 (CRS84)",AUTHORITY["OGC","CRS84"]]"#),
      ("OGC", 3, "x", "urn:ogc:def:crs:OGC:1.3:CRS84"), ("EPSG", 4326, "WGS 84", "undefined"),
    ])
    func longitudeAndLatitudeByAnyName(organization: String, number: Int64, name: String, definition: String) {
      let reference = SpatialReference(
        id: 100_000, name: name, organization: organization, organizationID: number, definition: definition)
      #expect(reference.reference == .lonLat)
    }

    @Test(arguments: [
      ("OGC", 27, "NAD27", "CRS27"), ("EPSG", 2056, "CH1903+ / LV95", "undefined"),
      ("NONE", 7, "grid", #"PROJCS["grid",GEOGCS["x",AUTHORITY["OGC","CRS84"]],UNIT["metre",1]]"#),
    ])
    func othersAreNot(organization: String, number: Int64, name: String, definition: String) {
      let reference = SpatialReference(
        id: 100_000, name: name, organization: organization, organizationID: number, definition: definition)
      #expect(reference.reference != .lonLat)
    }

    // MARK: - The R-tree

    /// The tree holds every box outward, agrees with itself, and skips null and empty rows.
    @Test func theTreeIsRight() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      var rows: [Row] = (0..<500).map { .point(Double($0) * 0.1 + 610_123.37, 5_801_234.56 + 1e-7 * Double($0)) }
      rows.insert(.null(), at: 3)
      rows.append(.point(.nan, .nan))
      rows.append(.point(1e300, -1e300))
      try write(path, [rows], layer: Layer(name: "t"))
      let connection = try SQLiteConnection(path, .readOnly)
      let check = try connection.prepare("SELECT rtreecheck('rtree_t_geom'), count(*) FROM rtree_t_geom")
      #expect(try check.step())
      #expect(check.text(0) == "ok")
      #expect(check.integer(1) == 501)
      check.reset()
      let boxes = try connection.prepare("SELECT id, minx, maxx, miny, maxy FROM rtree_t_geom")
      var seen = 0
      while try boxes.step() {
        guard boxes.integer(0) < 500, boxes.integer(0) > 4 else { continue }
        let x = Double(boxes.integer(0) - 2) * 0.1 + 610_123.37
        #expect(boxes.double(1) <= x && x <= boxes.double(2))
        #expect(boxes.double(2) - boxes.double(1) <= 0.0625)
        seen += 1
      }
      #expect(seen == 495)
    }

    /// The triggers as another program fires them, the change of an id among them (qgis/QGIS#36935) and an upsert.
    @Test func theTriggersKeepTheTree() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      try write(path, [[.point(7, 8, id: "1"), .point(1, 1, id: "2")]], layer: Layer(name: "t"))
      let connection = try SQLiteConnection(path, .write)
      try connection.register("ST_IsEmpty") { context, _, arguments in answer(context, arguments) { $0 == nil ? 1 : 0 }
      }
      for name in ["ST_MinX", "ST_MaxX"] {
        try connection.register(name) { context, _, arguments in answer(context, arguments) { $0?.xmin ?? .nan } }
      }
      for name in ["ST_MinY", "ST_MaxY"] {
        try connection.register(name) { context, _, arguments in answer(context, arguments) { $0?.ymin ?? .nan } }
      }
      func tree() throws -> [[Double]] {
        var result: [[Double]] = []
        let rows = try connection.prepare("SELECT id, minx, miny FROM rtree_t_geom ORDER BY id")
        while try rows.step() { result.append((0..<3).map { rows.double($0) }) }
        return result
      }
      try connection.run("UPDATE t SET fid = 3 WHERE fid = 1")
      #expect(try tree() == [[2, 1, 1], [3, 7, 8]])
      try connection.run("UPDATE t SET geom = NULL WHERE fid = 2")
      #expect(try tree() == [[3, 7, 8]])
      try connection.run("UPDATE t SET geom = (SELECT geom FROM t WHERE fid = 3) WHERE fid = 2")
      #expect(try tree() == [[2, 7, 8], [3, 7, 8]])
      try connection.run(
        "INSERT INTO t (fid, geom) SELECT fid, geom FROM t WHERE fid = 3 ON CONFLICT (fid) DO UPDATE SET geom = excluded.geom"
      )
      #expect(try tree() == [[2, 7, 8], [3, 7, 8]])
      try connection.run("UPDATE t SET fid = 9, geom = NULL WHERE fid = 2; DELETE FROM t WHERE fid = 3")
      #expect(try tree() == [])
      try connection.run("UPDATE t SET fid = 10 WHERE fid = 9")
      #expect(try tree() == [])
    }

    /// What a table computes is data for who reads it.
    @Test func generatedColumnsAreRead() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      try write(path, [[.point(1, 2, #"{"a":3}"#)]], layer: Layer(name: "t"))
      try SQLiteConnection(path, .write).run("ALTER TABLE t ADD COLUMN twice INTEGER AS (a * 2)")
      #expect(try read(GeoPackage(path: path).reader()).rows.map(\.properties) == [#"{"a":3,"twice":6}"#])
    }

    // MARK: - Bad input

    @Test func badFilesHaveReasons() throws {
      let folder = try Folder()
      let good = folder.file("good.gpkg")
      try write(good, [(0..<400).map { .point(Double($0), 0, #"{"a":"some text so that there are pages"}"#) }])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: good))
      func reason(_ data: Data?) throws -> String {
        let path = folder.file("bad.gpkg")
        if let data {
          try data.write(to: URL(fileURLWithPath: path))
        } else {
          try? FileManager.default.removeItem(atPath: path)
        }
        do {
          let package = try GeoPackage(path: path)
          _ = try read(package.reader())
          return ""
        } catch let error as FormatError {
          #expect(error.file == path)
          return error.reason
        }
      }
      #expect(try reason(nil).contains("no such file"))
      #expect(try reason(Data()) == "the file is empty")
      #expect(try reason(Data("{}".utf8)).contains("not an SQLite database"))
      #expect(try reason(bytes.prefix(60)).contains("cut short"))
      for size in stride(from: 100, to: bytes.count - 4096, by: 3001) {
        #expect(try !reason(bytes.prefix(size)).isEmpty, "\(size) of \(bytes.count) bytes")
      }
      #expect(throws: FormatError.self) { try GeoPackage(path: folder.path) }
      let empty = folder.file("empty.db")
      try SQLiteConnection(empty, .write).run("CREATE TABLE t(a)")
      let notOne = #expect(throws: FormatError.self) { try GeoPackage(path: empty) }
      #expect(notOne?.reason.contains("gpkg_contents") == true)
    }

    /// Bytes changed at random: an error or some rows, never a crash.
    @Test(arguments: 0..<6) func damagedFilesNeverCrash(seed: Int) throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      try write(path, [(0..<60).map { .point(Double($0), 0, #"{"a":"text","b":1.5,"c":{"d":1}}"#) }])
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
      func random(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 11) % bound
      }
      for round in 0..<40 {
        var copy = bytes
        for _ in 0..<(1 + random(30)) { copy[random(copy.count)] = UInt8(random(256)) }
        let damaged = folder.file("b.gpkg")
        try Data(copy).write(to: URL(fileURLWithPath: damaged))
        do {
          let package = try GeoPackage(path: damaged)
          for layer in package.layers { _ = try read(package.reader(layer: layer.name)) }
        } catch let error as FormatError {
          #expect(!error.reason.isEmpty, "seed \(seed), round \(round)")
        }
      }
    }

    @Test func badRowsAreReportedAndTheOthersGoOn() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      try write(path, [(0..<9).map { .point(Double($0), 0, #"{"r":0.5,"t":"x"}"#) }], layer: Layer(name: "t"))
      do {
        let connection = try SQLiteConnection(path, .write)
        try connection.run(
          """
          DROP TRIGGER rtree_t_geom_update6; DROP TRIGGER rtree_t_geom_update2; DROP TRIGGER rtree_t_geom_update7;
          DROP TRIGGER rtree_t_geom_update4; DROP TRIGGER rtree_t_geom_update5;
          UPDATE t SET geom = x'' WHERE fid = 1;
          UPDATE t SET geom = x'47500001e6100000' WHERE fid = 2;
          UPDATE t SET geom = x'47500001e6100000010800000000000000' WHERE fid = 3;
          UPDATE t SET geom = x'4750000fe61000000101000000' WHERE fid = 4;
          UPDATE t SET geom = 'POINT (1 2)' WHERE fid = 5;
          UPDATE t SET geom = x'01010000000000000000000000', r = 9e999 WHERE fid = 6;
          UPDATE t SET t = CAST(x'ff41' AS TEXT), r = x'00' WHERE fid = 7;
          UPDATE t SET geom = x'47500020e61000000101000000' WHERE fid = 8;
          """)
      }
      let (rows, problems) = try read(GeoPackage(path: path).reader(), rows: 100)
      #expect(rows.count == 9)
      #expect(rows.map { $0.wkb == nil } == [true, true, true, true, true, true, false, true, false])
      #expect(problems.map(\.row) == [0, 1, 2, 3, 4, 5, 5, 6, 6, 7])
      #expect(problems[2].reason.contains("CircularString"))
      #expect(rows[5].properties == #"{"r":null,"t":"x"}"#)
      #expect(rows[6].properties == "{\"r\":\"AA==\",\"t\":\"\u{fffd}A\"}")
    }

    @Test func aWriterLeavesTheWholeFileOrNone() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      try "old".write(toFile: path, atomically: true, encoding: .utf8)
      do {
        let writer = try GeoPackageWriter(path: path, layer: Layer())
        try writer.write(try batch([.point(1, 2)]))
        #expect(folder.contents.count == 2)
      }
      #expect(folder.contents == ["a.gpkg"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      let writer = try GeoPackageWriter(path: path, layer: Layer())
      let bad = try batch([.point(1, 2, "{\"a\":[}")])
      #expect(throws: FormatError.self) { try writer.write(bad) }
      #expect(throws: FormatError.self) { try writer.finish() }
      #expect(folder.contents == ["a.gpkg"])
      #expect(throws: FormatError.self) { try GeoPackageWriter(path: "-", layer: Layer()) }
      #expect(throws: FormatError.self) { try GeoPackageWriter(path: folder.path, layer: Layer()) }
      #expect(throws: FormatError.self) { try GeoPackageWriter(path: folder.file("no/such/a.gpkg"), layer: Layer()) }
      try write(path, [[.point(1, 2)]])
      #expect(try read(path).count == 1)
    }

    /// As for every other format: links are followed, permissions stay, and a pipe or device is not replaced by a file.
    @Test func theFileBehindALinkIsReplacedAndAPipeIsNot() throws {
      let folder = try Folder()
      let (path, link, pipe) = (folder.file("a.gpkg"), folder.file("link.gpkg"), folder.file("pipe.gpkg"))
      try write(path, [[.point(1, 2)]])
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      try write(link, [[.point(1, 2), .point(3, 4)]])
      #expect(try read(path).count == 2)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
      #expect(mkfifo(pipe, 0o600) == 0)
      #expect(throws: FormatError.self) { try GeoPackageWriter(path: pipe, layer: Layer()) }
      #expect(folder.contents == ["a.gpkg", "link.gpkg", "pipe.gpkg"])
    }

    /// A limit on the size of files stands for a full disk; it holds for a whole process, so a child takes it.
    @Test func aFullDiskIsAnErrorWithoutAFile() async throws {
      await #expect(processExitsWith: .exitCode(7)) {
        signal(SIGXFSZ, SIG_IGN)
        let folder = try Folder()
        var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let text = String(repeating: "x", count: 1000)
        let rows: [Row] = (0..<2000).map { .point(Double($0), 0, #"{"a":"\#(text)"}"#) }
        do {
          for _ in 0..<1 { try write(folder.file("a.gpkg"), [rows]) }
        } catch let error as FormatError {
          let words = error.reason.contains("disk") || error.reason.contains("too large")
          exit(words && folder.contents.isEmpty ? 7 : 1)
        }
        exit(2)
      }
    }

    /// A file in write-ahead mode: at rest it is read without making files beside it; with a log, the log counts.
    @Test func writeAheadLogsAreRead() throws {
      let folder = try Folder()
      let path = folder.file("a.gpkg")
      try write(path, [[.point(1, 2)]], layer: Layer(name: "t"))
      try SQLiteConnection(path, .write).run("PRAGMA journal_mode = WAL")
      #expect(try read(path).count == 1)
      #expect(folder.contents == ["a.gpkg"])
      let open = try SQLiteConnection(path, .write)
      try open.run("DROP TRIGGER rtree_t_geom_insert; INSERT INTO t (geom) VALUES (NULL)")
      #expect(try read(path).count == 2)
    }
  }

  /// An ST_ function of the tests: `body` gets the bounds of the geometry, nil = empty.
  private func answer(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ body: (Bounds?) -> Double
  ) {
    let value = arguments?[0]
    let base = sqlite3_value_blob(value)
    let blob = UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(value)))
    var bounds: Bounds?
    var builder = GeometryBuilder()
    if let offset = try? GeometryBlob.offsetOfWKB(blob) {
      _ = try? WKBReader.read(UnsafeRawBufferPointer(rebasing: blob[offset...]), into: &builder)
      bounds = (try? builder.finish()).flatMap { $0.count == 1 ? Bounds(row: 0, of: $0) : nil }
    }
    sqlite3_result_double(context, body(bounds))
  }
#endif
