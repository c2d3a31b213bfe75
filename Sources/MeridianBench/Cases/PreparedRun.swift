// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A case with a kernel.
package struct PreparedRun {
  /// The whole workload once: what is timed. The outcome is kept until the clock has stopped.
  package let run: () throws(MeridianError) -> Outcome
  /// The i-th single call, i from 0 to below `singles`; nil = the case has no single calls.
  package var single: ((_ index: Int) throws(MeridianError) -> Void)?
  package var singles = 0

  /// Gives the answers that are judged where those of `run` are not kept, and is never timed; nil = `run` does.
  package var judged: (() throws(MeridianError) -> Outcome)?

  /// The answers to be judged.
  package func answers() throws(MeridianError) -> Outcome {
    if let judged { return try judged() }
    return try run()
  }

  package init(_ run: @escaping () throws(MeridianError) -> Outcome) { self.run = run }
}
