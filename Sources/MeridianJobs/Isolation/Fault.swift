// SPDX-License-Identifier: Apache-2.0
import CIsolation

/// How a kernel failed on a row in a worker process.
public struct Fault: Sendable, Equatable {
  enum Kind: String, CaseIterable, Sendable {
    /// The process ended by a signal, or by itself.
    case crashed = "KERNEL_CRASHED"
    /// No answer within the time limit.
    case timedOut = "KERNEL_TIMED_OUT"
    /// It asked for more memory than it gets.
    case memory = "KERNEL_MEMORY"
    /// It answered what cannot be, or damaged memory that it was lent.
    case corrupt = "KERNEL_CORRUPT"

    /// What it usually is, without a full stop.
    var sentence: String {
      switch self {
      case .crashed: "The kernel's process ended on this row"
      case .timedOut: "The kernel took longer than the time limit on this row"
      case .memory: "The kernel asked for more memory than it gets on this row"
      case .corrupt: "The kernel gave back what cannot be for this row"
      }
    }
  }

  let kind: Kind
  /// A sentence without a full stop.
  public let message: String
  /// Somebody else may have ended the process: a kernel sends no such signal to itself.
  var mayBeForeign = false

  /// "KERNEL_CRASHED".
  public var code: String { kind.rawValue }

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The process is gone.
  init(_ end: mrdi_end) {
    guard end.signal != 0 else {
      self.init(.crashed, "the kernel's process ended with exit code \(end.code)")
      return
    }
    let name = mrdi_signal_name(end.signal).map { String(cString: $0) } ?? "signal \(end.signal)"
    self.init(.crashed, "the kernel's process ended by \(name)")
    mayBeForeign = name == "SIGKILL" || name == "SIGTERM"
  }

  /// How often a row is tried by itself before it is blamed: a time limit has cost enough, and a process that somebody else
  /// ended says nothing of the row.
  var trials: Int { mayBeForeign ? 20 : kind == .timedOut ? 1 : 2 }
}
