// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianIO

/// Ctrl-C and termination signals: they set the word that kernels poll, so that work ends in order, temporary files go
/// and the process answers 130. A read that waits for standard input, or a kernel that does not listen, gets a few
/// seconds; then, or at a second signal, the process ends at once.
public enum Interrupt {
  /// Seconds from the signal to the end of the process, whatever it is doing then.
  private static let patience: UInt32 = 3
  /// Non-zero = stop. A plain word in memory of its own: the handler may do no more than store it.
  private nonisolated(unsafe) static let word: UnsafeMutablePointer<UInt32> = {
    let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    word.initialize(to: 0)
    return word
  }()

  /// The cancel word for calls of the host.
  public static var cancelWord: UnsafePointer<UInt32> { UnsafePointer(word) }
  public static var isSet: Bool { mrdp_load_relaxed(word) != 0 }

  /// Installs the handlers; a broken pipe becomes the error EPIPE instead of a signal. Called once, by the command.
  public static func install() {
    word.pointee = 0  // The lazy memory exists before a handler touches it.
    TemporaryFiles.prepare()
    signal(SIGPIPE) { _ in }
    // A signal that the process was started to ignore (nohup, jobs in the background) stays ignored.
    for number in [SIGINT, SIGTERM, SIGHUP] where mrdp_is_ignored(number) == 0 {
      signal(number) { _ in
        if Interrupt.word.pointee != 0 { Interrupt.end() }
        Interrupt.word.pointee = 1
        _ = alarm(Interrupt.patience)
      }
    }
    signal(SIGALRM) { _ in Interrupt.end() }
  }

  /// Throws when the user has stopped the job.
  public static func check() throws(JobError) {
    if isSet { throw .interrupted }
  }

  /// Only what a signal handler may do.
  private static func end() -> Never {
    TemporaryFiles.unlinkAll()
    _exit(130)
  }
}
