// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// Several reports of the same rows, which are made once.
public final class ReportGroup: Report {
  private let reports: [any Report]

  public init(_ reports: [any Report]) { self.reports = reports }

  public func add(_ row: some ReportRow) throws(JobError) { for report in reports { try report.add(row) } }

  public func endBatch(_ batch: FeatureBatch?, of source: Source?) throws(JobError) {
    for report in reports { try report.endBatch(batch, of: source) }
  }

  public func finish(_ summary: Summary?) throws(JobError) { for report in reports { try report.finish(summary) } }

  public func abandon() { for report in reports { report.abandon() } }
}
