// SPDX-License-Identifier: Apache-2.0
import Meridian

extension BenchCase {
  /// Single calls that a case prepares at most.
  static let singleCalls = 2000

  /// Another setting of the case: the same calls one at a time, for latencies. What is judged is the batch.
  func oneByOne() -> BenchCase {
    let head = CaseResult(
      name: "\(self.head.operation)/\(self.head.workload)/single", suite: .interactive,
      operation: self.head.operation, workload: self.head.workload, setting: "\(self.head.setting), single calls",
      unit: .call, units: min(self.head.rows, Self.singleCalls), rows: min(self.head.rows, Self.singleCalls))
    let batch = self
    return BenchCase(head, judgedAs: batch) { (host, kernel) throws(MeridianError) in
      let prepared = try batch.prepare(host, kernel: kernel)
      guard let single = prepared.single, prepared.singles > 0 else {
        throw MeridianError(.unsupported, "\(batch.head.name) has no single calls")
      }
      let count = prepared.singles
      var run = PreparedRun { () throws(MeridianError) in
        for number in 0..<count { try single(number) }
        return Outcome()
      }
      run.single = single
      run.singles = count
      run.judged = prepared.run
      return run
    }
  }
}
