// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import Foundation
  import Meridian
  import TestSupport
  import Testing

  @testable import MeridianIO

  /// A published store of two layers and working copies of it, in a folder of its own.
  struct StoreFolder {
    let folder = TemporaryFolder()
    var target: String { folder.path + "/town.gpkg" }

    /// Ten trees, points with a name, and a layer of one line.
    init() throws {
      let trees = Layer(name: "trees", crs: .other("EPSG:2056"), definition: #"PROJCS["CH1903+ / LV95"]"#)
      let writer = try StoreFile.create(target, layer: trees, program: "test 1")
      try writer.write(
        try Self.batch((0..<10).map { ("POINT (\($0) \($0 * 2))", #"{"name":"tree \#($0)","height":\#($0).5}"#) }))
      try writer.startLayer(Layer(name: "paths", crs: .lonLat))
      try writer.write(try Self.batch([("LINESTRING (0 0, 5 5)", "{}"), ("LINESTRING EMPTY", "{}")]))
      try writer.finish()
    }

    private static func batch(_ rows: [(wkt: String, properties: String)]) throws -> FeatureBatch {
      var builder = GeometryBuilder()
      for row in rows {
        try (Array(row.wkt.utf8) + [0x20]).withUnsafeBytes { _ = try WKTReader.read($0, into: &builder) }
      }
      return FeatureBatch(
        geometries: try builder.finish(), firstRow: 0,
        attributes: rows.map { Attributes(properties: Array($0.properties.utf8)) })
    }

    /// A copy of the target, or of another file, as `cp` makes it.
    func copy(_ name: String, of file: String? = nil) throws -> String {
      let path = folder.path + "/" + name
      try FileManager.default.copyItem(atPath: file ?? target, toPath: path)
      return path
    }

    func publish(
      _ work: String, author: String? = nil, keepsBoth: Bool = false, wait: Double = 5
    ) throws -> Publication.Result {
      var publication = Publication(work: work, target: target, program: "test 2")
      publication.author = author
      publication.keepsBoth = keepsBoth
      publication.wait = wait
      return try StoreFile.publish(publication)
    }

    func bytes(_ file: String? = nil) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: file ?? target))
    }

    /// As an answer and no comparison: where files of this size differ, a test would look for all differences for hours.
    func targetIs(_ bytes: Data?) -> Bool { (try? self.bytes()) == bytes }

    /// The names of the trees in a file, and the revision that it is.
    func names(_ file: String? = nil) throws -> [String] {
      try StoreEditor(file ?? target).rows("SELECT name FROM trees ORDER BY fid")
    }
  }

  extension Publication.Outcome {
    /// "published 2", "unchanged 1", "conflict 1 2".
    var text: String {
      switch self {
      case .published(let revision): "published \(revision.number)"
      case .unchanged(let revision): "unchanged \(revision.number)"
      case .conflict(let conflict): "conflict \(conflict.base.number) \(conflict.target.number)"
      }
    }

    var conflict: Publication.Conflict? { if case .conflict(let conflict) = self { conflict } else { nil } }
  }
#endif
