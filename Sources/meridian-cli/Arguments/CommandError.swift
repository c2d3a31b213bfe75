// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO
import MeridianJobs

/// Why a verb did not get to its end.
enum CommandError: Error {
  /// The command line is wrong; the sentence says how.
  case usage(String)
  /// Something failed: a sentence with the file, the row and the reason where they are known.
  case failed(String)
  /// The user stopped it: a sentence of what was done.
  case interrupted(String)
  /// Nobody reads standard output any more: a quiet end.
  case closedPipe

  init(_ error: JobError) {
    switch error {
    case .failed(let message): self = .failed(message)
    case .argument(let message): self = .usage(message)
    case .interrupted: self = .interrupted("interrupted")
    case .closedPipe: self = .closedPipe
    }
  }
}

/// Runs work of the job layer under this layer's error type.
func job<R>(_ body: () throws(JobError) -> R) throws(CommandError) -> R {
  do { return try body() } catch { throw CommandError(error) }
}
