// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import Foundation
  import Meridian
  import TestSupport
  import Testing

  @testable import MeridianIO

  /// What other programs and real files say. Skipped where they are absent.
  @Suite struct GeoPackagePeerTests {
    private static let ogrinfo = "/usr/bin/ogrinfo"
    static var hasGDAL: Bool { FileManager.default.isExecutableFile(atPath: ogrinfo) }

    /// The folder of shared real files: MERIDIAN_SHARED, or `../shared` beside the package.
    static let realFiles: [String] = {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let shared = ProcessInfo.processInfo.environment["MERIDIAN_SHARED"] ?? root.appendingPathComponent("shared").path
      let folder = shared + "/data/real"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".gpkg") }.sorted().map { folder + "/" + $0 }
    }()

    /// Standard output and error of ogrinfo together.
    private func ogrinfo(_ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.ogrinfo)
      process.arguments = arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }

    @Test(.enabled(if: hasGDAL, "GDAL's ogrinfo is not installed"))
    func gdalReadsWhatWeWrite() throws {
      let folder = NSTemporaryDirectory() + "/meridian-gdal-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let path = folder + "/grid.gpkg"
      let writer = try GeoPackageWriter(path: path, layer: Layer(name: "grid", crs: .lonLat))
      var builder = GeometryBuilder()
      var attributes: [Attributes] = []
      for row in 0..<400 {
        let (x, y) = (Double(row % 20) + 0.1, Double(row / 20) + 0.1)
        try builder.begin(.polygon, .xyz)
        try builder.ring()
        for (dx, dy) in [(0.0, 0.0), (0.8, 0), (0.8, 0.8), (0, 0)] { builder.add(x + dx, y + dy, 5) }
        try builder.end()
        attributes.append(
          Attributes(id: Array("\(row + 1)".utf8), properties: Array(#"{"n":\#(row),"r":0.5,"s":"a","b":true}"#.utf8)))
      }
      try writer.write(FeatureBatch(geometries: try builder.finish(), firstRow: 0, attributes: attributes))
      try writer.finish()

      let summary = try ogrinfo(["-ro", "-al", "-so", path])
      for words in [
        "using driver `GPKG' successful", "Layer name: grid", "Geometry: 3D Polygon", "Feature Count: 400",
        "Extent: (0.100000, 0.100000) - (19.900000, 19.900000)", "ID[\"EPSG\",4326]", "FID Column = fid",
        "Geometry Column = geom", "n: Integer64 (0.0)", "r: Real (0.0)", "s: String (0.0)", "b: Integer(Boolean) (0.0)",
      ] {
        #expect(summary.contains(words), "\(words) is missing in:\n\(summary)")
      }
      #expect(!summary.contains("Warning") && !summary.contains("ERROR"), "\(summary)")
      // Windows that touch cells by their 64-bit edges: GDAL filters by our tree, then by the geometries' envelopes.
      for (window, count) in [
        (["3.1", "3.1", "5.1", "4.1"], 6), (["0.95", "0.95", "1.05", "1.05"], 0), (["19.9", "19.9", "30", "30"], 1),
      ] {
        let text = try ogrinfo(["-ro", "-al", "-so", path, "-spat"] + window)
        #expect(text.contains("Feature Count: \(count)\n"), "window \(window): \(text)")
      }
      let sql = try ogrinfo([
        "-ro", path, "-q", "-dialect", "SQLite", "-sql", "SELECT HasSpatialIndex('grid', 'geom') AS tree",
      ])
      #expect(sql.contains("= 1"), "\(sql)")
    }

    /// The tables that make it a store are no layers for GDAL, which would list tables that it does not know.
    @Test(.enabled(if: hasGDAL, "GDAL's ogrinfo is not installed"))
    func gdalReadsStores() throws {
      let store = try StoreFolder()
      let work = try store.copy("work.gpkg")
      try StoreEditor(work, mode: "WAL").run("UPDATE trees SET name = 'oak' WHERE fid = 1")
      #expect(try store.publish(work).outcome.text == "published 2")
      let list = try ogrinfo(["-ro", store.target]).split(separator: "\n").filter { $0.first?.isNumber == true }
      #expect(list.map { $0.prefix(8) } == ["1: trees", "2: paths"])
      let all = try ogrinfo(["-ro", "-al", "-so", store.target])
      #expect(all.contains("Feature Count: 10") && !all.contains("Warning") && !all.contains("ERROR"), "\(all)")
      let oaks = try ogrinfo(["-ro", "-q", "-where", "name = 'oak'", store.target, "trees"])
      #expect(oaks.contains("name (String) = oak"), "\(oaks)")
      // It is a program that works on stores, too.
      let sql = "UPDATE trees SET name = 'elm' WHERE name = 'oak'"
      _ = try ogrinfo([work, "-dialect", "SQLite", "-sql", sql])
      #expect(try store.publish(work).outcome.text == "published 3")
      #expect(try store.names().first == "elm")
    }

    /// These hold no features, or are not whole; every other file has to be read.
    private static let withoutFeatures = ["ets_empty", "ets_uint16", "nga_test", "sf_nospatial", "mapshaper_data_only"]

    @Test(.enabled(if: !realFiles.isEmpty, "the shared real files are not here"), arguments: realFiles)
    func realFilesAreReadAndCopied(path: String) throws {
      let known = Self.withoutFeatures.contains { path.contains($0) }
      let copy = NSTemporaryDirectory() + "/meridian-copy-" + UUID().uuidString + ".gpkg"
      defer { try? FileManager.default.removeItem(atPath: copy) }
      switch Result(catching: { () throws(FormatError) in try GeoPackage(path: path) }) {
      case .success(let package):
        for layer in package.layers { try copyAndCompare(package, layer.name, copy) }
      case .failure(let error):
        #expect(known, "\(error.description)")
        #expect(!error.reason.isEmpty)
      }
    }

    private func copyAndCompare(_ package: GeoPackage, _ layer: String?, _ copy: String) throws {
      let reader = try package.reader(layer: layer)
      let writer = try GeoPackageWriter(path: copy, layer: reader.layer)
      var original: [(attributes: Attributes, wkb: [UInt8])] = []
      while let batch = try reader.next(BatchLimit(rows: 1000)) {
        for row in 0..<batch.count { original.append((batch.attributes[row], wkb(batch.geometries, row))) }
        try writer.write(batch)
      }
      #expect(reader.fractionRead == 1)
      try writer.finish()
      let again = try GeoPackage(path: copy).reader()
      var row = 0
      while let batch = try again.next(BatchLimit(rows: 777)) {
        for index in 0..<batch.count {
          let expected = original[row]
          #expect(batch.attributes[index].id == expected.attributes.id || expected.attributes.id == nil, "row \(row)")
          #expect(
            try values(batch.attributes[index].properties) == values(expected.attributes.properties), "row \(row)")
          #expect(wkb(batch.geometries, index) == expected.wkb, "row \(row)")
          row += 1
        }
      }
      #expect(row == original.count)
    }

    /// As values: a column of integers and reals becomes one of reals, and 1 becomes 1.0.
    private func values(_ properties: [UInt8]) throws -> NSDictionary {
      try #require(try JSONSerialization.jsonObject(with: Data(properties)) as? NSDictionary)
    }

    private func wkb(_ set: GeometrySet, _ row: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      _ = WKBWriter.append(row: row, of: set, to: &bytes)
      return bytes
    }
  }
#endif
