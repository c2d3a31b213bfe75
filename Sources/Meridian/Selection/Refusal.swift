// SPDX-License-Identifier: Apache-2.0
/// Why one kernel was not taken for a call.
struct Refusal {
  enum Kind: Equatable {
    /// Its manifest does not name the operation.
    case notOffered
    /// It could not be loaded, or does not keep to its manifest.
    case broken
    /// It does not take this type, dimension, model or dialect, or does not meet the requirement.
    case unfit
  }

  let id: String
  let kind: Kind
  /// "proj does not offer measure.bounds"
  let text: String
  /// A rule named this kernel.
  var isNamed = false

  var asNamed: Refusal {
    var copy = self
    copy.isNamed = true
    return copy
  }

  var status: Status { kind == .unfit ? .unsupported : .notFound }
}
