// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4) of bytes that come in pieces. For pin files, findings and revisions of stores.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// Bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  /// The digest of one piece.
  package static func hex(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var at = 0
    if !rest.isEmpty {
      at = min(64 - rest.count, bytes.count)
      rest.append(contentsOf: bytes[..<at])
      guard rest.count == 64 else { return }
      rest.withUnsafeBytes { compress($0, into: &state) }
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count - at >= 64 {
      compress(UnsafeRawBufferPointer(rebasing: bytes[at..<(at + 64)]), into: &state)
      at += 64
    }
    rest.append(contentsOf: bytes[at...])
  }

  /// The digest as 64 lower-case hexadecimal digits. Ends the computation.
  package mutating func finish() -> String {
    let bits = length &* 8
    var padding: [UInt8] = [0x80]
    while (rest.count + padding.count) % 64 != 56 { padding.append(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    padding.withUnsafeBytes { update($0) }
    var text = ""
    for word in state {
      for shift in stride(from: UInt32(28), through: 0, by: -4) { text += String(word >> shift & 15, radix: 16) }
    }
    return text
  }
}

/// One block of 64 bytes (FIPS 180-4, section 6.2.2).
private func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
  // The last sixteen words of the schedule are all that the next one needs.
  var words = InlineArray<16, UInt32>(repeating: 0)
  var (a, b, c, d) = (state[0], state[1], state[2], state[3])
  var (e, f, g, h) = (state[4], state[5], state[6], state[7])
  for t in 0..<64 {
    let place = t & 15
    if t < 16 {
      words[place] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: t * 4, as: UInt32.self))
    } else {
      let (early, late) = (words[(t + 1) & 15], words[(t + 14) & 15])
      let s0 = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
      let s1 = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
      words[place] = words[place] &+ s0 &+ words[(t + 9) & 15] &+ s1
    }
    let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ roundConstants[t] &+ words[place]
    let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
    (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
  }
  for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ value }
}

private func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }

/// The first 32 bits of the fractions of the cube roots of the first 64 primes.
private let roundConstants: [UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
  0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
  0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
  0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
  0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
