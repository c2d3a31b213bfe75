// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// One row of results, as each form of report wants it.
public protocol ReportRow {
  /// The columns of a table of these rows.
  static var columns: [String] { get }
  /// The JSON object.
  var fields: [Field] { get }
  /// Records of a table, a value a column: usually one; for findings one each, at least one. A record that ends early has
  /// empty cells behind it.
  var records: [[Value]] { get }
  /// Lines for people; none = nothing to say.
  var lines: [String] { get }
  /// The feature that the row is about; nil = none.
  var feature: FeatureName? { get }
  /// What is wrong with the feature. Where there are findings there is a feature, and a record for each.
  var findings: [Finding] { get }
  /// Findings of other rows that name this one, as it sees them. They are told once, with the row that they stand in, and
  /// count for both.
  var otherFindings: [Finding] { get }
}

extension ReportRow {
  public var records: [[Value]] { [fields.map(\.value)] }
  public var feature: FeatureName? { nil }
  public var findings: [Finding] { [] }
  public var otherFindings: [Finding] { [] }
  /// Everything that is wrong with the feature.
  var allFindings: [Finding] { otherFindings.isEmpty ? findings : findings + otherFindings }
}

/// Takes finished rows in the order of the input and writes them in one form. A report knows nothing of how rows come
/// about, and is called by one thread at a time.
public protocol Report {
  func add(_ row: some ReportRow) throws(JobError)
  /// The batch whose rows were just added has ended. `batch` and `source` nil = the rows belong to no features.
  func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError)
  /// Writes the summary, where one is wanted, and the end. The file gets its name here.
  func finish(_ summary: Summary?) throws(JobError)
  func abandon()
}
