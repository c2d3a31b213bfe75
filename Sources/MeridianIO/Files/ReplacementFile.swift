// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A temporary file beside the file that it will replace: what is written appears under its name whole or not at all. The
/// file behind symbolic links is the one that is replaced, and it keeps its permissions.
package struct ReplacementFile {
  /// The temporary file.
  package let path: String
  private let target: String
  /// What the file will have when it is published: the bits of the file that it replaces, or those of a new one.
  private let permissions: mode_t

  /// True when a path names something that is written to directly and never replaced: a pipe or a device.
  static func isUnreplaceable(_ file: String) throws(FormatError) -> Bool {
    var status = stat()
    guard stat(file, &status) == 0 else { return false }
    if mrdp_is_directory(&status) != 0 { throw FormatError(file: file, reason: systemMessage(EISDIR)) }
    return mrdp_is_regular(&status) == 0
  }

  /// True when two names lead to one file that is there, by links or in other words; false for pipes and devices, which
  /// may be read and written at once.
  package static func isSameFile(_ one: String, _ other: String) -> Bool {
    var status = stat()
    return stat(one, &status) == 0 && mrdp_is_regular(&status) != 0 && isSameEntry(one, other)
  }

  /// True when what is written under two names would be one file, whether it is there or not; false for pipes and devices.
  package static func isSameTarget(_ one: String, _ other: String) -> Bool {
    if isSameFile(one, other) { return true }
    // A dash is standard output.
    guard one != "-", other != "-", let first = try? resolved(one), let second = try? resolved(other) else {
      return false
    }
    var status = stat()
    // Two files that are there have been compared.
    guard stat(first, &status) != 0, stat(second, &status) != 0 else { return false }
    let (own, its) = (split(first), split(second))
    return own.name == its.name && (own.folder == its.folder || isSameEntry(own.folder, its.folder))
  }

  static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path[...]) }
    return (String(path[...slash]), path[path.utf8.index(after: slash)...])
  }

  /// True when two names lead to one file or folder that is there.
  private static func isSameEntry(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Makes the temporary file; `descriptor` is open for writing.
  static func make(for file: String) throws(FormatError) -> (file: ReplacementFile, descriptor: Int32) {
    let target = try resolved(file)
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, access(target, W_OK) != 0 { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
    let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(target[...$0]) } ?? ""
    let (path, descriptor) = try create(in: folder, for: file)
    let permissions = exists ? status.st_mode & 0o777 : 0o666 & ~mask()
    fchmod(descriptor, permissions)
    return (ReplacementFile(path: path, target: target, permissions: permissions), descriptor)
  }

  /// A new file of a new name, which is told before it is there: who is killed in between leaves nothing that nobody knows of.
  private static func create(
    in folder: String, for file: String
  ) throws(FormatError) -> (path: String, descriptor: Int32) {
    let letters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    while true {
      let path = folder + ".meridian-" + String((0..<8).map { _ in letters[Int.random(in: letters.indices)] })
      var status = stat()
      if lstat(path, &status) == 0 { continue }
      TemporaryFiles.add(path)
      let descriptor = mrdp_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return (path, descriptor) }
      let error = mrdp_errno()
      TemporaryFiles.remove(path)
      guard error == EEXIST else { throw FormatError(file: file, reason: systemMessage(error)) }
    }
  }

  /// The name of a temporary file that somebody else makes and writes, such as a kernel: there is none when this returns.
  package static func name(for file: String) throws(FormatError) -> ReplacementFile {
    guard try !isUnreplaceable(file) else {
      throw FormatError(file: file, reason: "a database cannot go to a pipe or a device")
    }
    let (temporary, descriptor) = try make(for: file)
    close(descriptor)
    unlink(temporary.path)
    return temporary
  }

  /// Gives the file its name. False = the error is in `errno` and the temporary file is there still.
  package func publish() -> Bool {
    guard chmod(path, permissions) == 0, rename(path, target) == 0 else { return false }
    TemporaryFiles.remove(path)
    return true
  }

  package func remove() {
    unlink(path)
    TemporaryFiles.remove(path)
  }

  /// The file behind links, whether it is there or will be made.
  static func resolved(_ file: String) throws(FormatError) -> String {
    var path = file
    for _ in 0..<mostLinks {
      if let real = realpath(path, nil) {
        defer { free(real) }
        return String(cString: real)
      }
      guard let target = linkTarget(path) else { return path }
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
      path = target.hasPrefix("/") ? target : folder + target
    }
    throw FormatError(file: file, reason: systemMessage(ELOOP))
  }

  /// As many as Linux follows.
  private static let mostLinks = 40

  /// What a symbolic link says; nil for anything else.
  package static func linkTarget(_ path: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = readlink(path, &text, text.count - 1)
    guard length > 0 else { return nil }
    return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func mask() -> mode_t {
    // There is no way to ask for the mask without setting it.
    let mask = umask(0o077)
    umask(mask)
    return mask
  }
}
