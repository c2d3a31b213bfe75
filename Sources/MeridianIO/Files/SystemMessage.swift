// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// What a failed system call means to the user, in words that need no knowledge of errno names.
package func systemMessage(_ code: Int32) -> String {
  switch code {
  case ENOENT: "there is no such file or folder"
  case EACCES, EPERM: "permission denied"
  case EISDIR: "it is a directory"
  case ENOTDIR: "a part of the path is not a directory"
  case ENOSPC: "the disk is full"
  case EDQUOT: "the disk quota is used up"
  case EFBIG: "the file would become too large for the file system"
  case EPIPE: "the reader of the output has gone away"
  case EROFS: "the file system is read-only"
  case EIO: "the device reports an input/output error"
  case EMFILE, ENFILE: "too many files are open"
  case ENAMETOOLONG: "the file name is too long"
  case ENOMEM: "there is no memory for it"
  default: textOfSystem(code)
  }
}

private func textOfSystem(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
    guard let base = text.baseAddress, mrdp_error_text(code, base, text.count) == 0 else { return "error \(code)" }
    return String(cString: base)
  }
}
