// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianIO

/// Reads a layer on a thread of its own, a few batches ahead of whoever takes them, so that reading overlaps with what is
/// done to the rows. Batches come in the order of the file; memory is that of the batches that wait.
final class ReadAhead: @unchecked Sendable {
  /// What the reader gave, with what it had to say by then.
  struct Item {
    let batch: Result<FeatureBatch?, FormatError>
    let warnings: [String]
    let fractionRead: Double?

    init(reading reader: any FeatureReader, _ limit: BatchLimit) {
      do { batch = .success(try reader.next(limit)) } catch { batch = .failure(error) }
      warnings = reader.warnings
      fractionRead = reader.fractionRead
    }

    /// Nothing comes behind it.
    var isLast: Bool { if case .success(.some) = batch { false } else { true } }
  }

  /// Batches that may wait: with the one that is read and the one that is worked on, four are in memory.
  private static let depth = 2
  /// Milliseconds between looks at whether the user stopped the job; no signal ends the wait for a thread.
  private static let patience = 50

  // Used by the thread alone.
  private let reader: any FeatureReader
  private let limit: BatchLimit
  // Guarded by the mutex.
  private var waiting: [Item] = []
  private var isStopped = false
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// nil = the system has no thread for it.
  init?(_ reader: any FeatureReader, _ limit: BatchLimit) {
    self.reader = reader
    self.limit = limit
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    guard start() else { return nil }
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// The next item; after the last one there is none to ask for. Throws when the user stops the job.
  func next() throws(JobError) -> Item {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      time.tv_nsec += Self.patience * 1_000_000
      if time.tv_nsec >= 1_000_000_000 { (time.tv_sec, time.tv_nsec) = (time.tv_sec + 1, time.tv_nsec - 1_000_000_000) }
      pthread_cond_timedwait(changed, mutex, &time)
      try Interrupt.check()
    }
    defer { pthread_cond_broadcast(changed) }
    return waiting.removeFirst()
  }

  /// No more is read than the batch that is read now. It is not waited for: that may wait for standard input.
  func stop() {
    pthread_mutex_lock(mutex)
    isStopped = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  // MARK: - The thread

  /// The thread keeps this object, and with it the reader, as long as it runs.
  private func start() -> Bool {
    guard let thread = startThread({ self.readAll() }) else { return false }
    pthread_detach(thread)
    return true
  }

  private func readAll() {
    var isLast = false
    while !isLast, isWanted() {
      let item = Item(reading: reader, limit)
      isLast = item.isLast
      pthread_mutex_lock(mutex)
      waiting.append(item)
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
  }

  /// Waits until there is room for one more; false = stopped.
  private func isWanted() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.count >= Self.depth, !isStopped { pthread_cond_wait(changed, mutex) }
    return !isStopped
  }
}
