// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Synchronization

/// The host's threads. They are made when work first needs them, and end with the pool.
///
/// Whoever brings work takes part in it, so a call finishes even when every worker is busy with other calls, and work
/// that is brought from inside a worker cannot wait for itself. Safe from any thread; after a fork the child makes
/// threads of its own.
final class WorkerPool: @unchecked Sendable {
  /// Threads that one job may use, the one that brings it included.
  let threads: Int
  /// Replaced, and the old one left alone, in a child after a fork: its locks may be held by threads that are not there.
  private var crew: Unmanaged<Crew>
  /// The process that `crew` belongs to; negative while that process replaces it.
  private let owner: Atomic<Int32>

  init(threads: Int) {
    self.threads = max(1, min(threads, 1024))
    crew = .passRetained(Crew())
    owner = Atomic(getpid())
  }

  deinit {
    guard owner.load(ordering: .acquiring) == getpid() else { return }
    crew.takeUnretainedValue().end()
    crew.release()
  }

  /// Runs `body(piece, worker)` for the pieces 0 ..< `pieces` in ascending order of their begin, on at most `limit`
  /// threads, and returns when all that began have ended. Worker 0 is the calling thread. After a piece that answers
  /// false no other piece begins; so the lowest piece that fails is the same for every number of threads.
  func run(pieces: Int, limit: Int, _ body: @escaping (_ piece: Int, _ worker: Int) -> Bool) {
    let width = min(limit, threads, pieces)
    guard width > 1 else {
      for piece in 0..<max(0, pieces) where !body(piece, 0) { return }
      return
    }
    let crew = currentCrew()
    let job = Job(pieces: pieces, helpers: width - 1, body: body)
    crew.publish(job, workers: threads - 1)
    job.takePart(worker: 0, crew)
    crew.retire(job)
  }

  private func currentCrew() -> Crew {
    let process = getpid()
    while true {
      let seen = owner.load(ordering: .acquiring)
      if seen == process { return crew.takeUnretainedValue() }
      if seen == -process {
        sched_yield()
      } else if owner.compareExchange(expected: seen, desired: -process, ordering: .acquiringAndReleasing).exchanged {
        crew = .passRetained(Crew())
        owner.store(process, ordering: .releasing)
      }
    }
  }
}

/// Work in pieces. All members are guarded by the crew's mutex.
private final class Job {
  let pieces: Int
  let body: (Int, Int) -> Bool
  var next = 0
  /// How many helpers may still join.
  var places: Int
  /// Helpers at work now.
  var helping = 0
  var stopped = false

  init(pieces: Int, helpers: Int, body: @escaping (Int, Int) -> Bool) {
    self.pieces = pieces
    self.body = body
    places = helpers
  }

  var wantsHelp: Bool { places > 0 && !stopped && next < pieces }

  /// Takes pieces until none is left.
  func takePart(worker: Int, _ crew: Crew) {
    while let piece = crew.locked({ claim() }) {
      if !body(piece, worker) { crew.locked { stopped = true } }
    }
  }

  private func claim() -> Int? {
    guard !stopped, next < pieces else { return nil }
    next += 1
    return next - 1
  }
}

/// The threads of one process, their queue and its locks.
private final class Crew {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let workArrived: UnsafeMutablePointer<pthread_cond_t>
  private let helperLeft: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [Job] = []
  private var workers: [pthread_t] = []
  private var ending = false

  init() {
    mutex = .allocate(capacity: 1)
    workArrived = .allocate(capacity: 1)
    helperLeft = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    workArrived.initialize(to: pthread_cond_t())
    helperLeft.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(workArrived, nil)
    pthread_cond_init(helperLeft, nil)
  }

  deinit {
    pthread_cond_destroy(helperLeft)
    pthread_cond_destroy(workArrived)
    pthread_mutex_destroy(mutex)
    helperLeft.deallocate()
    workArrived.deallocate()
    mutex.deallocate()
  }

  func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Offers a job to the workers, of which there are `count` from now on, or as many as the system grants.
  func publish(_ job: Job, workers count: Int) {
    locked {
      while workers.count < count, let thread = startWorker(number: workers.count + 1) { workers.append(thread) }
      jobs.append(job)
      pthread_cond_broadcast(workArrived)
    }
  }

  /// Takes a job off the queue and waits for those who still work on it.
  func retire(_ job: Job) {
    locked {
      jobs.removeAll { $0 === job }
      while job.helping > 0 { pthread_cond_wait(helperLeft, mutex) }
    }
  }

  /// Ends the threads. One of them may be the caller, when the last reference to the host goes away there.
  func end() {
    locked {
      ending = true
      pthread_cond_broadcast(workArrived)
    }
    for worker in workers {
      if pthread_equal(worker, pthread_self()) != 0 { pthread_detach(worker) } else { pthread_join(worker, nil) }
    }
    workers = []
  }

  func work(as number: Int) {
    pthread_mutex_lock(mutex)
    while !ending {
      guard let job = jobs.first(where: { $0.wantsHelp }) else {
        pthread_cond_wait(workArrived, mutex)
        continue
      }
      job.places -= 1
      job.helping += 1
      pthread_mutex_unlock(mutex)
      job.takePart(worker: number, self)
      pthread_mutex_lock(mutex)
      job.helping -= 1
      if job.helping == 0 { pthread_cond_broadcast(helperLeft) }
    }
    pthread_mutex_unlock(mutex)
  }

  private func startWorker(number: Int) -> pthread_t? { startThread { self.work(as: number) } }
}
