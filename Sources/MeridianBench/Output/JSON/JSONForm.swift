// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

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
