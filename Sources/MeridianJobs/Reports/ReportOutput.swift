// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianIO

/// Where a report or an index goes: standard output as it comes, or a file that appears whole or not at all.
public final class ReportOutput {
  private let file: OutputFile

  /// `path` nil or "-" = standard output.
  public init(_ path: String?) throws(JobError) {
    file = try formatted { () throws(FormatError) in try OutputFile(path ?? "-") }
  }

  /// Throws when no file could be written there now; nothing is left behind. nil or "-" = standard output.
  public static func check(_ path: String?) throws(JobError) {
    try formatted { () throws(FormatError) in try OutputFile.check(path ?? "-") }
  }

  public func write(_ bytes: [UInt8]) throws(JobError) {
    try append { $0 += bytes }
  }

  public func write(_ text: String) throws(JobError) { try append { $0 += text.utf8 } }

  /// Lets `body` add to the bytes that are to be written.
  func append(_ body: (inout [UInt8]) -> Void) throws(JobError) {
    body(&file.buffer)
    try formatted { () throws(FormatError) in try file.flushIfFull() }
  }

  /// Hands all bytes to the system, so that a reader sees them now.
  public func flush() throws(JobError) { try formatted { () throws(FormatError) in try file.flush() } }

  /// Writes the rest and gives the file its name.
  public func finish() throws(JobError) { try formatted { () throws(FormatError) in try file.finish() } }

  public func abandon() { file.abandon() }
}

/// The words for the error of the last system call.
func lastError() -> String { systemMessage(mrdp_errno()) }
