// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Runs `work` on a new thread; nil when the system has none. The thread leaves the process's signals to the process's own
/// threads, but for those that a thread raises in itself. The caller joins or detaches it.
package func startThread(_ work: @escaping () -> Void) -> pthread_t? {
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  for own in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF] { sigdelset(&all, own) }
  pthread_sigmask(SIG_BLOCK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  let task = Unmanaged.passRetained(ThreadTask(work))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<ThreadTask>.fromOpaque(argument).takeRetainedValue().work() }
      return nil
    }, task.toOpaque())
  guard failure == 0 else {
    task.release()
    return nil
  }
  return thread
}

/// What a new thread is told.
private final class ThreadTask {
  let work: () -> Void
  init(_ work: @escaping () -> Void) { self.work = work }
}
