// SPDX-License-Identifier: Apache-2.0

/// The verdict on one row, with its findings.
public struct ValidateRow: ReportRow {
  let name: FeatureName
  /// nil = there is no verdict: a null row, or one that the kernel does not serve.
  package let valid: Bool?
  public let findings: [Finding]
  public let otherFindings: [Finding]

  public static let columns = FeatureName.columns + ["valid"] + Finding.columns
  /// With a baseline.
  public static let columnsWithBaseline = columns + [Finding.knownColumn]

  public var feature: FeatureName? { name }

  private var head: [Value] { name.values + [valid.map { .bool($0) } ?? .null] }

  public var fields: [Field] {
    let problems = findings.map { Value.object($0.fields) }
    return zip(Self.columns, head).map { Field($0, $1) } + [Field("problems", .list(problems))]
  }

  public var records: [[Value]] {
    let empty = [Value](repeating: .null, count: Finding.columns.count)
    return findings.isEmpty ? [head + empty] : findings.map { head + $0.values }
  }

  public var lines: [String] {
    findings.filter(\.isNews).map {
      "\(name.layerName):\(name.row): \($0.severity.name) \($0.code): \($0.message)\($0.place)"
    }
  }
}
