// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// All bytes of a file that is read as one piece: settings and reports, no data. "-" = standard input.
package func readWholeFile(_ file: String) throws(FormatError) -> [UInt8] {
  /// Whatever is larger was named by mistake.
  let largest = 1 << 30
  let descriptor = file == "-" ? 0 : mrdp_open(file, O_RDONLY | O_CLOEXEC, 0)
  guard descriptor >= 0 else { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
  defer { if descriptor != 0 { close(descriptor) } }
  var bytes: [UInt8] = []
  var window = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = CPlatform.read(descriptor, &window, window.count)
    if count < 0 && mrdp_errno() == EINTR { continue }
    guard count >= 0 else { throw FormatError(file: file, reason: "reading failed: " + systemMessage(mrdp_errno())) }
    if count == 0 { return bytes }
    bytes += window[..<count]
    guard bytes.count <= largest else { throw FormatError(file: file, reason: "too large to be read as one piece") }
  }
}
