// SPDX-License-Identifier: Apache-2.0
import CPlatform

@testable import Meridian

/// A directory of its own for one test, removed at the end.
final class TemporaryTree {
  let path: String

  init() {
    var template = Array("/tmp/meridian-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
    precondition(!path.isEmpty, "no temporary directory")
  }

  deinit { Self.remove(path) }

  func callAsFunction(_ relative: String) -> String { Path.join(path, relative) }

  @discardableResult func directory(_ relative: String) -> String {
    var made = path
    for component in Path.components(relative) {
      made = Path.join(made, component)
      mkdir(made, 0o755)
    }
    return made
  }

  @discardableResult func write(_ relative: String, _ text: String) -> String { write(relative, Array(text.utf8)) }

  @discardableResult func write(_ relative: String, _ bytes: [UInt8]) -> String {
    let file = self(relative)
    directory(String(relative.dropLast(Path.name(of: relative).count)))
    let descriptor = creat(file, 0o644)
    precondition(descriptor >= 0 && CPlatform.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    chmod(file, 0o644)  // whatever the umask
    return file
  }

  func link(_ relative: String, to target: String) { symlink(target, self(relative)) }

  private static func remove(_ path: String) {
    if let status = try? Files.status(path), status.kind == .directory {
      for name in (try? Files.names(in: path)) ?? [] { remove(Path.join(path, name)) }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}

/// A manifest with the members that a test cares about.
func manifest(
  id: String = "test.alpha", version: Int = 1, abi: String = "0.1", operations: [String] = ["measure.area"],
  libraries: [(platform: String, cpu: String, path: String)] = [("linux-test", "baseline", "lib.so")]
) -> String {
  let listed = libraries.map { "{\"platform\": \"\($0.platform)\", \"cpu\": \"\($0.cpu)\", \"path\": \"\($0.path)\"}" }
  return """
    {"manifest_version": \(version), "id": "\(id)", "name": "Test", "version": "1.2", "license": "MIT", "abi": "\(abi)",
     "operations": [\(operations.map { "\"\($0)\"" }.joined(separator: ", "))],
     "libraries": [\(listed.joined(separator: ", "))], "later_key": {"x": [1, 2]}}
    """
}

extension Surroundings {
  /// Nothing around: no environment, no directories, a machine of two levels that no real one is.
  static func none(_ variables: [String: String] = [:]) -> Surroundings {
    Surroundings(
      variable: { variables[$0] }, isPrivileged: false, user: geteuid(), ownDirectories: [], systemDirectories: [],
      machine: Machine(platform: "linux-test", levels: ["x86-64-v3", "baseline"]))
  }
}

extension Host {
  /// A host that searches `paths` and nothing else.
  convenience init(searching paths: [String], _ surroundings: Surroundings = .none()) throws(MeridianError) {
    var options = Options()
    options.paths = paths
    try self.init(options, in: surroundings)
  }

  var reasons: [Reason] { diagnostics.map(\.reason) }
}
