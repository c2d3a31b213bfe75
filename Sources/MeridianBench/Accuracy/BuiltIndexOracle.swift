// SPDX-License-Identifier: Apache-2.0
import Meridian

/// An index that was built or opened: asked for some windows.
struct BuiltIndexOracle: Oracle {
  let source = "brute force"
  let truth: Lazily<BruteForceBoxes>

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let truth = try truth.value()
    let index = try outcome.required(outcome.kept as? BoxIndex, "index")
    var windows = Boxes()
    for query in truth.sample {
      windows.append(
        truth.queries.xmin[query], truth.queries.ymin[query], truth.queries.xmax[query], truth.queries.ymax[query])
    }
    let asked = BruteForceBoxes(boxes: truth.boxes, queries: windows)
    return WindowOracle.judge(try index.window(windows), asked, Array(0..<windows.count))
  }
}
