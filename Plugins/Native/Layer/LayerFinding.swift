// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A problem of a layer before it becomes a record.
struct LayerFinding: BitwiseCopyable {
  let code: Int32
  let row: Int
  var name = LayerVertex()
  /// The edge that is named runs from its greater place to its lesser one.
  var runsBack = false
  /// -1 = no other row.
  var otherRow = -1
  var otherName = LayerVertex()
  let place: Place
  var value = Double.nan
  var threshold = Double.nan

  var record: mrd_problem {
    mrd_problem(
      code: code, severity: MRD_SEVERITY_ERROR, row: Int64(row), part: name.part, ring: name.ring,
      vertex: name.vertex, other_row: Int64(otherRow), other_part: otherName.part, other_ring: otherName.ring,
      other_vertex: otherName.vertex, x: place.x, y: place.y, value: value, threshold: threshold,
      jts_code: MRD_JTS_NONE, text_length: 0, text_offset: 0)
  }

  /// The canonical order: row, part, ring, edge, position on the edge, code, the other row and its edge.
  static func isBefore(_ a: LayerFinding, _ b: LayerFinding) -> Bool {
    if a.row != b.row { return a.row < b.row }
    let name = compare(a.name, b.name)
    if name != 0 { return name < 0 }
    if a.place != b.place { return (a.place < b.place) != a.runsBack }
    if a.code != b.code { return a.code < b.code }
    if a.otherRow != b.otherRow { return a.otherRow < b.otherRow }
    return compare(a.otherName, b.otherName) < 0
  }

  private static func compare(_ a: LayerVertex, _ b: LayerVertex) -> Int {
    if a.part != b.part { return a.part < b.part ? -1 : 1 }
    if a.ring != b.ring { return a.ring < b.ring ? -1 : 1 }
    return a.vertex == b.vertex ? 0 : a.vertex < b.vertex ? -1 : 1
  }
}
