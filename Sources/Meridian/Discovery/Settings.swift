// SPDX-License-Identifier: Apache-2.0

/// What options, environment and configuration file say together. Options win over the environment.
struct Settings {
  private let options: Host.Options
  private let surroundings: Surroundings

  init(_ options: Host.Options, _ surroundings: Surroundings) {
    self.options = options
    self.surroundings = surroundings
  }

  /// This machine, held to the level that MERIDIAN_CPU_LEVEL or the options force.
  func machine() throws(MeridianError) -> Machine {
    let forced = options.cpuLevel ?? variable("MERIDIAN_CPU_LEVEL").flatMap { $0.utf8.isEmpty ? nil : $0 }
    guard let level = forced else { return surroundings.machine }
    return try surroundings.machine.limited(to: level)
  }

  /// The pin file of the options or of MERIDIAN_PIN_FILE. One that cannot be read is an error, never no pins.
  func pinFile(_ trust: Trust) throws(MeridianError) -> PinFile? {
    guard let path = options.pinFile ?? variable("MERIDIAN_PIN_FILE") else { return nil }
    return try PinFile(path: path, trust: trust)
  }

  /// Rules of MERIDIAN_KERNEL, then of the configuration file: the first that says something holds. Kernels that they name
  /// may be registered later, so whether they exist is asked when the rule is used.
  /// - Parameter diagnostics: takes a note of the user's own file where nobody can get at it.
  func standingRules(noting diagnostics: inout [Diagnostic]) throws(MeridianError) -> [RuleSource] {
    var sources: [RuleSource] = []
    if let text = variable("MERIDIAN_KERNEL") { sources.append(try source(text, "MERIDIAN_KERNEL")) }
    if let (path, text) = try configuration(noting: &diagnostics) { sources.append(try source(text, path)) }
    return sources
  }

  private func source(_ text: String, _ place: String) throws(MeridianError) -> RuleSource {
    do {
      return RuleSource(rules: try RuleParser.parse(text), place: " in \(place)")
    } catch {
      throw MeridianError(error.status, "\(place): \(error.message)")
    }
  }

  /// The file of the options must be there; the user's own file need not, and where a home directory cannot be entered
  /// there is none. One that is there and cannot be read is an error: its rules would be passed over.
  private func configuration(
    noting diagnostics: inout [Diagnostic]
  ) throws(MeridianError) -> (path: String, text: String)? {
    if let path = options.configFile {
      do {
        return (path, try text(of: path))
      } catch {
        throw unreadable(path, error)
      }
    }
    guard options.discovers, !surroundings.isPrivileged, let directory = UserDirectory.config(surroundings) else {
      return nil
    }
    let path = Path.join(directory, "meridian/config")
    do {
      return (path, try text(of: path))
    } catch {
      if error.isMissing { return nil }
      if (try? Files.status(path)) != nil { throw unreadable(path, error) }
      diagnostics.append(Diagnostic(.io, path, "\(error.message) (user configuration)"))
      return nil
    }
  }

  private func text(of path: String) throws(FileError) -> String {
    String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  private func unreadable(_ path: String, _ error: FileError) -> MeridianError {
    MeridianError(.io, "configuration file \(path): \(error.message)")
  }

  /// A MERIDIAN_* variable, nil when it is unset or not to be read.
  private func variable(_ name: String) -> String? {
    guard options.discovers, options.readsEnvironment, !surroundings.isPrivileged else { return nil }
    return surroundings.variable(name)
  }
}
