// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Numbers as people read them: three significant digits, which is more than a measurement holds.
enum Figures {
  /// "0.00123", "12.3", "12300"; powers of ten from a million up and below a ten thousandth.
  /// - Parameter largest: the largest power of ten that is written out.
  static func number(_ value: Double, writtenOutUpTo largest: Int = 5) -> String {
    guard value.isFinite else { return value.isNaN ? "none" : value < 0 ? "-infinity" : "infinity" }
    guard value != 0 else { return "0" }
    let (digits, exponent) = rounded(abs(value))
    let sign = value < 0 ? "-" : ""
    if exponent < -4 || exponent > largest {
      let mantissa = plain(digits, exponent: 0)
      return sign + mantissa + "e" + String(exponent)
    }
    return sign + plain(digits, exponent: exponent)
  }

  /// A number that was given, not measured: as it was given.
  static func exact(_ value: Double) -> String {
    let text = value.description.replacing("e-0", with: "e-").replacing("e+", with: "e")
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Without zeros at the end, "0.5", "1e-9".
  static func short(_ value: Double, writtenOutUpTo largest: Int = 5) -> String {
    let text = number(value, writtenOutUpTo: largest)
    let parts = text.split(separator: "e")
    guard let first = parts.first, first.contains(".") else { return text }
    var digits = first
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return ([digits] + parts.dropFirst()).joined(separator: "e")
  }

  /// With what stands for a million: "12.3 million", "345 thousand", "1.2".
  static func count(_ value: Double) -> String {
    guard value.isFinite else { return number(value) }
    for (name, scale) in [("billion", 1e9), ("million", 1e6), ("thousand", 1e3)] where abs(value) >= scale * 0.9995 {
      return number(value / scale) + " " + name
    }
    return number(value)
  }

  /// "12,345,678"
  static func whole(_ value: Int) -> String { grouped(String(value)) }
  static func whole(_ value: Int64) -> String { grouped(String(value)) }

  private static func grouped(_ digits: String) -> String {
    let sign = digits.hasPrefix("-") ? "-" : ""
    let plain = Array(digits.drop { $0 == "-" })
    var text = ""
    for (index, digit) in plain.enumerated() {
      if index > 0, (plain.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return sign + text
  }

  /// "1.5 MiB"
  static func bytes(_ value: Int64) -> String {
    let size = Double(value)
    for (name, power) in [("GiB", 30.0), ("MiB", 20), ("KiB", 10)] where abs(size) >= exp2(power) {
      return number(size / exp2(power)) + " " + name
    }
    return "\(value) B"
  }

  /// A duration with the unit that suits it: "12.3 µs".
  static func duration(_ nanoseconds: Double) -> String {
    let unit = TimeUnit.suiting(nanoseconds)
    return number(nanoseconds / unit.nanoseconds) + " " + unit.symbol
  }

  /// Too few rounds for an interval: its ends are those of the numbers.
  static func isUnbounded(_ low: Double, _ high: Double) -> Bool { high > 1e290 || low < -1e290 }

  /// "0.42 [0.41, 0.43]"
  static func interval(_ value: Double, _ low: Double, _ high: Double) -> String {
    "\(number(value)) \(ends(low, high))"
  }

  /// "[0.41, 0.43]"
  static func ends(_ low: Double, _ high: Double) -> String {
    isUnbounded(low, high) ? "[too few rounds]" : "[\(number(low)), \(number(high))]"
  }

  /// The same for a time, in the unit that `shown` gives. Whether there is an interval is told by its own ends.
  static func interval(_ time: Spread, _ shown: (Double) -> Double) -> String {
    isUnbounded(time.low, time.high)
      ? interval(shown(time.median), time.low, time.high)
      : interval(shown(time.median), shown(time.low), shown(time.high))
  }

  /// "1.2%" of 0.012.
  static func percent(_ share: Double) -> String { number(share * 100) + "%" }

  /// A share of many, for columns that are read side by side: never more than two decimals, and 0% and 100% are exact.
  static func share(_ share: Double) -> String {
    if share > 0 && share < 0.0001 { return "<0.01%" }
    if share > 0.9995 && share < 1 { return ">99.9%" }
    return share < 0.01 ? exact((share * 10_000).rounded() / 100) + "%" : percent(share)
  }

  /// A change with its sign: "+12%" of 1.12, "-3%" of 0.97; whole tenths.
  static func change(_ factor: Double) -> String {
    guard factor.isFinite else { return number(factor) }
    if factor >= 10 { return "x " + number(factor) }
    let tenths = ((factor - 1) * 1000).rounded() / 10
    return (tenths > 0 ? "+" : "") + number(tenths) + "%"
  }

  /// Three significant digits and the power of ten of the first.
  private static func rounded(_ value: Double) -> (digits: [Int], exponent: Int) {
    let (all, exponent) = decimal(value)
    guard all.count > 3 else { return (all, exponent) }
    let number = all[0] * 100 + all[1] * 10 + all[2] + (all[3] >= 5 ? 1 : 0)
    return number == 1000 ? ([1, 0, 0], exponent + 1) : ([number / 100, number / 10 % 10, number % 10], exponent)
  }

  /// The digits of the shortest text that reads back equal, and the power of ten of the first.
  private static func decimal(_ value: Double) -> (digits: [Int], exponent: Int) {
    let parts = value.description.split(separator: "e")
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let sides = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    exponent += sides[0].count - 1
    var digits = parts[0].compactMap(\.wholeNumberValue)
    while digits.count > 1, digits[0] == 0 {
      digits.removeFirst()
      exponent -= 1
    }
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    return (digits, exponent)
  }

  /// Three digits, padded, with the point where it belongs.
  private static func plain(_ digits: [Int], exponent: Int) -> String {
    let three = (digits + [0, 0, 0]).prefix(3).map(String.init)
    if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + three.joined() }
    if exponent >= 2 { return three.joined() + String(repeating: "0", count: exponent - 2) }
    return three[...exponent].joined() + "." + three[(exponent + 1)...].joined()
  }
}

/// Units of time.
enum TimeUnit: CaseIterable {
  case nanoseconds, microseconds, milliseconds, seconds

  /// One unit in nanoseconds.
  var nanoseconds: Double {
    switch self {
    case .nanoseconds: 1
    case .microseconds: 1e3
    case .milliseconds: 1e6
    case .seconds: 1e9
    }
  }

  var symbol: String {
    switch self {
    case .nanoseconds: "ns"
    case .microseconds: "µs"
    case .milliseconds: "ms"
    case .seconds: "s"
    }
  }

  var name: String { String(describing: self) }

  /// The largest unit of which a duration has one.
  static func suiting(_ nanoseconds: Double) -> TimeUnit {
    allCases.last { abs(nanoseconds) >= $0.nanoseconds } ?? .nanoseconds
  }
}
