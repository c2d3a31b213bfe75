// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What an operation gave, for the oracle.
package struct Outcome: Sendable {
  /// Measures: names and values, a column each.
  package var names: [String] = []
  package var columns: [[Double]] = []
  /// Validity.
  package var verdicts: [Verdict] = []
  /// Operations that give geometries.
  package var set: GeometrySet?
  /// Index queries.
  package var hits: IndexHits?
  /// Snapping of points.
  package var snaps: SnapHits?
  /// Joins.
  package var pairs: [(Int64, Int64)] = []
  /// What lives as long as the outcome, so that taking it down is not timed: an index that was built.
  package var kept: (any Sendable)?
  /// Bytes that the result keeps, such as those of an index.
  package var keptBytes: Int64?

  package init() {}
  init(verdicts: [Verdict]) { self.verdicts = verdicts }
  init(set: GeometrySet) { self.set = set }
  init(hits: IndexHits) { self.hits = hits }
  init(snaps: SnapHits) { self.snaps = snaps }
  init(pairs: [(Int64, Int64)]) { self.pairs = pairs }

  init(_ measured: Measured) {
    names = measured.names
    columns = measured.columns
  }

  /// The column called `name`; nil when there is none.
  func column(_ name: String) -> [Double]? { names.firstIndex(of: name).map { columns[$0] } }

  /// An index, which lives as long as the outcome.
  init(_ index: BoxIndex) throws(MeridianError) {
    kept = index
    keptBytes = try index.facts.bytes.map { Int64($0) }
  }

  /// A part that an oracle cannot do without.
  func required<T>(_ part: T?, _ what: String) throws(MeridianError) -> T {
    guard let part else { throw MeridianError(.internalError, "the outcome of the case has no \(what)") }
    return part
  }
}
