// SPDX-License-Identifier: Apache-2.0

/// Numbers as the command line writes them: "8", "8,12,16", "8..20", "8..20:4".
struct NumberList {
  let values: [Double]

  /// nil for anything else. `step`: of a range that names none. A list never has more than 1000 values.
  init?(_ text: some StringProtocol, step: Double) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count > 1 {
      let numbers = parts.compactMap { Double($0) }
      guard numbers.count == parts.count, numbers.allSatisfy({ $0.isFinite }) else { return nil }
      values = numbers
      return
    }
    guard let dots = text.firstRange(of: "..") else {
      guard let number = Double(text), number.isFinite else { return nil }
      values = [number]
      return
    }
    let tail = text[dots.upperBound...].split(separator: ":", omittingEmptySubsequences: false)
    guard let first = Double(text[..<dots.lowerBound]), let last = tail.first.flatMap({ Double($0) }), tail.count <= 2,
      let by = tail.count == 2 ? Double(tail[1]) : step, by > 0, first.isFinite, last >= first,
      (last - first) / by < 1000
    else { return nil }
    // Half a step of room: 0.1..0.5:0.1 has its last value.
    values = (0...Int(((last - first) / by + 1e-9).rounded(.down))).map { first + Double($0) * by }
  }
}
