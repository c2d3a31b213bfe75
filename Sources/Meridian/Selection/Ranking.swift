// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A kernel that may be taken, with its rank under a preference that compares declarations: less is better.
struct Ranked {
  let plugin: LoadedPlugin
  let info: UnsafePointer<mrd_op_info>
  let rank: Double

  init(plugin: LoadedPlugin, info: UnsafePointer<mrd_op_info>, _ preference: Preference?) {
    self.plugin = plugin
    self.info = info
    switch preference {
    case .fastest: rank = info.pointee.ns_per_coord > 0 ? info.pointee.ns_per_coord : .infinity
    case .accurate: rank = ErrorBound.nominalError(of: info.pointee)
    default: rank = 0
    }
  }

  /// Less rank; at equal rank exact predicates. Equal in both: the earlier one stays.
  func isBetter(than other: Ranked) -> Bool {
    if rank != other.rank { return rank < other.rank }
    return isExact && !other.isExact
  }

  private var isExact: Bool { info.pointee.flags & MRD_OP_EXACT_PREDICATES != 0 }
}

extension [Ranked] {
  var best: Ranked? {
    guard var best = first else { return nil }
    for other in dropFirst() where other.isBetter(than: best) { best = other }
    return best
  }
}

extension Preference {
  /// True when every kernel's declaration is needed, not only the first that fits.
  var comparesDeclarations: Bool {
    switch self {
    case .fastest, .accurate: true
    case .kernels: false
    }
  }
}
