// SPDX-License-Identifier: Apache-2.0

/// The help texts, made from the table of verbs.
enum HelpText {
  /// `meridian --help`.
  static var overview: String {
    let width = (Verb.all.map(\.name.count).max() ?? 0) + 2
    var lines = [
      "meridian: measure, validate, simplify, snap and index geometry with the kernels of your choice",
      "",
      "Usage: meridian VERB [OPTIONS] FILE...",
      "",
      "Verbs:",
    ]
    lines += Verb.all.map { "  " + padded($0.name, width) + $0.summary }
    lines += [
      "",
      "'meridian VERB --help' explains a verb, with examples.",
      "",
      "Formats: geojson, geojsonseq, wkt, wkb (hex or binary, EWKB too), csv (WKT or lon/lat columns), gpkg.",
      "'-' is standard input and needs --from.",
      "",
      "Exit codes: 0 fine; 1 findings (validate: invalid rows, compare: rows that differ); 2 wrong usage, or input or",
      "output that could not be read or written; 130 interrupted.",
      "",
      "Kernels are chosen by --kernel, --require and --prefer, then by MERIDIAN_KERNEL, then by the configuration file.",
      "MERIDIAN_PLUGIN_PATH adds directories with kernels; MERIDIAN_PLUGIN_ONLY replaces all others.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// `meridian VERB --help`.
  static func text(_ verb: Verb) -> String {
    var lines = [
      "meridian \(verb.name): \(verb.summary)",
      "",
      "Usage: meridian \(verb.name) [OPTIONS]" + (verb.operands.isEmpty ? "" : " " + verb.operands),
    ]
    if !verb.notes.isEmpty { lines += [""] + verb.notes }
    lines += ["", "Options:"]
    for option in verb.options {
      lines.append("  " + option.spelling)
      lines += wrapped(option.meaning, at: 108).map { "          " + $0 }
    }
    lines += ["", "Examples:"]
    for example in verb.examples { lines += ["  " + example.line, "      " + example.meaning] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `meridian GROUP --help`: the verbs of a group.
  static func group(_ word: String) -> String {
    let verbs = Verb.group(word)
    let width = (verbs.map(\.name.count).max() ?? 0) + 2
    return
      "Usage: meridian \(word) \(verbs.map { String($0.name.dropFirst(word.count + 1)) }.joined(separator: "|"))\n\n"
      + verbs.map { "  " + padded($0.name, width) + $0.summary + "\n" }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func wrapped(_ text: String, at width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
