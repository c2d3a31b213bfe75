// SPDX-License-Identifier: Apache-2.0

/// A directory or manifest file that discovery looks at, and who named it.
struct SearchEntry: Equatable, Sendable {
  let path: String
  /// "MERIDIAN_PLUGIN_PATH", for messages.
  let origin: String
}

/// Where plug-ins are looked for, in order: explicit paths, MERIDIAN_PLUGIN_PATH, the user's data directory, next to the
/// library and the executable, the system's directories. MERIDIAN_PLUGIN_ONLY replaces all of it.
struct SearchPath {
  private(set) var entries: [SearchEntry] = []
  /// What was left out before it was looked at.
  private(set) var diagnostics: [Diagnostic] = []

  init(_ options: Host.Options, _ surroundings: Surroundings) {
    let readsVariables = options.discovers && options.readsEnvironment && !surroundings.isPrivileged
    if readsVariables, let only = surroundings.variable("MERIDIAN_PLUGIN_ONLY") {
      add(list: only, "MERIDIAN_PLUGIN_ONLY")
      return
    }
    for path in options.paths { add(path, "given by the program") }
    guard options.discovers else { return }
    if surroundings.isPrivileged {
      diagnostics.append(
        Diagnostic(
          .privilegedProcess, "",
          "the environment and the user's directories are ignored: the process runs with more "
            + "rights than its user"))
    } else {
      if readsVariables, let list = surroundings.variable("MERIDIAN_PLUGIN_PATH") {
        add(list: list, "MERIDIAN_PLUGIN_PATH")
      }
      if let data = UserDirectory.data(surroundings) { add(Path.join(data, "meridian/plugins"), "user data") }
    }
    for directory in surroundings.ownDirectories {
      for relative in ["../lib/meridian/plugins", "meridian/plugins", "plugins"] {
        add(Self.resolve(relative, from: directory), "next to the library or executable")
      }
    }
    for path in surroundings.systemDirectories { add(path, "system") }
  }

  private mutating func add(list: String, _ origin: String) {
    for path in list.pieces(at: ":", keepingEmpty: true) { add(path, origin) }
  }

  private mutating func add(_ path: String, _ origin: String) {
    guard Path.isAbsolute(path) else {
      let what = path.isEmpty ? "an empty entry" : "a relative path"
      diagnostics.append(Diagnostic(.relativePath, path, "\(what) (\(origin)); only absolute paths are searched"))
      return
    }
    entries.append(SearchEntry(path: path, origin: origin))
  }

  /// "../x" is taken from the parent by name: `directory` is canonical, and may have no such entry to walk through.
  private static func resolve(_ relative: String, from directory: String) -> String {
    guard relative.startsWithBytes(of: "../") else { return Path.join(directory, relative) }
    return Path.join(Path.directory(of: directory), String(Substring(relative.utf8.dropFirst(3))))
  }
}

/// The user's directories by the XDG base directory specification; a relative value is ignored, as it asks.
enum UserDirectory {
  static func data(_ surroundings: Surroundings) -> String? { named("XDG_DATA_HOME", ".local/share", surroundings) }
  static func config(_ surroundings: Surroundings) -> String? { named("XDG_CONFIG_HOME", ".config", surroundings) }

  private static func named(_ variable: String, _ standard: String, _ surroundings: Surroundings) -> String? {
    if let path = surroundings.variable(variable), Path.isAbsolute(path) { return path }
    guard let home = surroundings.variable("HOME"), Path.isAbsolute(home) else { return nil }
    return Path.join(home, standard)
  }
}
