// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

extension BenchReport {
  /// The layout that this version writes and reads.
  static let knownSchema = 1
}

/// Results as JSON text of their own form.
enum JSONForm {
  static func text(_ value: some Encodable) throws(JobError) -> [UInt8] {
    do {
      return JSONLayout.text(try ValueEncoder.encode(value))
    } catch {
      throw .failed("the results have no form in JSON: \(error)")
    }
  }
}
