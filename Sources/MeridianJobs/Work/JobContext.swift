// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What every job works with: the host, the user's choices, and what is told at the end.
public final class JobContext {
  public let host: Host
  public let messages: Messages
  public let treatment: Treatment
  /// Rules for the calls of this job alone; nil = the host's.
  public var rules: String?
  /// Kernels run in worker processes; nil = in this one.
  public var isolation: IsolatedKernels?
  /// Files are read on a thread of their own, while the rows before are worked on.
  public var overlapsReading = true
  public private(set) var summary = Summary()
  /// Files that could not be read to their end.
  public internal(set) var failedFiles = 0
  /// Rows that could not be read.
  public internal(set) var unreadableRows = 0
  /// Rows on which a kernel failed in its worker.
  public internal(set) var faultyRows = 0
  /// Problems that were found; nil = the job looks for none.
  var findings: Int?
  /// Rows that were read, unreadable ones among them.
  public internal(set) var rows = 0
  /// Rows that the job was about; nil = all that were read.
  var selectedRows: Int?

  public init(host: Host, messages: Messages, treatment: Treatment = Treatment()) {
    self.host = host
    self.messages = messages
    self.treatment = treatment
  }

  /// True when a file or a row could not be read, or a kernel failed on it.
  public var hasUnreadInput: Bool { failedFiles > 0 || unreadableRows > 0 || faultyRows > 0 }

  /// The surroundings of a call: it stops when the user stops the command.
  func run(_ model: GeometryModel, rules: String? = nil) -> Run {
    Run(cancel: Interrupt.cancelWord, rules: rules ?? self.rules, model: model)
  }

  /// Remembers who answered, and warns of a kernel that was asked for and does not answer.
  /// - Parameter isBeside: the results stand beside those that were asked for, which a kernel may give that cannot give
  ///   these: nothing to warn of.
  func note(_ answers: Answers, _ model: GeometryModel = .planar, isBeside: Bool = false) {
    for answer in answers.list {
      if let unmet = answer.unmet, !isBeside {
        messages.warn("\(unmet.rule): \(answer.operation) is answered by \(answer.kernel), because \(unmet.why)")
      }
      summary.note(
        Summary.Answer(
          operation: answer.operation, edges: EdgeNames.name(model.edges), kernel: answer.kernel, reason: answer.reason)
      )
    }
  }

  /// Warns of what the format of an output had no place for.
  func tellLosses(of output: FeatureOutput) { for loss in output.losses { messages.warn(loss) } }

  func set(_ name: String, _ value: Value) { summary.set(name, value) }

  /// The totals that every job has.
  func setInputTotals(files: Int) {
    set("files", .integer(files))
    set("rows", .integer(rows))
    if let selectedRows { set("selected", .integer(selectedRows)) }
    if unreadableRows > 0 { set("unreadable", .integer(unreadableRows)) }
    if faultyRows > 0 { set("kernel_failed", .integer(faultyRows)) }
    if failedFiles > 0 { set("failed_files", .integer(failedFiles)) }
  }
}
