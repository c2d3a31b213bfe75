// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Collects problems and their words in the result buffers.
struct Problems {
  private var records: ResultBuffer<mrd_problem>
  private var text: ResultBuffer<UInt8>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    records = ResultBuffer(call, MRD_BUF_RECORDS)
    text = ResultBuffer(call, MRD_BUF_BYTES)
  }

  var count: Int { records.count }

  mutating func append(
    code: Int32, jtsCode: Int32, row: Int, place: Indices, x: Double, y: Double, words: UnsafePointer<CChar>? = nil
  ) {
    let start = text.count
    if let words { appendText(words) }
    records.append(
      mrd_problem(
        code: code, severity: MRD_SEVERITY_ERROR, row: Int64(row), part: Int64(place.part), ring: Int64(place.ring),
        vertex: Int64(place.vertex), other_row: -1, other_part: -1, other_ring: -1, other_vertex: -1, x: x, y: y,
        value: .nan, threshold: .nan, jts_code: jtsCode, text_length: UInt32(text.count - start),
        text_offset: Int64(start)))
  }

  private mutating func appendText(_ words: UnsafePointer<CChar>) {
    var index = 0
    while words[index] != 0, index < Session.wordCapacity {
      text.append(UInt8(bitPattern: words[index]))
      index += 1
    }
  }

  /// Sets the exact lengths and fills `out`. MRD_E_MEMORY when some growth failed.
  mutating func finish(
    _ out: UnsafeMutablePointer<mrd_problems_out>, _ call: UnsafeMutablePointer<mrd_call>
  ) -> mrd_status {
    let fine = records.finish()
    guard text.finish(), fine else { return fail(call, MRD_E_MEMORY, "no memory for the problems") }
    out.pointee.record_size = UInt32(MemoryLayout<mrd_problem>.stride)
    out.pointee.count = Int64(records.count)
    return MRD_OK
  }
}
