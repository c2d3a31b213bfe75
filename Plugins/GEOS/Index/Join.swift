// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

func indexJoin(
  _ a: OpaquePointer?, _ b: OpaquePointer?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ABI }
  guard let first = tree(a) else { return fail(call, MRD_E_ARGUMENT, "no index") }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  let second = tree(b) ?? first
  let isSelfJoin = b == nil
  var pairs = ResultBuffer<Int64>(call, MRD_BUF_IDS)
  var partners: [Int] = []
  for id in 0..<first.count {
    if call.isCancelled { return session.cancelled() }
    partners.removeAll(keepingCapacity: true)
    let fine = second.hits(first.boxes[id], session) { other in
      if !isSelfJoin || other > id { partners.append(other) }
    }
    guard fine else { return session.failure() }
    partners.sort()
    for other in partners {
      pairs.append(Int64(id))
      pairs.append(Int64(other))
    }
  }
  return pairs.finish() ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the pairs")
}
