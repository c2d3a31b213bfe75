// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A file that appears under its name whole or not at all: bytes go to a temporary file beside it, which `finish` renames
/// and `abandon`, or letting go, removes. Standard output ("-"), pipes and devices are written as they are.
package final class OutputFile {
  private static let flushSize = 1 << 20

  let file: String
  /// Bytes not yet handed to the system; writers append to it and call `flushIfFull`.
  package var buffer: [UInt8] = []

  private var descriptor: Int32
  /// Set while a temporary file exists.
  private var temporary: ReplacementFile?

  package init(_ file: String) throws(FormatError) {
    self.file = file
    if file != "-", try !ReplacementFile.isUnreplaceable(file) {
      let made = try ReplacementFile.make(for: file)
      temporary = made.file
      descriptor = made.descriptor
    } else {
      descriptor = file == "-" ? 1 : mrdp_open(file, O_WRONLY | O_CLOEXEC, 0)
      guard descriptor >= 0 else { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
    }
  }

  /// Finds out whether a file could be written there, and leaves nothing behind: for work whose result comes hours later.
  /// Standard output, pipes and devices are not touched, since a reader may notice.
  package static func check(_ file: String) throws(FormatError) {
    guard file != "-", try !ReplacementFile.isUnreplaceable(file) else { return }
    let made = try ReplacementFile.make(for: file)
    close(made.descriptor)
    made.file.remove()
  }

  deinit { abandon() }

  /// Hands the buffer to the system when it is large.
  package func flushIfFull() throws(FormatError) {
    if buffer.count >= Self.flushSize { try flush() }
  }

  /// Writes what is left and gives the file its name.
  package func finish() throws(FormatError) {
    guard descriptor >= 0 else { return }
    try flush()
    guard descriptor != 1 else {
      descriptor = -1
      return
    }
    let closed = close(descriptor)
    descriptor = -1
    guard closed == 0 else { throw failure() }
    if let temporary {
      guard temporary.publish() else { throw failure() }
      self.temporary = nil
    }
  }

  /// Removes the temporary file; nothing appears under the name. What went to standard output stays there.
  package func abandon() {
    if descriptor > 1 { close(descriptor) }
    descriptor = -1
    temporary?.remove()
    temporary = nil
    buffer = []
  }

  /// Hands the buffer to the system.
  package func flush() throws(FormatError) {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        bytes.baseAddress.map { write(descriptor, $0 + written, bytes.count - written) } ?? 0
      }
      if count < 0 && mrdp_errno() == EINTR { continue }
      guard count > 0 else { throw failure() }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// The error of the system call that just failed; the temporary file is gone afterwards.
  private func failure() -> FormatError {
    let code = mrdp_errno()
    abandon()
    var error = FormatError(file: file, reason: "writing failed: " + systemMessage(code))
    error.isBrokenPipe = code == EPIPE
    return error
  }
}
