// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A file that holds one input after the other, for readers that want a path. fuzz/run.sh names it, and removes it.
struct ScratchFile {
  private let path = getenv("MERIDIAN_FUZZ_SCRATCH").map { String(cString: $0) } ?? ""
  private let descriptor: Int32

  init() {
    descriptor = mrdp_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "MERIDIAN_FUZZ_SCRATCH must name a file that can be written: '\(path)'")
  }

  /// Puts the bytes into the file and gives its path.
  func holding(_ bytes: UnsafeRawBufferPointer) -> String {
    let written = pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
    precondition(written == bytes.count && ftruncate(descriptor, bytes.count) == 0, "the scratch file is full")
    return path
  }
}
