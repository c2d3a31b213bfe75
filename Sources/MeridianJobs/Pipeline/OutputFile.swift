// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Where bytes of a report go: standard output as they come, or a file that appears whole in `finish` or not at all.
///
/// A regular file is written under a temporary name beside it and renamed. What is no regular file (a device, a named
/// pipe) is written directly, since a rename would replace it.
public final class OutputFile {
  private let descriptor: Int32
  /// As the user gave it, for messages.
  public let name: String
  private let target: String
  private let temporary: String?
  private var buffer: [UInt8] = []
  private var isOpen = true

  /// `path` nil or "-" = standard output.
  public init(_ path: String?) throws(JobError) {
    guard let path, path != "-" else {
      (descriptor, name, target, temporary) = (1, "standard output", "", nil)
      return
    }
    var facts = stat()
    let exists = stat(path, &facts) == 0
    let kind = facts.st_mode & mode_t(S_IFMT)
    if exists, kind == mode_t(S_IFDIR) { throw .failed("\(path): is a directory") }
    if exists, kind != mode_t(S_IFREG) {
      let opened = mrdp_open(path, O_WRONLY | O_CLOEXEC, 0)
      guard opened >= 0 else { throw .failed("\(path): \(lastError())") }
      (descriptor, name, target, temporary) = (opened, path, path, nil)
      return
    }
    // Through a symbolic link, so that the link stays and its target changes.
    let real = exists ? canonical(path) : path
    let beside = real + ".\(getpid()).tmp"
    let opened = mrdp_open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard opened >= 0 else { throw .failed("\(path): cannot be written: \(lastError())") }
    (descriptor, name, target, temporary) = (opened, path, real, beside)
    TemporaryFiles.add(beside)
  }

  deinit { abandon() }

  /// True when lines show at once: the output is a terminal.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  public func write(_ bytes: [UInt8]) throws(JobError) {
    buffer += bytes
    if buffer.count >= 1 << 16 { try flush() }
  }

  public func write(_ text: String) throws(JobError) { try write(Array(text.utf8)) }

  /// Hands all bytes to the system.
  public func flush() throws(JobError) {
    var at = 0
    while at < buffer.count {
      let wrote = buffer.withUnsafeBytes { bytes in
        CPlatform.write(descriptor, bytes.baseAddress.map { $0 + at }, bytes.count - at)
      }
      if wrote >= 0 {
        at += wrote
        continue
      }
      let code = mrdp_errno()
      if code == EPIPE { throw .closedPipe }
      if code != EINTR { throw .failed("\(name): \(lastError())") }
      try Interrupt.check()
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest and gives the file its name.
  public func finish() throws(JobError) {
    try flush()
    guard descriptor != 1, isOpen else { return }
    // Delayed errors (a full disk, a quota) show here, before the file gets its name.
    guard temporary == nil || fsync(descriptor) == 0 else { throw .failed("\(name): \(lastError())") }
    isOpen = false
    guard close(descriptor) == 0 else { throw .failed("\(name): \(lastError())") }
    guard let temporary else { return }
    guard rename(temporary, target) == 0 else { throw .failed("\(name): \(lastError())") }
    TemporaryFiles.remove(temporary)
  }

  /// Leaves no file behind. Nothing happens after `finish`.
  public func abandon() {
    guard descriptor != 1, isOpen else { return }
    isOpen = false
    close(descriptor)
    if let temporary {
      unlink(temporary)
      TemporaryFiles.remove(temporary)
    }
  }
}

/// The words for the error of the last system call.
func lastError() -> String {
  var text = [CChar](repeating: 0, count: 256)
  guard mrdp_error_text(mrdp_errno(), &text, text.count) == 0 else { return "error \(mrdp_errno())" }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The path without links; the path itself when it cannot be resolved.
private func canonical(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}
