// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A plug-in folder like the one that `make build` lays out, from the products beside the tests: manifests and libraries
/// of every adapter that was built. It stays as long as the process.
public enum BuiltKernels {
  public static let path: String = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "meridian-kernels-\(getpid())").path
    do {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      atexit { try? FileManager.default.removeItem(atPath: BuiltKernels.path) }
      for adapter in try FileManager.default.contentsOfDirectory(atPath: adapters).sorted() {
        try lay(adapters + "/" + adapter, into: folder)
      }
      return folder
    } catch {
      fatalError("plug-ins cannot be laid out: \(error)")
    }
  }()

  /// The names of the files in the folder.
  public static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()

  /// True when the manifest of a kernel is there and names `operation`, if one is given; an adapter may have been left
  /// out of the build.
  public static func has(_ shortID: String, _ operation: String? = nil) -> Bool {
    names.contains { name in
      guard name.hasSuffix(".meridian.json"), let text = try? String(contentsOfFile: path + "/" + name, encoding: .utf8)
      else { return false }
      return text.contains("\"short_id\": \"\(shortID)\"") && (operation.map { text.contains("\"\($0)\"") } ?? true)
    }
  }

  private static let adapters = String(#filePath.dropLast("Tests/TestSupport/BuiltKernels.swift".count)) + "Plugins"

  /// Copies the manifests of one adapter and the libraries that they name. A manifest none of whose libraries was built
  /// stays out.
  private static func lay(_ adapter: String, into folder: String) throws {
    let products = LoadedLibrary.productsFolder()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: adapter)) ?? []
    for name in names where name.hasSuffix(".meridian.json") {
      let text = try String(contentsOfFile: adapter + "/" + name, encoding: .utf8)
      let libraries = Set(text.matches(of: /[A-Za-z0-9_.-]+\.so/).map { String($0.output) })
      let built = libraries.filter { FileManager.default.fileExists(atPath: products + "/" + $0) }
      for library in built {
        try FileManager.default.copyItem(atPath: products + "/" + library, toPath: folder + "/" + library)
      }
      if !built.isEmpty { try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8) }
    }
  }
}
