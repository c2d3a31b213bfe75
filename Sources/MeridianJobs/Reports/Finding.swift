// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// One thing that is wrong with a feature, as reports tell it.
public struct Finding: Sendable {
  /// The second edge or ring that takes part.
  struct Partner: Sendable, Equatable {
    /// Row of the batch; nil = the row itself.
    var row: Int?
    var part: Int?
    var ring: Int?
    var vertex: Int?
  }

  /// "CROSSING", "UNREADABLE".
  let code: String
  var severity: Severity
  /// A sentence without a full stop.
  let message: String
  var part: Int?
  var ring: Int?
  var vertex: Int?
  var partner: Partner?
  /// The place; NaN when there is none.
  var x = Double.nan
  var y = Double.nan
  /// The second row of a problem of a layer, counted from 0.
  var otherRow: Int?
  /// The number that broke the rule.
  var value = Double.nan
  /// True when the baseline has it; nil = there is no baseline.
  var isKnown: Bool?

  static let columns = ["code", "severity", "message", "part", "ring", "vertex", "x", "y", "other_row", "value"]
  /// Behind the others where there is a baseline.
  static let knownColumn = "known"

  var values: [Value] {
    func index(_ number: Int?) -> Value { number.map { .integer($0) } ?? .null }
    let values: [Value] = [
      .text(code), .text(severity.name), .text(message), index(part), index(ring), index(vertex), .number(x),
      .number(y), index(otherRow), .number(value),
    ]
    return values + (isKnown.map { [.bool($0)] } ?? [])
  }

  var fields: [Field] { zip(Self.columns + [Self.knownColumn], values).map { Field($0, $1) } }

  /// "(part 0 ring 0 vertex 3 at 25 5)", leaving out what is not known; of a layer "(with row 7, part 0 ... at 25 5)".
  var place: String {
    var words: [String] = []
    if let otherRow { words.append("with row \(otherRow),") }
    if let part { words.append("part \(part)") }
    if let ring { words.append("ring \(ring)") }
    if let vertex { words.append("vertex \(vertex)") }
    if !x.isNaN || !y.isNaN { words.append("at \(JSONText.numberText(x)) \(JSONText.numberText(y))") }
    return words.isEmpty ? "" : " (" + words.joined(separator: " ") + ")"
  }

  /// The same problem of a layer as its other row sees it.
  /// - Parameter row: the one that the finding stands in.
  func seenFromOther(row: Int) -> Finding {
    var finding = self
    (finding.part, finding.ring, finding.vertex) = (partner?.part, partner?.ring, partner?.vertex)
    finding.otherRow = row
    finding.partner = nil
    return finding
  }

  /// True for what people are told line by line: a known finding is not news.
  var isNews: Bool { isKnown != true }
  /// True for what fails a run.
  var fails: Bool { severity == .error && isNews }
}

extension Finding {
  /// - Parameter batch: that the problem was found in.
  init(_ problem: Problem, of batch: FeatureBatch) {
    self.init(
      code: problem.code.name, severity: problem.severity, message: problem.message, part: problem.part,
      ring: problem.ring, vertex: problem.vertex, x: problem.x, y: problem.y,
      otherRow: problem.otherRow.map { batch.number(ofRow: $0) }, value: problem.value)
    let partner = Partner(
      row: problem.otherRow, part: problem.otherPart, ring: problem.otherRing, vertex: problem.otherVertex)
    if partner != Partner() { self.partner = partner }
  }
}

/// Which feature a row of results is about.
public struct FeatureName: Sendable {
  let file: String
  let layer: String?
  /// Row of the layer, counted from 0.
  let row: Int
  /// The feature's id as JSON text, where it has one.
  let id: [UInt8]?

  static let columns = ["file", "layer", "row", "id"]

  var values: [Value] { [.text(file), Value(layer), .integer(row), id.map { .json($0) } ?? .null] }
  var fields: [Field] { zip(Self.columns, values).map { Field($0, $1) } }

  /// "parcels.gpkg:parcels", "parcels.geojson".
  var layerName: String { layer.map { "\(file):\($0)" } ?? file }
  /// "row 1", "row 1 (id bow-tie)".
  var rowName: String { id.map { "row \(row) (id \(Value.json($0).cell))" } ?? "row \(row)" }
}
