// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The plug-ins of the build, as the command sees them.
enum Kernels {
  /// What makes the command see these plug-ins and no others.
  static var environment: [String: String] {
    ["MERIDIAN_PLUGIN_ONLY": BuiltKernels.path, "XDG_CONFIG_HOME": BuiltKernels.path + "/none"]
  }

  /// True when a kernel was built and offers `operation`, if one is given.
  static func has(_ shortID: String, _ operation: String? = nil) -> Bool { BuiltKernels.has(shortID, operation) }
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
