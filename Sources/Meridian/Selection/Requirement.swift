// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What a kernel must declare to be chosen.
struct Requirement: Equatable, Sendable {
  var error: ErrorBound?
  /// `MRD_OP_*` flags that must be set.
  var flags: UInt32 = 0
  /// `MRD_EDGES_*` that the kernel must take.
  var edges: Int32?

  /// Words of the rule syntax and the flags they ask for.
  static let flagWords: [(word: String, flag: UInt32)] = [
    ("exact", MRD_OP_EXACT_PREDICATES), ("deterministic", MRD_OP_DETERMINISTIC),
    ("thread-invariant", MRD_OP_THREAD_INVARIANT), ("cancels", MRD_OP_CANCELS), ("all-problems", MRD_OP_ALL_PROBLEMS),
    ("kept-vertices", MRD_OP_KEPT_VERTICES), ("insert-remove", MRD_OP_INSERT_REMOVE),
    ("serialises", MRD_OP_SERIALISES), ("persists", MRD_OP_PERSISTS),
  ]

  /// Why a declaration does not meet this, or nil.
  func objection(to info: mrd_op_info, _ operation: Operation) -> String? {
    if let error, !error.isMet(by: info) {
      return "declares \(ErrorBound.text(of: info, operation)), not \(error.text)"
    }
    for (word, flag) in Self.flagWords where flags & flag & ~info.flags != 0 { return "is not declared \(word)" }
    if let edges, info.edges_mask >> UInt32(edges) & 1 == 0 { return "does not take \(EdgeNames.name(edges)) edges" }
    return nil
  }
}

/// The names of `MRD_EDGES_*`, in rules, options, messages and reports alike.
package enum EdgeNames {
  /// In the order of the values.
  package static let all = ["planar", "great_circle", "geodesic", "plate_carree", "rhumb"]

  /// "geodesic" for MRD_EDGES_GEODESIC.
  package static func name(_ edges: Int32) -> String {
    edges >= 0 && Int(edges) < all.count ? all[Int(edges)] : "kind \(edges)"
  }
}
