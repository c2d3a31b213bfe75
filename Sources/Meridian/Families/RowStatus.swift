// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The status of one row: a code, and warnings that take nothing away. A row with a code other than `ok` has no result
/// (NaN, null) unless its operation says otherwise.
public struct RowStatus: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let ok = Self(rawValue: MRD_ITEM_OK)
  public static let null = Self(rawValue: MRD_ITEM_NULL)
  public static let empty = Self(rawValue: MRD_ITEM_EMPTY)
  public static let nonfinite = Self(rawValue: MRD_ITEM_NONFINITE)
  public static let domain = Self(rawValue: MRD_ITEM_DOMAIN)
  public static let invalid = Self(rawValue: MRD_ITEM_INVALID)
  public static let degenerate = Self(rawValue: MRD_ITEM_DEGENERATE)
  public static let notConverged = Self(rawValue: MRD_ITEM_NOT_CONVERGED)
  public static let unsupported = Self(rawValue: MRD_ITEM_UNSUPPORTED)
  public static let notApplied = Self(rawValue: MRD_ITEM_NOT_APPLIED)
  public static let failed = Self(rawValue: MRD_ITEM_FAILED)

  public static let ambiguousEdge = Self(rawValue: MRD_ITEM_WARN_AMBIGUOUS_EDGE)
  public static let illConditioned = Self(rawValue: MRD_ITEM_WARN_ILL_CONDITIONED)
  public static let truncated = Self(rawValue: MRD_ITEM_WARN_TRUNCATED)
  public static let partly = Self(rawValue: MRD_ITEM_WARN_PARTLY)

  /// Without its warnings.
  public var code: RowStatus { Self(rawValue: rawValue & 0xff) }
  /// Without its code.
  public var warnings: RowStatus { Self(rawValue: rawValue & ~0xff) }
  public var hasResult: Bool { code == .ok }

  /// "OK", "EMPTY", "DOMAIN" and the like, warnings behind it: "OK+AMBIGUOUS_EDGE". A code of a newer partner is
  /// "CODE_17".
  public var name: String {
    let known = Int(rawValue & 0xff)
    var text = known < Self.codeNames.count ? Self.codeNames[known] : "CODE_\(known)"
    for (index, warning) in Self.warningNames.enumerated() where rawValue & (0x100 << Int32(index)) != 0 {
      text += "+" + warning
    }
    return text
  }

  private static let codeNames = [
    "OK", "NULL", "EMPTY", "NONFINITE", "DOMAIN", "INVALID", "DEGENERATE", "NOT_CONVERGED", "UNSUPPORTED",
    "NOT_APPLIED", "FAILED",
  ]
  private static let warningNames = ["AMBIGUOUS_EDGE", "ILL_CONDITIONED", "TRUNCATED", "PARTLY"]
}
