// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// SARIF 2.1.0 (OASIS, 2020): one run, a rule for each code, a result for each finding. Results are written as they come.
///
/// Services take results only with a file and a line. A feature is found by its row, which stands in the logical location; the
/// line is the first one always, and standard input has a name that stands for it.
final class SARIFReport: Report {
  private let output: ReportOutput
  private var collected = FindingCollector(columns: [])
  private var isFirst = true

  init(_ output: ReportOutput) throws(JobError) {
    self.output = output
    let rules = FindingCode.all.map { Value.object(Self.rule($0)) }
    let driver: [Field] = [
      Field("name", .text("meridian")), Field("version", .text("\(Host.version)")), Field("rules", .list(rules)),
    ]
    try output.write(
      """
      {"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version":"2.1.0","runs":[{"tool":{"driver":\(Value.object(driver).json)},
      "results":[
      """)
  }

  func add(_ row: some ReportRow) throws(JobError) { collected.add(row) }

  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) {
    for entry in collected.take(with: batch) {
      try output.write((isFirst ? "\n" : ",\n") + Value.object(Self.result(entry)).json)
      isFirst = false
    }
    try output.flush()
  }

  func finish(_ summary: Summary?) throws(JobError) {
    let properties = summary.map { ",\n\"properties\":" + Value.object($0.fields).json } ?? ""
    try output.write("\n]\(properties)}]}\n")
    try output.finish()
  }

  func abandon() { output.abandon() }

  // MARK: - Objects

  private static func rule(_ code: FindingCode) -> [Field] {
    [
      Field("id", .text(code.name)), Field("shortDescription", message(code.sentence)),
      Field("defaultConfiguration", .object([Field("level", .text(code.severity.sarifLevel))])),
    ]
  }

  private static func result(_ entry: PlacedFinding) -> [Field] {
    let (finding, feature) = (entry.finding, entry.feature)
    let fingerprint = Fingerprint(finding, entry.key).text
    var fields = [
      Field("ruleId", .text(finding.code)), Field("level", .text(finding.severity.sarifLevel)),
      Field("message", message("\(feature.rowName): \(finding.message)\(finding.place)")),
      Field("locations", .list([.object(location(feature))])),
      Field("partialFingerprints", .object([Field("meridianFinding/v1", .text(fingerprint))])),
    ]
    if let index = FindingCode.all.firstIndex(where: { $0.name == finding.code }) {
      fields.insert(Field("ruleIndex", .integer(index)), at: 1)
    }
    if let isKnown = finding.isKnown { fields.append(Field("baselineState", .text(isKnown ? "unchanged" : "new"))) }
    let places = finding.fields.filter { ["part", "ring", "vertex", "x", "y", "other_row", "value"].contains($0.name) }
    return fields + [Field("properties", .object(feature.fields + places))]
  }

  private static func location(_ feature: FeatureName) -> [Field] {
    let name = (feature.layer.map { [$0] } ?? []) + [String(feature.row)]
    let logical: [Field] = [
      Field("name", .text("row \(feature.row)")), Field("fullyQualifiedName", .text(name.joined(separator: "/"))),
      Field("kind", .text("element")),
    ]
    let physical: [Field] = [
      Field("artifactLocation", .object([Field("uri", .text(feature.file == "-" ? "stdin" : uri(feature.file)))])),
      Field("region", .object([Field("startLine", .integer(1))])),
    ]
    return [Field("physicalLocation", .object(physical)), Field("logicalLocations", .list([.object(logical)]))]
  }

  private static func message(_ text: String) -> Value { .object([Field("text", .text(escaped(text)))]) }

  /// Braces would be placeholders (SARIF 2.1.0, 3.11.5) and are doubled, brackets would be links (3.11.6).
  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "{", "}": out.unicodeScalars.append(scalar)
      case "[", "]": out += "\\"
      default: break
      }
      out.unicodeScalars.append(scalar)
    }
    return out
  }

  /// A path as a URI reference (RFC 3986): relative paths stay relative, so that a service finds the file in its checkout.
  static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain || "/-._~".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
