// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Synchronization

/// The temporary files that exist now, so that a signal handler can remove them. When more exist than there are slots,
/// the handler does not know the last ones.
public enum TemporaryFiles {
  private static let slotCount = 64
  private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)
    for index in 0..<slotCount { (slots + index).initialize(to: Slot()) }
    return slots
  }()
  /// Orders those who add and remove; the handler goes without. Holds who is told of each file that is made.
  private static let writers = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Makes the memory, so that a handler finds it.
  public static func prepare() { _ = slots }

  public static func add(_ path: String) {
    writers.withLock { listener in
      listener?(path)
      for index in 0..<slotCount where slots[index].take(path) { return }
    }
  }

  /// Has the path of every file that is made told from now on, for a run whose leftovers a later run removes; nil = nobody.
  public static func tell(_ listener: (@Sendable (String) -> Void)?) { writers.withLock { $0 = listener } }

  public static func remove(_ path: String) {
    writers.withLock { _ in
      for index in 0..<slotCount where slots[index].release(path) { return }
    }
  }

  /// Only what a signal handler may do.
  public static func unlinkAll() {
    for index in 0..<slotCount { slots[index].unlinkFile() }
  }
}

/// One path, in memory that stays for ever: a handler may be reading it.
private struct Slot: ~Copyable {
  private let isTaken = Atomic(false)
  private let path = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PATH_MAX))

  /// False when the slot is taken, or the path is longer than that of any file.
  borrowing func take(_ text: String) -> Bool {
    let count = text.utf8.count
    guard !isTaken.load(ordering: .relaxed), count < Int(PATH_MAX) else { return false }
    text.withCString { path.initialize(from: $0, count: count + 1) }
    isTaken.store(true, ordering: .releasing)
    return true
  }

  /// False when the slot does not hold this path.
  borrowing func release(_ text: String) -> Bool {
    guard isTaken.load(ordering: .relaxed), strcmp(path, text) == 0 else { return false }
    isTaken.store(false, ordering: .releasing)
    return true
  }

  borrowing func unlinkFile() {
    if isTaken.load(ordering: .acquiring) { unlink(path) }
  }
}
