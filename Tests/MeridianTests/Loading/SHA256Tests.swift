// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Meridian

/// The examples of FIPS 180-4, in one piece and in pieces of every small size.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 10_000), "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"),
  ])
  func examples(_ text: String, _ digest: String) {
    let bytes = Array(text.utf8)
    for size in [1, 7, 55, 56, 63, 64, 65, 128, 20_000] {
      var hash = SHA256()
      var at = 0
      while at < bytes.count {
        let end = min(at + size, bytes.count)
        bytes[at..<end].withUnsafeBytes { hash.update($0) }
        at = end
      }
      #expect(hash.finish() == digest, "pieces of \(size)")
    }
  }
}
