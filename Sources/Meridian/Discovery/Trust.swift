// SPDX-License-Identifier: Apache-2.0

/// Who may have put a file where it is. A kernel in the process is trusted code, so nobody but root and the user may be
/// able to change it, or any directory on the way to it.
struct Trust: Sendable {
  /// The effective user.
  let user: UInt32

  /// Why the path must not be used, or nil. Every prefix of it is looked at, as given and in its canonical form: a link
  /// is as good as the directory that holds it.
  func objection(to path: String) -> LoadFailure? {
    if let objection = objectionToPrefixes(of: path) { return objection }
    guard let canonical = try? Files.canonical(path), !canonical.hasSameBytes(as: path) else { return nil }
    return objectionToPrefixes(of: canonical)
  }

  private func objectionToPrefixes(of path: String) -> LoadFailure? {
    var prefix = "/"
    let components = Path.components(path)
    if let objection = objection(toOne: prefix, isLast: components.isEmpty) { return objection }
    for (number, component) in components.enumerated() {
      prefix = Path.join(prefix, component)
      if let objection = objection(toOne: prefix, isLast: number == components.count - 1) { return objection }
    }
    return nil
  }

  private func objection(toOne path: String, isLast: Bool) -> LoadFailure? {
    let status: FileStatus
    do {
      status = try Files.status(path)
    } catch {
      return LoadFailure(error.isMissing ? .notFound : .io, "\(path): \(error.message)")
    }
    guard status.owner == 0 || status.owner == user else {
      return LoadFailure(.wrongOwner, "\(path) belongs to user \(status.owner), neither to root nor to user \(user)")
    }
    // The permission bits of a link mean nothing.
    guard status.kind != .link, status.isWritableByOthers else { return nil }
    // In a sticky directory of root, such as /tmp, others may add entries but not replace ours, whose owner is looked at
    // in turn. As the directory of plug-ins itself it would do: anybody could add one.
    if !isLast && status.kind == .directory && status.isSticky && status.owner == 0 { return nil }
    return LoadFailure(.writableByOthers, "\(path) may be written by group or others (mode \(octal(status.mode)))")
  }

  /// "0775"
  private func octal(_ mode: UInt32) -> String { "0" + String(mode & 0o7777, radix: 8) }
}
