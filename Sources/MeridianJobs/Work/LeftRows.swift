// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Rows that a job gives back as they were although they were to be changed, and why.
struct LeftRows {
  private var rows: [(row: Int, why: String)] = []
  private var more = 0
  /// Rows that are told one by one; the others are counted.
  private static let most = 20

  mutating func add(_ row: Int, _ why: String) {
    if rows.count < Self.most { rows.append((row, why)) } else { more += 1 }
  }

  /// A sentence a row.
  func sentences(_ file: String, _ what: String) -> [String] {
    var sentences = rows.map { "\(file): row \($0.row) \(what): \($0.why)" }
    if more > 0 { sentences.append("\(file): \(more) more rows like these") }
    return sentences
  }
}

extension RowStatus {
  /// Why a kernel gives no changed row, for people; nil when the code says nothing of it.
  var reason: String? {
    switch code {
    case .ok, .null, .empty: nil
    case .nonfinite: "a coordinate is NaN or infinite"
    case .domain: "a coordinate is outside of the domain, such as a latitude beyond 90 degrees"
    case .invalid: "the row is not valid"
    case .degenerate: "the geometry has no extent in its dimension"
    case .notConverged: "the computation did not converge"
    case .unsupported: "the kernel does not take such a row"
    case .notApplied: "the kernel could not keep what it promises"
    case .failed: "the kernel failed on it"
    default: "status \(code.name)"
    }
  }
}
