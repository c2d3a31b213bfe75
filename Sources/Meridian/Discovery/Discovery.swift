// SPDX-License-Identifier: Apache-2.0

/// Finds manifests and the library that each has for this machine. Loads nothing.
///
/// The outcome depends on the search path and on what lies there, never on the order in which the file system lists it:
/// the first accepted manifest of an id wins, inside a directory by the bytes of the file names.
struct Discovery {
  private let trust: Trust
  private let machine: Machine
  private(set) var kernels: [Kernel] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Canonical paths that were searched; a directory that two entries lead to is searched once.
  private var searched: [String] = []

  /// - Parameter diagnostics: what was noted before the search.
  init(user: UInt32, machine: Machine, _ diagnostics: [Diagnostic] = []) {
    trust = Trust(user: user)
    self.machine = machine
    self.diagnostics = diagnostics
  }

  mutating func search(_ path: SearchPath) {
    diagnostics += path.diagnostics
    for entry in path.entries { search(entry) }
    kernels.sort { $0.comesBefore($1) }
  }

  // MARK: - Directories

  private mutating func search(_ entry: SearchEntry) {
    let canonical: String
    let status: FileStatus
    do {
      canonical = try Files.canonical(entry.path)
      status = try Files.status(canonical)
    } catch {
      note(error.isMissing ? .notFound : .io, entry.path, "\(error.message) (\(entry.origin))")
      return
    }
    if searched.contains(where: { $0.hasSameBytes(as: canonical) }) { return }
    searched.append(canonical)
    if let objection = trust.objection(to: entry.path) {
      note(objection.reason, entry.path, "\(objection.message) (\(entry.origin))")
      return
    }
    if status.kind == .directory {
      for name in manifestNames(in: canonical) { consider(Path.join(canonical, name), root: canonical) }
    } else {
      consider(canonical, root: Path.directory(of: canonical))
    }
  }

  /// Manifests in a directory and in the directories below it, relative to it, in order.
  private mutating func manifestNames(in directory: String) -> [String] {
    var found: [String] = []
    for name in names(in: directory) where name.utf8.first != UInt8(ascii: ".") {
      if name.endsWithBytes(of: Self.suffix) {
        found.append(name)
      } else if isDirectory(Path.join(directory, name), root: directory) {
        found += names(in: Path.join(directory, name)).filter { $0.endsWithBytes(of: Self.suffix) }
          .map { Path.join(name, $0) }
      }
    }
    return found
  }

  private static let suffix = ".meridian.json"

  private mutating func names(in directory: String) -> [String] {
    do {
      return try Files.names(in: directory)
    } catch {
      note(.io, directory, error.message)
      return []
    }
  }

  /// True for a directory; a link to one counts, and is refused here when it leads out of the root.
  private mutating func isDirectory(_ path: String, root: String) -> Bool {
    guard let status = try? Files.status(path) else { return false }
    guard status.kind == .link else { return status.kind == .directory }
    guard let target = try? Files.canonical(path), let inside = try? Files.status(target), inside.kind == .directory
    else { return false }
    if Path.contains(root, target) { return true }
    note(.linkLeavesRoot, path, "leads to \(target), out of \(root)")
    return false
  }

  // MARK: - Manifests

  private mutating func consider(_ path: String, root: String) {
    do throws(LoadFailure) {
      let manifest = try readManifest(path, root: root)
      guard servesABI(manifest.abi) else {
        throw LoadFailure(
          .wrongABI, "\(manifest.id) needs ABI \(abiText(manifest.abi)), this host speaks \(hostABIText)")
      }
      let (library, level) = try chooseLibrary(of: manifest, beside: path, root: root)
      accept(Kernel(manifest, at: path, library: library, cpuLevel: level))
    } catch {
      note(error.reason, path, error.message)
    }
  }

  private func readManifest(_ path: String, root: String) throws(LoadFailure) -> Manifest {
    let canonical = try resolve(path)
    guard Path.contains(root, canonical) else {
      throw LoadFailure(.linkLeavesRoot, "leads to \(canonical), out of \(root)")
    }
    if let objection = trust.objection(to: path) { throw objection }
    let bytes: [UInt8]
    do {
      bytes = try Files.read(canonical, limit: JSONReader.maximumSize)
    } catch {
      throw LoadFailure(.io, error.message)
    }
    do {
      return try Manifest.read(bytes)
    } catch {
      throw LoadFailure(error.reason, error.message)
    }
  }

  private mutating func accept(_ kernel: Kernel) {
    if let first = kernels.first(where: { $0.id == kernel.id }) {
      note(.shadowed, kernel.manifest, "\(kernel.id) was found before, at \(first.manifest)")
      return
    }
    kernels.append(kernel)
    note(.accepted, kernel.manifest, "\(kernel.id) \(kernel.version), \(kernel.cpuLevel), \(kernel.library)")
  }

  // MARK: - Libraries

  /// The canonical path of the best library that this machine runs, and its CPU level. A better one that is refused is
  /// noted, and the next is taken.
  private mutating func chooseLibrary(
    of manifest: Manifest, beside path: String, root: String
  ) throws(LoadFailure) -> (path: String, level: String) {
    let here = manifest.libraries.filter { $0.platform == machine.platform }
    guard !here.isEmpty else {
      let offered = manifest.libraries.map { $0.platform }.listed
      throw LoadFailure(.wrongPlatform, "no library for \(machine.platform); there are \(offered)")
    }
    var refusals: [LoadFailure] = []
    for level in machine.levels {
      for library in here where library.cpuLevel == level {
        do throws(LoadFailure) {
          let canonical = try check(library, beside: path, root: root)
          for refusal in refusals { note(refusal.reason, path, refusal.message) }
          return (canonical, level)
        } catch {
          refusals.append(LoadFailure(error.reason, "\(library.path) (\(level)): \(error.message)"))
        }
      }
    }
    if let last = refusals.popLast() {
      for refusal in refusals { note(refusal.reason, path, refusal.message) }
      throw last
    }
    let offered = here.map { $0.cpuLevel }.listed
    throw LoadFailure(.cpuLevel, "no library for CPU levels \(machine.levels.listed); there are \(offered)")
  }

  private func check(
    _ library: Manifest.Library, beside manifest: String, root: String
  ) throws(LoadFailure) -> String {
    guard !library.path.isEmpty, !Path.isAbsolute(library.path),
      !Path.components(library.path).contains(where: { $0.hasSameBytes(as: "..") })
    else { throw LoadFailure(.libraryLeavesManifest, "must be relative to the manifest and stay beside it") }
    let directory = try resolve(Path.directory(of: try resolve(manifest)))
    let path = Path.join(directory, library.path)
    let canonical = try resolve(path)
    guard Path.contains(root, canonical) else {
      throw LoadFailure(.linkLeavesRoot, "leads to \(canonical), out of \(root)")
    }
    guard Path.contains(directory, canonical) else {
      throw LoadFailure(.libraryLeavesManifest, "leads to \(canonical), out of \(directory)")
    }
    try trust.admitLibrary(path)
    return canonical
  }

  private func resolve(_ path: String) throws(LoadFailure) -> String {
    do {
      return try Files.canonical(path)
    } catch {
      throw LoadFailure(error.isMissing ? .notFound : .io, "\(path): \(error.message)")
    }
  }

  private mutating func note(_ reason: Reason, _ path: String, _ message: String) {
    diagnostics.append(Diagnostic(reason, path, message))
  }
}

extension Trust {
  /// Refuses a library that is no regular file or that others may have changed.
  func admitLibrary(_ path: String) throws(LoadFailure) {
    let status: FileStatus
    do {
      status = try Files.status(try Files.canonical(path))
    } catch {
      throw LoadFailure(error.isMissing ? .notFound : .io, "\(path): \(error.message)")
    }
    guard status.kind == .regular else { throw LoadFailure(.notAbsoluteRegular, "\(path) is not a regular file") }
    if let objection = objection(to: path) { throw objection }
  }
}

extension Kernel {
  init(_ manifest: Manifest, at path: String, library: String, cpuLevel: String) {
    self.init(
      id: manifest.id, shortID: manifest.shortID, name: manifest.name, version: manifest.version,
      license: manifest.license, operations: manifest.operations, manifest: path, library: library, cpuLevel: cpuLevel,
      requires: manifest.requires, isLoaded: false)
  }

  /// The default order of preference: our own kernels, which have no library below them, then those that know the
  /// ellipsoid, topology, storage, then all others by id.
  func comesBefore(_ other: Kernel) -> Bool {
    if defaultRank != other.defaultRank { return defaultRank < other.defaultRank }
    return id.utf8.lexicographicallyPrecedes(other.id.utf8)
  }

  private var defaultRank: Int {
    let order = ["meridian.native", "meridian.proj", "meridian.geos", "meridian.sqlite"]
    return order.firstIndex(of: id) ?? order.count
  }
}
