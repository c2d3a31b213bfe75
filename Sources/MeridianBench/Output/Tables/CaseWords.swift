// SPDX-License-Identifier: Apache-2.0

extension CaseResult {
  /// Nanoseconds of a run as nanoseconds a unit.
  func perUnit(_ nanoseconds: Double) -> Double { nanoseconds / Double(max(1, units)) }

  func rowsPerSecond(_ nanoseconds: Double) -> Double? {
    nanoseconds > 0 && rows > 0 ? Double(rows) / nanoseconds * 1e9 : nil
  }

  /// The unit in which the times of all kernels are shown, so that they compare at a glance: that of the fastest one.
  var timeUnit: TimeUnit {
    let fastest = kernels.compactMap { $0.time.map { perUnit($0.median) } }.min()
    return fastest.map(TimeUnit.suiting) ?? .nanoseconds
  }

  /// The kernels that answered.
  var answered: [KernelResult] { kernels.filter { $0.refusal == nil } }

  /// The kernels that did not, with the reason.
  var refusals: [String] { kernels.compactMap { kernel in kernel.refusal.map { "\(kernel.kernel): \($0)" } } }

  /// The first ratio with a kernel above the line.
  func ratio(of kernel: String) -> RatioResult? { ratios.first { $0.kernel == kernel } }

  /// "planar; 1,000 rows, 12,345 vertices a run; right answers: brute force"
  var summary: String {
    var counts = "\(Figures.whole(rows)) rows"
    if unit != .row { counts += ", \(Figures.whole(units)) \(unit.plural)" }
    let right = oracle.map { "right answers: \($0)" } ?? "no right answers are known"
    return (setting.isEmpty ? [] : [setting]).joined() + (setting.isEmpty ? "" : "; ") + counts + " a run; " + right
  }
}

extension WorkUnit {
  var plural: String {
    switch self {
    case .vertex: "vertices"
    case .box: "boxes"
    case .query: "queries"
    default: rawValue + "s"
    }
  }
}

extension Accuracy {
  /// "1.2e-9 m"; the largest error where there is more and less, else nothing.
  var largestText: String? { isGraded ? Figures.number(largest) + " " + unitText : nil }

  /// False: an answer is right or wrong, and only `wrong` counts.
  var isGraded: Bool { unit != "verdict" && unit != "hit" }

  var unitText: String {
    switch unit {
    case "m2": "m²"
    case "deg": "degrees"
    case "coord": "coordinate units"
    case "relative": "of the value"
    case "vertex": "vertices"
    default: unit
    }
  }
}
