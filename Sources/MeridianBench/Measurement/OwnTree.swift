// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianIO

/// Files that came with this command: beside it in a build folder, or elsewhere in the tree that it is installed in.
package enum OwnTree {
  /// The first of the names, relative to the folder of the executable, that is a readable file; nil = none is.
  package static func file(_ names: [String]) -> String? {
    guard let folder else { return nil }
    return names.lazy.map { "\(folder)/\($0)" }.first { access($0, R_OK) == 0 }
  }

  private static var folder: String? {
    guard let executable = ReplacementFile.linkTarget("/proc/self/exe") else { return nil }
    return executable.lastIndex(of: "/").map { String(executable[..<$0]) }
  }
}
