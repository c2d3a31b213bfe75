// SPDX-License-Identifier: Apache-2.0

/// How far a job is, in a line for people.
struct Progress {
  let what: String
  /// nil = the work has none.
  let rows: Int?
  /// nil = the job looks for none.
  let findings: Int?
  /// Share of the input that was read, 0 to 1; nil = how long it is, is not known.
  let fraction: Double?
  /// Since the job began.
  let seconds: Double

  private static let width = 30

  /// "[######........................] 20%  validating  81920 rows  3 findings  40960 rows/s  0:08 left"
  var line: String {
    var words = [bar, what].compactMap { $0 }
    if let rows { words.append("\(rows) rows") }
    if let findings { words.append("\(findings) findings") }
    if let rows, seconds > 0 { words.append("\(Int(Double(rows) / seconds)) rows/s") }
    if let left { words.append(Self.clock(left) + " left") }
    return words.joined(separator: "  ")
  }

  /// Written so that NaN is none.
  private var share: Double? { fraction.map { $0 > 0 ? min($0, 1) : 0 } }

  private var bar: String? {
    guard let share else { return nil }
    let done = Int((share * Double(Self.width)).rounded(.down))
    return "[" + String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
      + "] \(Int(share * 100))%"
  }

  /// Seconds to the end at the rate so far; nothing is said of it before a hundredth is done.
  private var left: Double? {
    guard let share, share >= 0.01 else { return nil }
    return seconds * (1 - share) / share
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, rest) = (whole / 60, whole % 60)
    return minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
  }
}
