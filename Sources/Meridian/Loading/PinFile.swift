// SPDX-License-Identifier: Apache-2.0

/// Digests that libraries must have to be loaded: lines `sha256  library-file-name`, as `sha256sum` writes them, comments
/// after `#`. A library that is not in the file is refused, so the file is a list of all that may be loaded.
struct PinFile: Equatable, Sendable {
  struct Pin: Equatable, Sendable {
    /// 64 lower-case hexadecimal digits.
    let digest: String
    let fileName: String
  }

  let path: String
  let pins: [Pin]

  /// Reads a pin file; it must be as trustworthy as a library.
  init(path: String, trust: Trust) throws(MeridianError) {
    guard Path.isAbsolute(path) else { throw MeridianError(.argument, "pin file '\(path)': the path is not absolute") }
    if let objection = trust.objection(to: path) { throw MeridianError(.io, "pin file \(path): \(objection.message)") }
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path, limit: 1 << 20)
    } catch {
      throw MeridianError(.io, "pin file \(path): \(error.message)")
    }
    self.path = path
    pins = try Self.parse(String(decoding: bytes, as: UTF8.self), path: path)
  }

  private static func parse(_ text: String, path: String) throws(MeridianError) -> [Pin] {
    var pins: [Pin] = []
    var number = 0
    for line in text.pieces(at: "\n", keepingEmpty: true) {
      number += 1
      let words = line.words
      if words.isEmpty || words[0].startsWithBytes(of: "#") { continue }
      let digest = words[0]
      guard words.count == 2, digest.utf8.count == 64, digest.utf8.allSatisfy(isHexadecimal) else {
        throw MeridianError(.argument, "pin file \(path), line \(number): expected a SHA-256 and the name of a library")
      }
      // sha256sum marks files that it read in binary mode with a star.
      let name = words[1].utf8.first == UInt8(ascii: "*") ? String(Substring(words[1].utf8.dropFirst())) : words[1]
      pins.append(Pin(digest: lowercased(digest), fileName: name))
    }
    return pins
  }

  /// Refuses a library whose digest is not one of those that the file has for its name.
  func check(_ library: String) throws(LoadFailure) {
    let name = Path.name(of: library)
    let wanted = pins.filter { $0.fileName.hasSameBytes(as: name) }
    guard !wanted.isEmpty else { throw LoadFailure(.wrongChecksum, "\(path) has no digest for \(name)") }
    var hash = SHA256()
    do {
      try Files.readChunks(library) { (chunk) throws(FileError) in hash.update(chunk) }
    } catch {
      throw LoadFailure(.io, "\(library): \(error.message)")
    }
    let digest = hash.finish()
    guard wanted.contains(where: { $0.digest.hasSameBytes(as: digest) }) else {
      throw LoadFailure(.wrongChecksum, "\(path) has another digest for \(name) than \(digest)")
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66)
  }

  /// Of hexadecimal digits: setting bit 5 leaves digits as they are.
  private static func lowercased(_ digits: String) -> String {
    String(decoding: digits.utf8.map { $0 | 0x20 }, as: UTF8.self)
  }
}
