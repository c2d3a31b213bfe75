// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// JOIN: every box of `a` is a window on `b`. Pairs ascend, since boxes are taken in the order of their ids and hits of
/// a window ascend. A self-join keeps the pairs i < j.
func runJoin(_ a: SQLiteIndex, _ b: SQLiteIndex, _ call: UnsafeMutablePointer<mrd_call>) throws(Failure) {
  try a.requireSameEdges(b.curved)
  var pairs = ResultBuffer<Int64>(call, MRD_BUF_IDS)
  try lockedBoth(a, b, call) { () throws(Failure) in
    let query = try WindowQuery(b)
    let boxes = try Statement(a.database, "SELECT id, xmin, ymin, xmax, ymax FROM box WHERE pieces > 0 ORDER BY id")
    var done: Int64 = 0
    while try boxes.step() {
      if done & 255 == 0 {
        try checkCancel(call)
        call.pointee.progress?(call, Double(done) / Double(max(1, a.boxes)))
      }
      done += 1
      let id = boxes.integer(0)
      let box = Box(xmin: boxes.double(1), ymin: boxes.double(2), xmax: boxes.double(3), ymax: boxes.double(4))
      for hit in try query.hits(box) where a !== b || id < hit {
        pairs.append(id)
        pairs.append(hit)
      }
    }
  }
  guard pairs.finish() else { throw Failure(MRD_E_MEMORY, "no memory for the pairs") }
}

/// Both locks, always in the order of addresses, so that join(a, b) and join(b, a) do not wait for each other.
private func lockedBoth(
  _ a: SQLiteIndex, _ b: SQLiteIndex, _ call: UnsafeMutablePointer<mrd_call>, _ body: () throws(Failure) -> Void
) throws(Failure) {
  if a === b { return try a.locked(call, body) }
  let aFirst = Unmanaged.passUnretained(a).toOpaque() < Unmanaged.passUnretained(b).toOpaque()
  let (first, second) = aFirst ? (a, b) : (b, a)
  try first.locked(call) { () throws(Failure) in try second.locked(call, body) }
}
