// SPDX-License-Identifier: Apache-2.0
import Meridian

/// All cases that the harness knows. A case that no kernel answers stays: it says so.
package enum Catalogue {
  /// The cases of a suite over workloads that are made when a case is prepared first, and shared.
  /// - Parameters:
  ///   - scale: 1 = the published sizes; see `WorkloadSize`.
  ///   - seed: of all workloads.
  package static func cases(suite: Suite, scale: Double, seed: UInt64) throws(MeridianError) -> [BenchCase] {
    try cases(suite: suite, Workloads(scale: scale, seed: seed))
  }

  /// The same over workloads that several suites share.
  package static func cases(suite: Suite, _ workloads: Workloads) throws(MeridianError) -> [BenchCase] {
    switch suite {
    case .measure: MeasureCases.cases(workloads)
    case .validate: ValidateCases.cases(workloads)
    case .simplify: SimplifyCases.cases(workloads)
    case .snap: SnapCases.cases(workloads)
    case .index: IndexCases.cases(workloads)
    case .interactive: interactive(workloads)
    case .abi: ABICases.all(rows: workloads.size.boxes)
    case .jobs: JobCases.cases(workloads)
    }
  }

  /// The cases that suit a file of the user's, of all suites.
  package static func cases(data: UserData) throws(MeridianError) -> [BenchCase] { DataCases.cases(data) }

  /// Single calls, as somebody who waits for them makes them.
  private static func interactive(_ workloads: Workloads) -> [BenchCase] {
    let boxes = IndexWorkload(
      name: "B2", boxes: workloads.b2, count: workloads.size.boxes, queries: workloads.size.queries)
    let rings = workloads.ringSet
    let valid = KnownVerdicts(source: "known by construction", all: true, rows: rings.rows)
    return [
      IndexCases.window(boxes, sorted: false).oneByOne(), IndexCases.nearest(boxes, count: 8).oneByOne(),
      SnapCases.query(workloads).oneByOne(), ValidateCases.valid(rings, mode: .first, oracle: valid).oneByOne(),
      PairCases.between(.inverse, .near(workloads), .geodesic).oneByOne(),
    ] + InteractiveCases.cases(workloads)
  }
}
