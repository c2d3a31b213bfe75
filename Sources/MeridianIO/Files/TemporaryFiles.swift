// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// The temporary files that exist now, so that a signal handler can remove them: fixed memory, no allocation.
public enum TemporaryFiles {
  private static let slots = 8
  private nonisolated(unsafe) static let paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = {
    let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: slots)
    paths.initialize(repeating: nil, count: slots)
    return paths
  }()

  /// Makes the memory, so that a handler finds it.
  public static func prepare() { _ = paths }

  public static func add(_ path: String) {
    guard let slot = (0..<slots).first(where: { paths[$0] == nil }) else { return }
    paths[slot] = strdup(path)
  }

  /// The text's memory stays: a handler may be reading it.
  public static func remove(_ path: String) {
    for slot in 0..<slots {
      if let known = paths[slot], strcmp(known, path) == 0 { paths[slot] = nil }
    }
  }

  /// Only what a signal handler may do.
  public static func unlinkAll() {
    for slot in 0..<slots {
      if let path = paths[slot] { unlink(path) }
    }
  }
}
