// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Chooses the kernel for one call. Manifests say who offers the operation; only kernels that are about to be taken
/// are loaded and asked for their declarations, except under `prefer fastest` and `prefer accurate`, which compare them.
struct Selector {
  /// In the default order of preference.
  let kernels: [KnownKernel]
  /// Rules of the call, the session, the environment, the configuration: the first that says something holds.
  let sources: [RuleSource]
  let operation: Operation
  let shape: CallShape

  /// - Parameter load: brings a kernel into the process, or says why not; asked more than once for the same kernel.
  func choose(load: (KnownKernel) -> KnownKernel.State) throws(MeridianError) -> Choice {
    let requirement = firstRule { $0.requirement(for: operation) }
    if let (naming, place) = firstRule({ $0.name(for: operation) }) {
      return try chooseNamed(naming, place, requirement?.rule, load)
    }
    return try choosePreferred(kernels, requirement?.rule, load, refused: [])
  }

  // MARK: - By name

  private func chooseNamed(
    _ naming: NameRule, _ place: String, _ requirement: RequirementRule?, _ load: (KnownKernel) -> KnownKernel.State
  ) throws(MeridianError) -> Choice {
    let named = try resolve(naming.kernel, namedBy: naming.text, place)
    switch attempt(named, requirement, load) {
    case .taken(let plugin, let info):
      return Choice(plugin: plugin, info: info, reason: "named by \(naming.text)\(place)")
    case .refused(let refusal):
      if naming.scope.operation != nil {
        throw MeridianError(
          refusal.status, "\(naming.text)\(place): \(refusal.text). Others: \(survey(named, requirement, load))")
      }
      let others = kernels.filter { $0.kernel.id != named.kernel.id }
      var choice = try choosePreferred(others, requirement, load, refused: [refusal.asNamed])
      choice.unmet = UnmetRule(rule: naming.text + place, why: refusal.text)
      return choice
    }
  }

  /// The kernel of a rule. One that is not there is told with the rule's file or variable: the user may not know of it.
  private func resolve(_ name: String, namedBy rule: String, _ place: String) throws(MeridianError) -> KnownKernel {
    do {
      return try kernels.resolve(name)
    } catch {
      throw place.isEmpty ? error : MeridianError(error.status, "\(rule)\(place): \(error.message)")
    }
  }

  // MARK: - By preference

  private func choosePreferred(
    _ candidates: [KnownKernel], _ requirement: RequirementRule?, _ load: (KnownKernel) -> KnownKernel.State,
    refused earlier: [Refusal]
  ) throws(MeridianError) -> Choice {
    var refusals = earlier
    var ranked: [Ranked] = []
    let (preference, place) = firstRule { $0.preference }.map { ($0.rule, $0.place) } ?? (nil, "")
    let comparesDeclarations = preference?.comparesDeclarations ?? false
    for candidate in try ordered(candidates, by: preference, place) {
      switch attempt(candidate, requirement, load) {
      case .refused(let refusal): refusals.append(refusal)
      case .taken(let plugin, let info): ranked.append(Ranked(plugin: plugin, info: info, preference))
      }
      if !ranked.isEmpty && !comparesDeclarations { break }
    }
    guard let best = ranked.best else { throw nobody(refusals) }
    return Choice(
      plugin: best.plugin, info: best.info, reason: reason(best, requirement, preference, refusals),
      unmet: unmet(refusals, best))
  }

  /// An order of preference is unmet when none of its kernels answers: the second instead of the first is what it means.
  private func unmet(_ refusals: [Refusal], _ best: Ranked) -> UnmetRule? {
    guard let (preference, place) = firstRule({ $0.preference }), case .kernels(let names) = preference,
      !isAskedFor(best.plugin.id, preference)
    else { return nil }
    let wanted = refusals.filter { isAskedFor($0.id, preference) }
    return UnmetRule(rule: "prefer \(names.listed)\(place)", why: wanted.map { $0.text }.joinedBySemicolon)
  }

  private func ordered(
    _ candidates: [KnownKernel], by preference: Preference?, _ place: String
  ) throws(MeridianError) -> [KnownKernel] {
    guard case .kernels(let names) = preference else { return candidates }
    var first: [KnownKernel] = []
    for name in names {
      let id = try resolve(name, namedBy: "prefer \(names.listed)", place).kernel.id
      if let candidate = candidates.first(where: { $0.kernel.id == id }) { first.append(candidate) }
    }
    return first + candidates.filter { candidate in !first.contains { $0.kernel.id == candidate.kernel.id } }
  }

  /// A fallback is said wherever somebody asked for a kernel and got another, or a kernel turned out to be broken.
  private func reason(
    _ best: Ranked, _ requirement: RequirementRule?, _ preference: Preference?, _ refusals: [Refusal]
  ) -> String {
    let wanted = refusals.filter { $0.kind == .broken || isAskedFor($0.id, preference) || $0.isNamed }
    if !wanted.isEmpty { return "fallback: " + wanted.map { $0.text }.joinedBySemicolon }
    switch preference {
    case .fastest where best.info.pointee.ns_per_coord > 0:
      return "fastest: declares \(best.info.pointee.ns_per_coord) ns a coordinate"
    case .fastest: return "by default: no kernel declares how fast it is"
    case .accurate: return "most accurate: declares \(ErrorBound.text(of: best.info.pointee, operation))"
    default: break
    }
    if let requirement { return "meets \(requirement.text)" }
    return preference == nil ? "by default" : "preferred"
  }

  private func isAskedFor(_ id: String, _ preference: Preference?) -> Bool {
    guard case .kernels(let names) = preference else { return false }
    return names.contains { name in kernels.contains { $0.kernel.id == id && $0.isNamed(name) } }
  }

  // MARK: - One candidate

  private enum Attempt {
    case taken(LoadedPlugin, UnsafePointer<mrd_op_info>)
    case refused(Refusal)
  }

  private func attempt(
    _ known: KnownKernel, _ requirement: RequirementRule?, _ load: (KnownKernel) -> KnownKernel.State
  ) -> Attempt {
    func refuse(_ kind: Refusal.Kind, _ why: String) -> Attempt {
      .refused(Refusal(id: known.kernel.id, kind: kind, text: "\(known.kernel.shortID) \(why)"))
    }
    guard known.offers(operation) else { return refuse(.notOffered, "does not offer \(operation.fullName)") }
    switch load(known) {
    case .untouched: return refuse(.broken, "was not loaded")
    case .failed(let failure): return refuse(.broken, "cannot be loaded (\(failure.message))")
    case .loaded(let plugin):
      var objections: [String] = []
      for info in plugin.declarations(of: operation) {
        guard let objection = objection(to: info.pointee, requirement) else { return .taken(plugin, info) }
        if !objections.contains(objection) { objections.append(objection) }
      }
      guard let objection = objections.joinedByOr else {
        return refuse(.broken, "names \(operation.fullName) in its manifest but does not offer it")
      }
      return refuse(.unfit, objection)
    }
  }

  /// Why a declaration does not serve the call, or nil.
  private func objection(to info: mrd_op_info, _ requirement: RequirementRule?) -> String? {
    if let objection = shape.objection(to: info, operation) { return objection }
    guard let requirement, let objection = requirement.requirement.objection(to: info, operation) else { return nil }
    return "\(objection) (\(requirement.text))"
  }

  // MARK: - Messages

  /// What the other kernels would have answered, for the error about a named one. Loads nothing that is not loaded.
  private func survey(
    _ named: KnownKernel, _ requirement: RequirementRule?, _ load: (KnownKernel) -> KnownKernel.State
  ) -> String {
    let lines = kernels.filter { $0.kernel.id != named.kernel.id }.map { other in
      guard other.offers(operation), case .loaded = other.state else {
        return "\(other.kernel.shortID) \(other.offers(operation) ? "offers" : "does not offer") \(operation.fullName)"
      }
      switch attempt(other, requirement, load) {
      case .taken: return "\(other.kernel.shortID) would do"
      case .refused(let refusal): return refusal.text
      }
    }
    return lines.isEmpty ? "none" : lines.joinedBySemicolon
  }

  private func nobody(_ refusals: [Refusal]) -> MeridianError {
    if refusals.isEmpty {
      return MeridianError(.notFound, "no kernel for \(operation.fullName): no kernel was found")
    }
    let unfit = refusals.contains { $0.kind == .unfit }
    return MeridianError(
      unfit ? .unsupported : .notFound,
      "no kernel for \(operation.fullName): \(refusals.map { $0.text }.joinedBySemicolon)")
  }

  private func firstRule<R>(_ pick: (Rules) -> R?) -> (rule: R, place: String)? {
    for source in sources {
      if let rule = pick(source.rules) { return (rule, source.place) }
    }
    return nil
  }
}
