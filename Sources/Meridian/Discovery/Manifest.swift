// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What a file `*.meridian.json` says of a plug-in; docs/manifest.md describes each key.
struct Manifest: Equatable, Sendable {
  /// One build of the plug-in.
  struct Library: Equatable, Sendable {
    /// "linux-x86_64"
    let platform: String
    /// "baseline", "x86-64-v3", ...
    let cpuLevel: String
    /// Relative to the manifest's directory.
    let path: String
  }

  /// The newest `manifest_version` that this host reads.
  static let newestVersion = 1

  let id: String
  let shortID: String
  let name: String
  let version: String
  let license: String
  /// The lowest ABI version that the plug-in needs, as MRD_MAKE_ABI.
  let abi: UInt32
  let operations: [String]
  let libraries: [Library]
  let requires: String
}

/// Why a manifest is not accepted.
struct ManifestError: Error, Equatable, Sendable {
  let reason: Reason
  let message: String
}

extension Manifest {
  /// Reads a manifest. Unknown keys are ignored; a newer version is refused before anything else is looked at.
  static func read(_ bytes: [UInt8]) throws(ManifestError) -> Manifest {
    let root: JSON
    do {
      root = try JSONReader.read(bytes)
    } catch {
      throw ManifestError(reason: .malformedManifest, message: error.message)
    }
    let fields = ManifestFields(bytes: bytes, object: root, path: "the manifest")
    try checkVersion(fields)
    let id = try fields.identifier("id")
    return Manifest(
      id: id,
      shortID: try fields.has("short_id") ? fields.identifier("short_id") : Kernel.shortID(of: id),
      name: try fields.text("name"), version: try fields.text("version"), license: try fields.text("license"),
      abi: try fields.abi("abi"), operations: try fields.texts("operations"),
      libraries: try fields.objects("libraries").mapThrowing(library), requires: try fields.text("requires", or: ""))
  }

  private static func checkVersion(_ fields: ManifestFields) throws(ManifestError) {
    let version = try fields.wholeNumber("manifest_version")
    if version > newestVersion {
      throw ManifestError(
        reason: .newerManifest, message: "manifest_version \(version); this host reads up to \(newestVersion)")
    }
    if version < 1 { throw try fields.error("manifest_version", "must be at least 1") }
  }

  private static func library(_ fields: ManifestFields) throws(ManifestError) -> Library {
    Library(
      platform: try fields.text("platform"), cpuLevel: try fields.text("cpu", or: "baseline"),
      path: try fields.text("path"))
  }
}

/// The members of one object of a manifest, asked for by key.
struct ManifestFields {
  let bytes: [UInt8]
  let object: JSON
  /// "libraries[2]", for messages.
  let path: String

  func has(_ key: String) throws(ManifestError) -> Bool { try value(key) != nil }

  func text(_ key: String, or standard: String? = nil) throws(ManifestError) -> String {
    guard let value = try value(key) else {
      if let standard { return standard }
      throw try error(key, "is missing")
    }
    return try text(value, key)
  }

  /// An id: letters, digits, dots, hyphens and underscores, so that it can stand in rules and in paths.
  func identifier(_ key: String) throws(ManifestError) -> String {
    let text = try text(key)
    guard isIdentifier(text) else {
      throw try error(key, "must be of letters, digits, '.', '-' and '_', and at most 128 long")
    }
    return text
  }

  func texts(_ key: String) throws(ManifestError) -> [String] {
    try array(key).mapThrowing { (value) throws(ManifestError) in try text(value, key) }
  }

  func objects(_ key: String) throws(ManifestError) -> [ManifestFields] {
    var number = 0
    return try array(key).mapThrowing { (value) throws(ManifestError) in
      let fields = ManifestFields(bytes: bytes, object: value, path: "\(key)[\(number)]")
      number += 1
      return fields
    }
  }

  func wholeNumber(_ key: String) throws(ManifestError) -> Int {
    guard let value = try value(key) else { throw try error(key, "is missing") }
    guard case .number(let number) = value.content, let whole = Int(exactly: number) else {
      throw try error(key, "must be a whole number")
    }
    return whole
  }

  /// "0.1" as MRD_MAKE_ABI(0, 1).
  func abi(_ key: String) throws(ManifestError) -> UInt32 {
    let parts = try text(key).pieces(at: ".", keepingEmpty: true).map { UInt16($0) }
    guard parts.count == 2, let major = parts[0], let minor = parts[1] else {
      throw try error(key, "must be a text such as \"0.1\"")
    }
    return UInt32(major) << 16 | UInt32(minor)
  }

  func error(_ key: String, _ reason: String) throws(ManifestError) -> ManifestError {
    malformed(try value(key) ?? object, "\(key) \(reason)")
  }

  private func text(_ value: JSON, _ key: String) throws(ManifestError) -> String {
    guard case .string(let text) = value.content, !text.utf8.contains(0) else {
      throw malformed(value, "\(key) must be a text without NUL")
    }
    return text
  }

  private func array(_ key: String) throws(ManifestError) -> [JSON] {
    guard let value = try value(key) else { throw try error(key, "is missing") }
    guard case .array(let items) = value.content else { throw malformed(value, "\(key) must be a list") }
    return items
  }

  private func value(_ key: String) throws(ManifestError) -> JSON? {
    guard case .object(let members) = object.content else { throw malformed(object, "must be an object") }
    return members.first { $0.key.hasSameBytes(as: key) }?.value
  }

  private func malformed(_ value: JSON, _ reason: String) -> ManifestError {
    let position = JSON.Position(of: value.offset, in: bytes)
    return ManifestError(
      reason: .malformedManifest, message: JSONError(position: position, reason: "\(path): \(reason)").message)
  }
}

extension Array {
  /// `map` with a typed error, which `rethrows` does not carry in every mode.
  func mapThrowing<R, E: Error>(_ transform: (Element) throws(E) -> R) throws(E) -> [R] {
    var result: [R] = []
    result.reserveCapacity(count)
    for element in self { result.append(try transform(element)) }
    return result
  }
}

/// True when this host serves a plug-in that needs `abi` at least: 0.x exactly, later any minor version up to ours.
func servesABI(_ abi: UInt32) -> Bool {
  let ours = UInt32(MRD_ABI_VERSION)
  if ours >> 16 == 0 { return abi == ours }
  return abi >> 16 == ours >> 16 && abi <= ours
}
