// SPDX-License-Identifier: Apache-2.0

/// Base64 of RFC 4648 with padding.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    var at = 0
    while at < bytes.count {
      let rest = bytes.count - at
      let word =
        UInt32(bytes[at]) << 16 | (rest > 1 ? UInt32(bytes[at + 1]) << 8 : 0) | (rest > 2 ? UInt32(bytes[at + 2]) : 0)
      output.append(alphabet[Int(word >> 18)])
      output.append(alphabet[Int(word >> 12 & 63)])
      output.append(rest > 1 ? alphabet[Int(word >> 6 & 63)] : padding)
      output.append(rest > 2 ? alphabet[Int(word & 63)] : padding)
      at += 3
    }
  }

  /// nil for what `append` does not write.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var output: [UInt8] = []
    var at = 0
    while at < text.count {
      let isLast = at + 4 == text.count
      let pads = isLast ? (text[at + 3] != padding ? 0 : text[at + 2] != padding ? 1 : 2) : 0
      var word: UInt32 = 0
      for index in 0..<4 {
        let value = index >= 4 - pads ? 0 : values[Int(text[at + index])]
        guard value < 64 else { return nil }
        word = word << 6 | UInt32(value)
      }
      // Bits that padding cuts off are zero, so that decoding and encoding give the same text.
      guard word & (pads == 2 ? 0xffff : pads == 1 ? 0xff : 0) == 0 else { return nil }
      output.append(UInt8(word >> 16))
      if pads < 2 { output.append(UInt8(word >> 8 & 255)) }
      if pads < 1 { output.append(UInt8(word & 255)) }
      at += 4
    }
    return output
  }

  /// For each byte its value, 64 = none.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()
}
