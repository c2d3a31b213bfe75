// SPDX-License-Identifier: Apache-2.0
import Glibc
import Meridian
import MeridianIO
import Testing

@testable import meridian_cli

/// What the command writes where: nothing that was read is lost, and nothing is left out without a word.
@Suite struct OutputTests {
  private static let point = #"{"type":"Point","coordinates":[1,2]}"#

  private func refused(_ words: [String], says: String) throws {
    let answer = try Shell.withKernels(words)
    #expect(answer.code == 2, "\(words)")
    #expect(answer.err.contains(says), "\(words): \(answer.err)")
  }

  @Test func anInputIsNeverReplacedByWhatWasMadeOfIt() throws {
    let folder = try Scratch()
    let data = try folder.write(Self.point, to: "data.geojson")
    let (link, twin) = (folder.path + "/link.geojson", folder.path + "/twin.geojson")
    try #require(symlink("data.geojson", link) == 0 && Glibc.link(data, twin) == 0)
    for output in [data, link, twin] {
      for words in [
        ["measure", "-o", output, data], ["validate", "-o", output, data], ["validate", "--repair", output, data],
        ["convert", "-o", output, data], ["simplify", "-t", "1", "-o", output, data],
        ["snap", "--grid", "1", "-o", output, data], ["index", "build", "-o", output, data],
        ["compare", "--op", "measure.area", "--kernels", "native,geos", "-o", output, data],
        ["bench", "--data", data, "-o", output],
      ] { try refused(words, says: "would replace what is read") }
    }
    let other = try folder.write(Self.point, to: "other.geojson")
    try refused(["snap", "--to", data, "-t", "1", "-o", link, other], says: "would replace what is read")
    let new = folder.path + "/new.geojson"
    try refused(["validate", "-o", new, "--repair", new, data], says: "each needs a file of its own")
    #expect(try folder.read("data.geojson") == Self.point)
    #expect(folder.names == ["data.geojson", "link.geojson", "other.geojson", "twin.geojson"])
  }

  /// Two names of one file that is not there yet: the later one would win, and nobody would be told.
  @Test func twoOutputsThatWillBeOneFileAreRefused() throws {
    let folder = try Scratch()
    let data = try folder.write(Self.point, to: "data.geojson")
    let link = folder.path + "/link"
    try #require(symlink("new.geojson", link) == 0)
    let name = folder.path.split(separator: "/").last.map(String.init) ?? ""
    let new = folder.path + "/new.geojson"
    let others = ["/./", "//", "/../\(name)/"].map { folder.path + $0 + "new.geojson" } + [link]
    for other in others {
      for words in [
        ["validate", "--repair", new, "--report", "geojson=\(other)", data],
        ["validate", "-o", other, "--changes", new, "--repair", folder.path + "/x.geojson", data],
        ["validate", "--report", "json=\(new)", "--report", "csv=\(other)", data],
      ] { try refused(words, says: "each needs a file of its own") }
    }
    #expect(folder.names == ["data.geojson", "link"])
    // Same names in different folders, and different names in one, are files of their own.
    let apart = folder.path + "/other.geojson"
    let words = ["validate", "--repair", new, "--report", "geojson=\(apart)", data]
    #expect(try Shell.withKernels(words).code == 0)
    #expect(folder.names == ["data.geojson", "link", "new.geojson", "other.geojson"])
    #expect(!ReplacementFile.isSameTarget(folder.path + "/none", "/tmp/none"))
    #expect(!ReplacementFile.isSameTarget("-", "./-") && ReplacementFile.isSameTarget("none", "./none"))
  }

  /// What is behind a link is written, whether it is there yet or not; the link stays.
  @Test func linksToWhatIsNotThereYetAreFollowed() throws {
    let folder = try Scratch()
    let data = try folder.write(Self.point, to: "data.geojson")
    let link = folder.path + "/link.geojson"
    try #require(symlink("made.geojson", link) == 0)
    #expect(try Shell.withKernels(["convert", "-o", link, data]).code == 0)
    #expect(folder.names == ["data.geojson", "link.geojson", "made.geojson"])
    try #require(symlink("b.geojson", folder.path + "/a.geojson") == 0)
    try #require(symlink("a.geojson", folder.path + "/b.geojson") == 0)
    try refused(["convert", "-o", folder.path + "/a.geojson", data], says: "Too many levels of symbolic links")
    try #require(symlink("nowhere/x.geojson", folder.path + "/c.geojson") == 0)
    try refused(["convert", "-o", folder.path + "/c.geojson", data], says: "no such file or folder")
  }

  @Test func anExtensionThatNamesNoFormatIsRefusedWithAList() throws {
    let folder = try Scratch()
    let data = try folder.write(Self.point, to: "data.geojson")
    let shape = folder.path + "/x.shp"
    for words in [
      ["convert", "-o", shape, data], ["simplify", "-t", "1", "-o", shape, data],
      ["snap", "--grid", "1", "-o", shape, data], ["validate", "--repair", shape, data],
    ] { try refused(words, says: "geojson (.geojson, .json), geojsonseq") }
    #expect(folder.names == ["data.geojson"])
    // A format that is named goes under any name, and a name without an extension means the default.
    #expect(try Shell.withKernels(["convert", "--format", "wkt", "-o", shape, data]).code == 0)
    #expect(try folder.read("x.shp") == "POINT (1 2)\n")
    #expect(try Shell.withKernels(["convert", "-o", folder.path + "/plain", data]).code == 0)
    #expect(try folder.read("plain").contains("FeatureCollection"))
  }

  @Test(arguments: ["geojsonseq", "wkt", "wkb"]) func aReferenceSystemIsNotLostInSilence(format: String) throws {
    let folder = try Scratch()
    let mercator = try folder.write(
      #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"#
        + #""features":[{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}}]}"#,
      to: "mercator.geojson")
    let lost = try Shell.withKernels(["convert", "--format", format, mercator])
    #expect(lost.code == 0 && lost.err.contains("no place for the reference system EPSG:3857"), "\(lost.err)")
    for kept in ["geojson", "csv"] {
      #expect(try Shell.withKernels(["convert", "--format", kept, mercator]).err.isEmpty)
    }
    let plain = try Shell.withKernels(["convert", "--format", format, Sample.countries]).err
    #expect(!plain.contains("reference system"), "\(plain)")
    // Names and other properties have no place in geometries alone.
    #expect(plain.contains("no place for properties and ids") == (format != "geojsonseq"), "\(plain)")
  }

  @Test(.enabled(if: Kernels.has("geos", "validate.repair"))) func rowsThatAreNotRepairedAreNamedWithTheReason() throws
  {
    let folder = try Scratch()
    // GEOS does not close rings.
    let words = [
      "validate", "--kernel", "validate.repair=geos", "--repair", folder.path + "/fixed.geojson", Sample.problems,
    ]
    let answer = try Shell.withKernels(words)
    #expect(answer.code == 1)
    #expect(answer.err.contains("row 3 is not repaired: RING_NOT_CLOSED: "), "\(answer.err)")
    #expect(answer.err.split(separator: "\n").count == 1, "\(answer.err)")
    #expect(try Shell.withKernels(words + ["--quiet"]).err.isEmpty)
  }

  @Test func theNameOfAReportSaysItsForm() throws {
    let folder = try Scratch()
    let data = try folder.write(Self.point, to: "data.geojson")
    for (name, start) in [
      ("a.csv", "file,layer,row"), ("a.JSONL", "{\"file\""), ("a.geojson", "{\"type\""), ("a.txt", data),
    ] {
      #expect(try Shell.withKernels(["measure", "-o", folder.path + "/" + name, data]).code == 0)
      let text = try folder.read(name)
      #expect(text.hasPrefix(start), "\(name): \(text.prefix(40))")
    }
    try refused(["measure", "-o", folder.path + "/a.gpkg", data], says: "has no results as gpkg")
    // A form that is named is written under any name.
    #expect(try Shell.withKernels(["measure", "-f", "text", "-o", folder.path + "/b.gpkg", data]).code == 0)
  }

  #if MERIDIAN_SQLITE
    @Test(.enabled(if: Kernels.has("geos", "validate.repair") && Kernels.has("sqlite")))
    func repairWritesOneLayerAndAsksWhich() throws {
      let folder = try Scratch()
      let package = try folder.twoLayers()
      let fixed = folder.path + "/fixed.geojson"
      try refused(["validate", "--repair", fixed, package], says: "has 2 layers (one, two): choose one with --layer")
      #expect(folder.names == ["two.gpkg"])
      #expect(try Shell.withKernels(["validate", "--repair", fixed, "--layer", "two", package]).code == 0)
      #expect(try folder.read("fixed.geojson").contains("[3,4]"))
      // Without a repair both are looked at, and results say which layer they are about.
      #expect(try Shell.withKernels(["validate", "--format", "json", package]).lines.count == 2)
      if Kernels.has("native", "measure.bounds") {
        let compared = try Shell.withKernels(
          ["compare", "--op", "measure.bounds", "--kernels", "native,geos", "--crs", "planar", package])
        #expect(compared.lines.contains { $0.hasPrefix("\(package):two: measure.bounds") }, "\(compared.out)")
      }
      try refused(["bench", "--data", package], says: "2 layers with rows (one, two): choose one with --layer")
    }
  #endif
}

#if MERIDIAN_SQLITE
  extension Scratch {
    /// A GeoPackage with a point in each of the layers `one` and `two`.
    fileprivate func twoLayers() throws -> String {
      let package = path + "/two.gpkg"
      let writer = try GeoPackageWriter(path: package, layer: Layer(name: "one", crs: .lonLat))
      try writer.write(try Self.point(1, 2))
      try writer.startLayer(Layer(name: "two", crs: .lonLat))
      try writer.write(try Self.point(3, 4))
      try writer.finish()
      return package
    }

    private static func point(_ x: Double, _ y: Double) throws -> FeatureBatch {
      var builder = GeometryBuilder()
      try builder.begin(.point, .xy)
      builder.add(x, y)
      try builder.end()
      return FeatureBatch(geometries: try builder.finish(), firstRow: 0, attributes: [Attributes()])
    }
  }
#endif
