// SPDX-License-Identifier: Apache-2.0

/// The forms that a report is shown or stored in.
package enum OutputForm: String, CaseIterable, Sendable {
  /// Tables for a terminal.
  case text
  /// Everything, to be read back.
  case json
  /// The JSON of Google Benchmark, for its `compare.py` and for tools that know it.
  case googleBenchmark = "google-benchmark"
  /// A row a case and kernel.
  case csv
  /// One page with plots, without scripts and without anything from elsewhere.
  case html
}
