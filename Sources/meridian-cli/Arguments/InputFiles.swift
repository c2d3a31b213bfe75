// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianIO
import MeridianJobs

/// The files that operands and `--files-from` stand for.
enum InputFiles {
  /// Operands first, patterns among them in the order of their bytes; then the names of the list.
  static func resolve(_ operands: [String], listedIn list: String?) throws(CommandError) -> [String] {
    var files: [String] = []
    for operand in operands { files += try expand(operand) }
    guard let list else { return files }
    guard list != "-" || !operands.contains("-") else {
      throw .usage("standard input cannot be data and the list of --files-from at once")
    }
    let bytes = try job { () throws(JobError) in
      do throws(FormatError) { return try readWholeFile(list) } catch { throw JobError(error) }
    }
    let names = Self.names(bytes)
    guard !names.isEmpty else { throw .failed("\(list): the list of --files-from names no file") }
    return files + names
  }

  /// A name a line; where there is a NUL byte, a name before each of them, as `find -print0` writes.
  static func names(_ bytes: [UInt8]) -> [String] {
    let separator: UInt8 = bytes.contains(0) ? 0 : 0x0A
    return bytes.split(separator: separator).compactMap { name in
      let name = separator != 0 && name.last == 0x0D ? name.dropLast() : name
      return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
  }

  /// What a pattern of the shell that reached the command matches: in crontabs it is quoted, and a shell refuses a list that
  /// is too long. A file of exactly that name comes first.
  private static func expand(_ operand: String) throws(CommandError) -> [String] {
    guard operand.contains(where: { "*?[".contains($0) }), access(operand, F_OK) != 0 else { return [operand] }
    var found = glob_t()
    defer { globfree(&found) }
    let code = glob(operand, 0, nil, &found)
    guard code == 0 else {
      throw .failed("no file matches '\(operand)'" + (code == GLOB_NOMATCH ? "" : ": the search failed"))
    }
    return (0..<Int(found.gl_pathc)).compactMap { index in found.gl_pathv[index].map { String(cString: $0) } }
  }
}

extension Option {
  static let filesFrom = Option(
    "files-from", nil, .file("LIST"),
    meaning: "read the files that LIST names too, one a line or NUL-separated; - = standard input")
  static let rows = Option(
    "rows", nil, .integer("N", atLeast: 1), meaning: "read at most the first N rows of each layer")
  static let whereInvalid = Option(
    "where-invalid", meaning: "only rows that are not valid or could not be read; the others are left out")
}
