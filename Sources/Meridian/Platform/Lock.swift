// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A pthread mutex: Embedded Swift has no `Mutex`. Not recursive.
final class Lock: @unchecked Sendable {
  // On the heap by hand: a mutex may not move once it was used.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

/// A value that is only reached under its lock. Callbacks into foreign code are made outside of it.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    try lock.withLock { () throws(E) -> R in try body(&value) }
  }

  /// A copy of the value as it is now.
  var current: Value { lock.withLock { value } }
}
