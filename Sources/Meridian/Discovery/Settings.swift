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
    guard let level = options.cpuLevel ?? variable("MERIDIAN_CPU_LEVEL") else { return surroundings.machine }
    return try surroundings.machine.limited(to: level)
  }

  /// The pin file of the options or of MERIDIAN_PIN_FILE. One that cannot be read is an error, never no pins.
  func pinFile(_ trust: Trust) throws(MeridianError) -> PinFile? {
    guard let path = options.pinFile ?? variable("MERIDIAN_PIN_FILE") else { return nil }
    return try PinFile(path: path, trust: trust)
  }

  /// Rules of MERIDIAN_KERNEL, then of the configuration file: the first that says something holds. Kernels that they name
  /// may be registered later, so whether they exist is asked when the rule is used.
  func standingRules() throws(MeridianError) -> [RuleSource] {
    var sources: [RuleSource] = []
    if let text = variable("MERIDIAN_KERNEL") { sources.append(try source(text, "MERIDIAN_KERNEL")) }
    if let (path, text) = try configuration() { sources.append(try source(text, path)) }
    return sources
  }

  private func source(_ text: String, _ place: String) throws(MeridianError) -> RuleSource {
    do {
      return RuleSource(rules: try RuleParser.parse(text), place: " in \(place)")
    } catch {
      throw MeridianError(error.status, "\(place): \(error.message)")
    }
  }

  /// The file of the options must be there; the user's own file need not.
  private func configuration() throws(MeridianError) -> (path: String, text: String)? {
    let standard = options.discovers && !surroundings.isPrivileged ? UserDirectory.config(surroundings) : nil
    guard let path = options.configFile ?? standard.map({ Path.join($0, "meridian/config") }) else { return nil }
    do {
      return (path, String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self))
    } catch {
      if error.isMissing && options.configFile == nil { return nil }
      throw MeridianError(.io, "configuration file \(path): \(error.message)")
    }
  }

  /// A MERIDIAN_* variable, nil when it is unset or not to be read.
  private func variable(_ name: String) -> String? {
    guard options.discovers, options.readsEnvironment, !surroundings.isPrivileged else { return nil }
    return surroundings.variable(name)
  }
}
