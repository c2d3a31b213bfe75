// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A shared library that was brought into the process for good.
struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer

  /// `path` is canonical and absolute, never a bare name that the loader would search for. All symbols are bound now,
  /// so that a missing one is found here and not in the middle of a call; none is offered to other libraries; and
  /// nothing is ever unloaded, because tables, threads and thread-locals of it may live on.
  init(path: String) throws(LoadFailure) {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | mrdp_rtld_nodelete()) else {
      throw LoadFailure(.loadFailed, "dlopen: " + Self.lastError)
    }
    self.handle = handle
  }

  /// The address of a symbol, or the loader's words for its absence.
  func symbol(_ name: String) throws(LoadFailure) -> UnsafeMutableRawPointer {
    guard let address = dlsym(handle, name) else {
      throw LoadFailure(.noEntry, "dlsym: " + Self.lastError)
    }
    return address
  }

  private static var lastError: String { dlerror().map { String(cString: $0) } ?? "no reason given" }
}
