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
  private var temporary: String?
  /// Where the temporary file goes: the file behind symbolic links.
  private let target: String

  package init(_ file: String) throws(FormatError) {
    self.file = file
    var status = stat()
    let exists = file != "-" && stat(file, &status) == 0
    if exists, mrdp_is_directory(&status) != 0 { throw FormatError(file: file, reason: systemMessage(EISDIR)) }
    if file == "-" || (exists && mrdp_is_regular(&status) == 0) {
      target = file
      descriptor = file == "-" ? 1 : mrdp_open(file, O_WRONLY | O_CLOEXEC, 0)
      guard descriptor >= 0 else { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
      return
    }
    let target = Self.resolved(file)
    self.target = target
    if exists, access(target, W_OK) != 0 { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
    let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(target[...$0]) } ?? ""
    var template = (folder + ".meridian-XXXXXX").utf8CString
    descriptor = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mrdp_make_temporary($0) } ?? -1 }
    guard descriptor >= 0 else { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
    temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    if let temporary { TemporaryFiles.add(temporary) }
    fchmod(descriptor, exists ? status.st_mode & 0o777 : 0o666 & ~Self.mask())
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
      guard rename(temporary, target) == 0 else { throw failure() }
      TemporaryFiles.remove(temporary)
      self.temporary = nil
    }
  }

  /// Removes the temporary file; nothing appears under the name. What went to standard output stays there.
  package func abandon() {
    if descriptor > 1 { close(descriptor) }
    descriptor = -1
    if let temporary {
      unlink(temporary)
      TemporaryFiles.remove(temporary)
    }
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

  private static func resolved(_ file: String) -> String {
    guard let path = realpath(file, nil) else { return file }
    defer { free(path) }
    return String(cString: path)
  }

  private static func mask() -> mode_t {
    // There is no way to ask for the mask without setting it.
    let mask = umask(0o077)
    umask(mask)
    return mask
  }
}
