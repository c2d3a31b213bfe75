// SPDX-License-Identifier: Apache-2.0

/// A kernel that a host knows, as its manifest or its static table describes it.
public struct Kernel: Equatable, Sendable {
  /// "meridian.geos"
  public let id: String
  /// "geos"
  public let shortID: String
  public let name: String
  public let version: String
  /// SPDX expression.
  public let license: String
  /// Names of the operations that the manifest gives, those that this host does not know included.
  public let operations: [String]
  /// Path of the manifest, "" when registered from a table.
  public let manifest: String
  /// Path of the library that would be or was loaded, "" when registered from a table.
  public let library: String
  /// "baseline", "x86-64-v3", ...; "" when registered from a table.
  public let cpuLevel: String
  /// What must be installed for the library to load ("libgeos-c1v5"), "" when nothing or not said.
  public let requires: String
  /// True when its library is in the process.
  public internal(set) var isLoaded: Bool

  /// By its id, or by its short id, which another kernel may have as well: see `Host.kernel(named:)`.
  package func isNamed(_ name: String) -> Bool { id == name || shortID == name }
}

/// A kernel with what came of loading it.
struct KnownKernel: Sendable {
  enum State: Sendable {
    case untouched
    case loaded(LoadedPlugin)
    case failed(LoadFailure)
  }

  var kernel: Kernel
  /// Those of `kernel.operations` that this host knows.
  let operations: [Operation]
  var state: State

  init(_ kernel: Kernel, state: State = .untouched) {
    self.kernel = kernel
    self.state = state
    operations = Operation.all.filter { kernel.operations.contains($0.fullName) }
  }

  func offers(_ operation: Operation) -> Bool { operations.contains(operation) }

  func isNamed(_ name: String) -> Bool { kernel.isNamed(name) }

  /// Registered from a static table; such kernels come before all that discovery found.
  var isRegistered: Bool { kernel.manifest.isEmpty }
}

extension [KnownKernel] {
  /// The kernel that an id or a short id names.
  func resolve(_ name: String) throws(MeridianError) -> KnownKernel {
    if let exact = first(where: { $0.kernel.id == name }) { return exact }
    let short = filter { $0.kernel.shortID == name }
    guard let found = short.first else {
      throw MeridianError(.notFound, "there is no kernel '\(name)'; there are: \(map { $0.kernel.shortID }.listed)")
    }
    guard short.count == 1 else {
      throw MeridianError(.argument, "'\(name)' may be any of \(short.map { $0.kernel.id }.listed)")
    }
    return found
  }
}
