// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Lines for people, on standard error, and the progress bar above which they appear.
public final class Messages {
  private let quiet: Bool
  private let barIsWanted: Bool
  private let began = now()
  private var drawn = 0.0
  private var shown = false
  private var said: [String] = []
  /// The file that is worked on, counted from 0, and how many there are.
  public var file = (number: 0, count: 1)
  /// False = somebody else adds up the totals of several jobs and tells them.
  public var notesSummaries = true
  /// Work shorter than this shows no bar.
  private static let patience = 0.6

  public init(quiet: Bool) {
    self.quiet = quiet
    barIsWanted = !quiet && isatty(2) == 1
  }

  /// A warning: told once, and not when the user asked for quiet.
  public func warn(_ text: String) {
    guard !quiet, !said.contains(text) else { return }
    said.append(text)
    tell("warning: " + text)
  }

  /// An error, told always.
  public func error(_ text: String) { tell("error: " + text) }

  /// A line that belongs beside the results: totals of a format that has no room for them.
  public func note(_ text: String) { tell(text) }

  /// The totals beside results of a form that has no place for them.
  public func note(_ summary: Summary?) {
    guard notesSummaries else { return }
    for line in summary?.lines ?? [] { note(line) }
  }

  /// How far the work is: the share that is done (nil = not known), rows and findings where there are any to count.
  public func progress(_ what: String, rows: Int? = nil, findings: Int? = nil, _ fraction: Double?) {
    guard barIsWanted else { return }
    let time = now()
    guard time - began > Self.patience, time - drawn > 0.1 else { return }
    drawn = time
    shown = true
    let whole = fraction.map { (Double(file.number) + $0) / Double(max(1, file.count)) }
    let state = Progress(what: what, rows: rows, findings: findings, fraction: whole, seconds: time - began)
    put("\r" + state.line + "\u{1b}[K")
  }

  /// Takes the bar away.
  public func clear() {
    guard shown else { return }
    shown = false
    put("\r\u{1b}[K")
  }

  private func tell(_ text: String) {
    clear()
    put("meridian: " + text + "\n")
  }

  private func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes in _ = write(2, bytes.baseAddress, bytes.count) }
  }
}

/// Seconds on a clock that only goes forward.
public func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
