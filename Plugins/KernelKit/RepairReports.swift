// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The records in which the caller of a repair wants to read what became of each row; stepped through by their size, and
/// members outside of it are not touched. Absent records are not written.
public struct RepairReports {
  /// The rule that the records name.
  public let rule: Int32
  private let base: UnsafeMutablePointer<mrd_repair_report>?
  private let size: Int

  public init(_ base: UnsafeMutablePointer<mrd_repair_report>?, size: UInt32, rule: Int32) {
    self.base = base
    self.size = Int(size)
    self.rule = rule
  }

  public var isWanted: Bool { base != nil && size > 0 }

  public func write(_ row: Int, _ report: mrd_repair_report) {
    guard let base, isWanted else { return }
    withUnsafeBytes(of: report) { bytes in
      guard let source = bytes.baseAddress else { return }
      (UnsafeMutableRawPointer(base) + row * size).copyMemory(from: source, byteCount: min(size, bytes.count))
    }
  }

  /// A row that is given as it was, of `parts` parts with `area`.
  public func writeLeft(_ row: Int, _ outcome: Int32, area: Double, parts: Int) {
    write(
      row,
      mrd_repair_report(
        outcome: outcome, rule: rule, area_before: area, area_after: area, vertices_added: 0, vertices_dropped: 0,
        parts_before: Int64(parts), parts_after: Int64(parts), collapsed: 0))
  }
}

extension Geoms {
  /// The type of the results of a repair.
  public var multiType: Int32 {
    switch type {
    case MRD_POINT, MRD_MULTIPOINT: MRD_MULTIPOINT
    case MRD_LINESTRING, MRD_MULTILINESTRING: MRD_MULTILINESTRING
    default: MRD_MULTIPOLYGON
    }
  }

  /// Points, lines or polygons of a row.
  public func partCount(_ row: Int) -> Int {
    switch type {
    case MRD_POINT: isEmpty(row) ? 0 : 1
    case MRD_LINESTRING, MRD_POLYGON: span(row).isEmpty ? 0 : 1
    default: span(row).count
    }
  }
}
