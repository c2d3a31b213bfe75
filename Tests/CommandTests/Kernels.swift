// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A plug-in folder like the one that `make build` lays out, from the products beside the tests.
enum Kernels {
  /// Manifests and libraries of every adapter that was built.
  static let folder: Scratch = {
    do {
      let folder = try Scratch()
      for adapter in try FileManager.default.contentsOfDirectory(atPath: Shell.root + "/Plugins").sorted() {
        try copy(adapter, to: folder)
      }
      return folder
    } catch {
      fatalError("plug-ins cannot be laid out: \(error)")
    }
  }()

  private static func copy(_ adapter: String, to folder: Scratch) throws {
    let home = Shell.root + "/Plugins/" + adapter
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    for name in names where name.hasSuffix(".meridian.json") {
      let text = try String(contentsOfFile: home + "/" + name, encoding: .utf8)
      let libraries = text.matches(of: /[A-Za-z0-9_.-]+\.so/).map { String($0.output) }
      var found = false
      for library in Set(libraries) where FileManager.default.fileExists(atPath: Shell.products + "/" + library) {
        try FileManager.default.copyItem(
          atPath: Shell.products + "/" + library, toPath: folder.path + "/" + library)
        found = true
      }
      if found { try folder.write(text, to: name) }
    }
  }

  /// What makes the command see these plug-ins and no others.
  static var environment: [String: String] {
    ["MERIDIAN_PLUGIN_ONLY": folder.path, "XDG_CONFIG_HOME": folder.path + "/none"]
  }

  /// True when the manifest of a kernel is there; an adapter may have been left out of the build.
  static func has(_ shortID: String) -> Bool {
    folder.names.contains { name in
      guard name.hasSuffix(".meridian.json"), let text = try? folder.read(name) else { return false }
      return text.contains("\"short_id\": \"\(shortID)\"")
    }
  }

  /// True when the manifest of a kernel names an operation.
  static func has(_ shortID: String, _ operation: String) -> Bool {
    folder.names.contains { name in
      guard name.hasSuffix(".meridian.json"), let text = try? folder.read(name) else { return false }
      return text.contains("\"short_id\": \"\(shortID)\"") && text.contains("\"\(operation)\"")
    }
  }
}

extension Shell {
  /// Runs `meridian` with the plug-ins of the build.
  static func withKernels(
    _ words: [String], environment: [String: String] = [:], input: String = ""
  ) throws -> Outcome {
    try meridian(
      words, environment: Kernels.environment.merging(environment) { $1 }, input: Array(input.utf8))
  }
}

extension Outcome {
  /// The lines of the output as JSON objects.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "no object: \(line)")
    }
  }

  /// The kernels that a summary in JSON names, by operation; the planar twins of a measure come after it.
  func kernels() throws -> [String: String] {
    let summary = try #require(try objects().last?["summary"] as? [String: Any], "no summary in: \(out)")
    var kernels: [String: String] = [:]
    for entry in try #require(summary["kernels"] as? [[String: String]]) {
      let operation = entry["operation"] ?? ""
      kernels[operation] = kernels[operation] ?? entry["kernel"]
    }
    return kernels
  }
}

/// The sample files.
enum Sample {
  static let countries = Shell.root + "/Examples/data/ne_110m_admin_0_countries.geojson"
  static let problems = Shell.root + "/Examples/data/problems.geojson"
}
