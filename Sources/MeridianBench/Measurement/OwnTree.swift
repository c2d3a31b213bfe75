// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Files that came with this command: beside it in a build folder, or elsewhere in the tree that it is installed in.
package enum OwnTree {
  /// The first of the names, relative to the folder of the executable, that is a readable file; nil = none is.
  package static func file(_ names: [String]) -> String? {
    guard let folder else { return nil }
    return names.lazy.map { "\(folder)/\($0)" }.first { access($0, R_OK) == 0 }
  }

  private static var folder: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    guard length > 0 else { return nil }
    let executable = String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return executable.lastIndex(of: "/").map { String(executable[..<$0]) }
  }
}
