// SPDX-License-Identifier: Apache-2.0

/// Text from files and kernels: without characters that would command a terminal, or that markup cannot hold.
package func harmless(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHarmful) else { return text }
  return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{fffd}" : $0 }))
}

/// Text inside elements and quoted attributes of HTML and XML.
package func escapedMarkup(_ words: String) -> String {
  var text = ""
  for scalar in harmless(words).unicodeScalars {
    switch scalar {
    case "&": text += "&amp;"
    case "<": text += "&lt;"
    case ">": text += "&gt;"
    case "\"": text += "&quot;"
    case "'": text += "&#39;"
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text
}

/// Control characters, those that turn the direction of writing around, and the two that are no characters.
private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
    || (0x2066...0x2069).contains(scalar.value) || (0xFFFE...0xFFFF).contains(scalar.value)
}
