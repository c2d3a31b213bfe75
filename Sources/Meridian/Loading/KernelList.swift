// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension Kernel {
  /// The facts of a plug-in that was registered from a static table.
  init(registered plugin: LoadedPlugin) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    let table = plugin.plugin.pointee
    self.init(
      id: plugin.id, shortID: Kernel.shortID(of: plugin.id), name: text(table.name), version: text(table.version),
      license: text(table.license), operations: Operation.all.filter { plugin.info($0) != nil }.map { $0.fullName },
      manifest: "", library: "", cpuLevel: "", requires: "", isLoaded: true)
  }

  /// The last component of an id: "geos" of "meridian.geos".
  static func shortID(of id: String) -> String { id.pieces(at: ".").last ?? id }
}

extension [KnownKernel] {
  /// Refuses rules that name kernels which are not there.
  func checkNames(in rules: Rules) throws(MeridianError) {
    for rule in rules.names { _ = try resolve(rule.kernel) }
    if case .kernels(let names) = rules.preference {
      for name in names { _ = try resolve(name) }
    }
  }

  /// Keeps what came of loading a kernel.
  mutating func setState(_ state: KnownKernel.State, of id: String) {
    guard let at = firstIndex(where: { $0.kernel.id == id && !$0.isRegistered }) else { return }
    self[at].state = state
    if case .loaded = state { self[at].kernel.isLoaded = true }
  }

  /// Adds a registered kernel behind those registered earlier and before all that discovery found. A discovered kernel
  /// of its id is shadowed; registering one table twice changes nothing.
  mutating func insert(_ known: KnownKernel, noting diagnostics: inout [Diagnostic]) throws(MeridianError) {
    if let at = firstIndex(where: { $0.kernel.id == known.kernel.id }) {
      if self[at].isRegistered {
        if self[at].isSameTable(as: known) { return }
        throw MeridianError(.argument, "register: another table with the id '\(known.kernel.id)' is registered")
      }
      diagnostics.append(
        Diagnostic(.shadowed, self[at].kernel.manifest, "a registered table has the id '\(known.kernel.id)'"))
      remove(at: at)
    }
    insert(known, at: firstIndex { !$0.isRegistered } ?? count)
  }
}

extension KnownKernel {
  fileprivate func isSameTable(as other: KnownKernel) -> Bool {
    guard case .loaded(let mine) = state, case .loaded(let theirs) = other.state else { return false }
    return mine.plugin == theirs.plugin
  }
}
