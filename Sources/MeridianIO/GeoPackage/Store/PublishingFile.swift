// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// The file that a publication is written to: `.NAME.publishing` beside its target, which it takes the place of.
///
/// Its lock says who publishes. The system lets it go with the process, so what a killed publication left is taken over by the
/// next one, and nothing has to be tidied up.
final class PublishingFile {
  let path: String
  /// The file behind symbolic links.
  let target: String
  private let descriptor: Int32
  /// False when the file has got the name of its target.
  private var isTemporary = true

  /// Waits until no other publication goes on, for `wait` seconds at most.
  init(for file: String, wait: Double, stop: UnsafePointer<UInt32>?) throws(FormatError) {
    let target = try ReplacementFile.resolved(file)
    let (folder, name) = ReplacementFile.split(target)
    path = (target.contains("/") ? folder : "") + ".\(name).publishing"
    self.target = target
    descriptor = try Self.locked(path, of: file, wait, stop)
    TemporaryFiles.add(path)
    ftruncate(descriptor, 0)
    removeSideFiles(of: path)
  }

  deinit {
    if isTemporary {
      unlink(path)
      removeSideFiles(of: path)
      TemporaryFiles.remove(path)
    }
    close(descriptor)
  }

  private static func locked(
    _ path: String, of file: String, _ wait: Double, _ stop: UnsafePointer<UInt32>?
  ) throws(FormatError) -> Int32 {
    let pause: UInt32 = 20_000
    var waited = 0.0
    while true {
      let descriptor = mrdp_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw systemError(file) }
      let isLocked = mrdp_lock_file(descriptor) == 0
      let code = mrdp_errno()
      if isLocked, isThere(descriptor, path) { return descriptor }
      close(descriptor)
      // The one before it got the name of the target, or was removed.
      if isLocked { continue }
      guard code == EWOULDBLOCK || code == EINTR else { throw FormatError(file: file, reason: systemMessage(code)) }
      guard waited < wait else { throw FormatError(file: file, reason: "another publication to it goes on; try again") }
      if let stop, mrdp_load_relaxed(stop) != 0 { throw FormatError(file: file, reason: "interrupted") }
      usleep(pause)
      waited += Double(pause) * 1e-6
    }
  }

  private static func isThere(_ descriptor: Int32, _ path: String) -> Bool {
    var (own, there) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, stat(path, &there) == 0 else { return false }
    return own.st_dev == there.st_dev && own.st_ino == there.st_ino
  }

  /// Has all bytes on the disk, under the permissions of the target.
  func flush() throws(FormatError) {
    var status = stat()
    guard stat(target, &status) == 0, fchmod(descriptor, status.st_mode & 0o777) == 0, fsync(descriptor) == 0 else {
      throw systemError(target)
    }
  }

  /// Takes the place of the target.
  func replaceTarget() throws(FormatError) {
    try take(target)
    // Empty ones, of programs that had the old file open.
    removeSideFiles(of: target)
    syncFolder()
  }

  /// Takes a name beside the target.
  func take(_ name: String) throws(FormatError) {
    guard rename(path, name) == 0 else { throw systemError(name) }
    isTemporary = false
    TemporaryFiles.remove(path)
    syncFolder()
  }

  /// Has the new name on the disk. Where a file system cannot do that, it does so by itself at some time.
  private func syncFolder() {
    let folder = mrdp_open(ReplacementFile.split(target).folder, O_RDONLY | O_CLOEXEC, 0)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}

private func removeSideFiles(of file: String) {
  for ending in StoreTarget.sideFiles { unlink(file + ending) }
}
