// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Why a file could not be reached: a number of the system and its words.
struct FileError: Error, Equatable, Sendable {
  let message: String
  let isMissing: Bool

  init(_ message: String) {
    self.message = message
    isMissing = false
  }

  /// The failure of the call before, as `errno` has it.
  static func last() -> FileError { FileError(number: mrdp_errno()) }

  private init(number: Int32) {
    message = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    isMissing = number == ENOENT || number == ENOTDIR
  }
}

/// What the system says of a path.
struct FileStatus: Sendable {
  enum Kind: Sendable { case regular, directory, link, other }

  let kind: Kind
  let owner: UInt32
  /// Permission bits, the sticky bit among them.
  let mode: UInt32
  let size: Int64

  var isWritableByOthers: Bool { mode & 0o022 != 0 }
  var isSticky: Bool { mode & 0o1000 != 0 }

  fileprivate init(_ status: stat) {
    let format = UInt32(status.st_mode) & 0o170000
    kind =
      switch format {
      case 0o100000: .regular
      case 0o040000: .directory
      case 0o120000: .link
      default: .other
      }
    owner = status.st_uid
    mode = UInt32(status.st_mode) & 0o7777
    size = Int64(status.st_size)
  }
}

/// The file system, as far as discovery needs it. Paths are bytes; a path with a NUL is never passed on.
enum Files {
  /// Of the path itself: a link is not followed.
  static func status(_ path: String) throws(FileError) -> FileStatus {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .last() }
    return FileStatus(status)
  }

  /// The absolute path without links, dots and double slashes.
  static func canonical(_ path: String) throws(FileError) -> String {
    guard let resolved = realpath(path, nil) else { throw .last() }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Names in a directory, ordered by their bytes, without "." and "..".
  static func names(in directory: String) throws(FileError) -> [String] {
    guard let stream = opendir(directory) else { throw .last() }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          String(cString: $0)
        }
      }
      if name.utf8.elementsEqual(".".utf8) || name.utf8.elementsEqual("..".utf8) { continue }
      names.append(name)
    }
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names
  }

  /// A regular file's bytes; one that is longer than `limit` is an error.
  static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readChunks(path) { (chunk) throws(FileError) in
      guard bytes.count + chunk.count <= limit else { throw FileError("longer than \(limit) bytes") }
      bytes.append(contentsOf: chunk)
    }
    return bytes
  }

  /// Hands out a regular file in pieces. Anything else is refused before it is read: opening a pipe must not wait.
  static func readChunks(
    _ path: String, _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) {
    let file = mrdp_open_for_reading(path)
    guard file >= 0 else { throw .last() }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last() }
    guard FileStatus(status).kind == .regular else { throw FileError("not a regular file") }
    let size = 64 * 1024
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = CPlatform.read(file, buffer, size)
      if count < 0 && mrdp_errno() == EINTR { continue }
      guard count >= 0 else { throw .last() }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(start: buffer, count: count))
    }
  }
}

/// Paths as text.
enum Path {
  static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  static func join(_ directory: String, _ name: String) -> String {
    directory.utf8.last == slash ? directory + name : directory + "/" + name
  }

  /// "/a/b" of "/a/b/c"; "/" of "/a".
  static func directory(of path: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash), last != path.utf8.startIndex else { return "/" }
    return String(Substring(path.utf8[..<last]))
  }

  /// "c" of "/a/b/c".
  static func name(of path: String) -> String { components(path).last ?? path }

  static func components(_ path: String) -> [String] { path.pieces { $0 == slash } }

  /// True when `path` is `directory` or lies in it. Both are canonical.
  static func contains(_ directory: String, _ path: String) -> Bool {
    path.hasSameBytes(as: directory) || path.startsWithBytes(of: join(directory, ""))
  }

  private static let slash: UInt8 = 0x2f
}
