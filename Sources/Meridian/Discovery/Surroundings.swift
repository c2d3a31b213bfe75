// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// What discovery takes from the process and the machine, in one value, so that tests can give another.
struct Surroundings: Sendable {
  /// A variable of the environment, nil when unset.
  var variable: @Sendable (String) -> String?
  /// The process runs with more rights than its user (set-uid): the environment and the user's directories are not his
  /// to choose for it.
  var isPrivileged: Bool
  /// The effective user.
  var user: UInt32
  /// Directories of the executable and of the library that holds this code, canonical.
  var ownDirectories: [String]
  var systemDirectories: [String]
  var machine: Machine

  static var current: Surroundings {
    Surroundings(
      variable: { name in mrdp_environment(name).map { String(cString: $0) } },
      isPrivileged: mrdp_is_privileged() != 0, user: geteuid(), ownDirectories: directoriesOfOurCode(),
      systemDirectories: ["/usr/local/lib/meridian/plugins", "/usr/lib/meridian/plugins"], machine: .current)
  }

  private static func directoriesOfOurCode() -> [String] {
    let paths = [mrdp_own_path().map { String(cString: $0) }, "/proc/self/exe"]
    var directories: [String] = []
    for case let path? in paths {
      guard let canonical = try? Files.canonical(path) else { continue }
      let directory = Path.directory(of: canonical)
      if !directories.contains(where: { $0.hasSameBytes(as: directory) }) { directories.append(directory) }
    }
    return directories
  }
}
