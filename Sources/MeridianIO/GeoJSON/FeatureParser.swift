// SPDX-License-Identifier: Apache-2.0
import CSimdjson
import Meridian

/// Parses one GeoJSON feature or bare geometry at a time. Not thread-safe.
final class FeatureParser {
  private let parser: OpaquePointer
  /// Kinds of loss that were met, each told once.
  private var told: UInt32 = 0
  private(set) var warnings: [String] = []

  init(file: String) throws(FormatError) {
    guard let parser = mrdj_parser_new() else {
      throw FormatError(file: file, reason: "there is no memory to parse it")
    }
    self.parser = parser
  }

  deinit { mrdj_parser_free(parser) }

  /// What a row is allowed to be.
  enum Expectation {
    case feature
    case featureOrGeometry
  }

  /// Reads the object `text`, which lies in the window of `source` with padding behind it, as the next row.
  func read(
    _ range: Range<Int>, of source: ByteSource, as expectation: Expectation, into batch: inout BatchAssembler
  ) {
    if parse(range, of: source, as: expectation, into: &batch) {
      batch.keep(text: UnsafeRawBufferPointer(rebasing: source.unread[range]))
    }
  }

  /// True when the text may be written as it is where features stand: it is JSON, and no geometry without a feature.
  private func parse(
    _ range: Range<Int>, of source: ByteSource, as expectation: Expectation, into batch: inout BatchAssembler
  ) -> Bool {
    guard let base = source.unread.baseAddress else { return false }
    let text = (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
    var feature = mrdj_feature()
    guard mrdj_parse_feature(parser, text, range.count, &feature) != 0 else {
      let reason = feature.reason.map { String(cString: $0) } ?? "it is not a feature"
      batch.reject(
        source.problem(reason, row: batch.row, at: range.lowerBound + feature.where),
        attributes: Self.identity(in: source.unread[range]))
      return source.jsonProblem(range) == nil
    }
    let isBare = feature.flags & MRDJ_BARE_GEOMETRY.rawValue != 0
    if isBare, expectation == .feature {
      batch.reject(
        source.problem("a bare geometry stands where a Feature belongs", row: batch.row, at: range.lowerBound))
      return true
    }
    let bytes = UnsafeRawBufferPointer(start: text, count: range.count)
    let attributes = Self.attributes(of: feature, in: bytes)
    do {
      try Self.append(feature, to: &batch.builder)
    } catch {
      batch.reject(
        source.problem(error.message, row: batch.row, at: range.lowerBound), attributes: attributes)
      return !isBare
    }
    if feature.flags & MRDJ_NO_GEOMETRY.rawValue != 0 {
      batch.note(source.problem("the feature has no geometry member", row: batch.row, at: range.lowerBound))
    }
    batch.accept(attributes)
    if feature.flags & ~told != 0 { warn(feature.flags, row: batch.row - 1) }
    return !isBare
  }

  // MARK: - Geometry

  private static func append(_ feature: mrdj_feature, to builder: inout GeometryBuilder) throws(MeridianError) {
    guard feature.n_pieces > 0 else { return try builder.null() }
    for piece in UnsafeBufferPointer(start: feature.pieces, count: feature.n_pieces) {
      switch mrdj_piece_kind(UInt32(truncatingIfNeeded: piece.kind)) {
      case MRDJ_COLLECTION_BEGIN: try builder.begin(.collection, Dimensions(rawValue: piece.dims))
      case MRDJ_COLLECTION_END: try builder.end()
      default: try builder.append(flat(piece, of: feature))
      }
    }
  }

  private static func flat(_ piece: mrdj_piece, of feature: mrdj_feature) -> GeometryBuilder.FlatGeometry {
    func ordinates(_ column: UnsafePointer<Double>?) -> UnsafePointer<Double>? {
      column.map { $0 + piece.first_coordinate }
    }
    func ends(_ column: UnsafePointer<Int64>?, _ first: Int, _ count: Int) -> UnsafeBufferPointer<Int64> {
      UnsafeBufferPointer(start: column.map { $0 + first }, count: column == nil ? 0 : count)
    }
    var flat = GeometryBuilder.FlatGeometry(
      type: GeometryType(rawValue: piece.type), dimensions: Dimensions(rawValue: piece.dims),
      count: piece.coordinates, x: ordinates(feature.x), y: ordinates(feature.y), z: ordinates(feature.z),
      m: ordinates(feature.m))
    flat.ringEnds = ends(feature.ring_ends, piece.first_ring, piece.rings)
    flat.partEnds = ends(feature.part_ends, piece.first_part, piece.parts)
    return flat
  }

  // MARK: - The rest

  /// What a feature that could not be read is known by: its id and properties, as far as its text is an object.
  private static func identity(in text: Slice<UnsafeRawBufferPointer>) -> Attributes {
    let text = Array(text)
    var attributes = Attributes()
    for member in StrictJSON.members(text) ?? [] {
      switch (member.name, member.kind) {
      case ("id", .string), ("id", .integer), ("id", .number): attributes.id = Array(text[member.value])
      case ("properties", .object): attributes.properties = Array(text[member.value])
      default: break
      }
    }
    return attributes
  }

  private static func attributes(of feature: mrdj_feature, in text: UnsafeRawBufferPointer) -> Attributes {
    func bytes(_ span: mrdj_span) -> [UInt8] { Array(text[span.start..<(span.start + span.length)]) }
    var attributes = Attributes()
    if feature.id.length > 0 { attributes.id = bytes(feature.id) }
    if feature.properties.length > 0 { attributes.properties = bytes(feature.properties) }
    if feature.n_foreign > 0 {
      var foreign: [UInt8] = []
      for span in UnsafeBufferPointer(start: feature.foreign, count: feature.n_foreign) {
        if !foreign.isEmpty { foreign.append(UInt8(ascii: ",")) }
        foreign += bytes(span)
      }
      attributes.foreign = foreign
    }
    return attributes
  }

  private func warn(_ flags: UInt32, row: Int) {
    let sentences = [
      (MRDJ_EXTRA_ORDINATES, "positions have more than four numbers; the first four are read"),
      (MRDJ_DUPLICATES, "features have members twice; the first counts, the others are kept as foreign members"),
      (MRDJ_GEOMETRY_MEMBERS, "members beside type and coordinates inside geometries are not carried over"),
    ]
    for (flag, sentence) in sentences where flags & ~told & flag.rawValue != 0 {
      warnings.append("row \(row) and perhaps others: \(sentence)")
    }
    told |= flags
  }
}
