// SPDX-License-Identifier: Apache-2.0
import CIsolation
import CPlatform
import Meridian
import MeridianIO

/// What a worker process is started with.
public struct WorkerSetup: Sendable {
  /// How it finds kernels: as the process does that starts it.
  public var host = Host.Options()
  /// Rules of the command line, in order.
  public var rules: [String] = []
  /// Bytes of address space that it gets; 0 = no limit.
  public var memoryLimit = 0
  /// Seconds that a call may take; 0 = no limit. A call of many rows that takes longer is cut until it is one row.
  public var timeLimit = 0.0

  public init() {}
}

/// One worker: this executable again, which loads kernels and answers calls until it is ended or its channel is closed.
final class WorkerProcess {
  /// What is said over the channel: whether it went well, and how many bytes of the shared memory are meant.
  private struct Word: BitwiseCopyable {
    var kind: Int64
    var count: Int64
  }

  enum Reply {
    /// An answer of so many bytes, in the memory for results.
    case answer(Int)
    case error(Int)
    /// The process is gone, or was ended because its time was over.
    case gone(Fault)
    /// The user stopped the job.
    case interrupted
  }

  static let verb = "__worker"
  private static let isAnswer: Int64 = 0
  private static let isError: Int64 = 1
  /// Milliseconds between looks at whether the user stopped the job.
  private static let patience: Int32 = 50

  private let process: Int32
  private let channel: Int32
  private var hasEnded = false

  init(request: SharedBlock, result: SharedBlock) throws(MeridianError) {
    var (own, others, child) = (Int32(-1), Int32(-1), Int32(0))
    var failure = mrdi_channel(&own, &others)
    if failure == 0 {
      failure = mrdi_start_worker(Self.verb, others, request.descriptor, result.descriptor, &child)
      close(others)
    }
    (process, channel) = (child, own)
    guard failure == 0 else {
      hasEnded = true
      throw MeridianError(.io, "a worker process cannot be started: \(systemMessage(failure))")
    }
  }

  deinit {
    end()
    close(channel)
  }

  /// Ends the process, whatever it does; nil = it was ended before.
  /// - Parameter patience: milliseconds in which it may end by itself.
  @discardableResult
  func end(patience: Int32 = 0) -> mrdi_end? {
    guard !hasEnded else { return nil }
    hasEnded = true
    return mrdi_end_process(process, patience)
  }

  /// Has what was written into the memory for requests done.
  /// - Parameter timeLimit: seconds; 0 = none.
  func ask(_ count: Int, timeLimit: Double) -> Reply {
    var word = Word(kind: 0, count: Int64(count))
    guard mrdi_send(channel, &word, Int64(MemoryLayout<Word>.size)) == 1 else { return gone() }
    let deadline = timeLimit > 0 ? now() + timeLimit : .infinity
    while mrdi_wait(channel, Self.patience) == 0 {
      if Interrupt.isSet {
        end()
        return .interrupted
      }
      if now() > deadline {
        end()
        let limit = JSONText.numberText(timeLimit)
        return .gone(Fault(.timedOut, "the kernel took longer than \(limit) s, and was ended"))
      }
    }
    guard mrdi_receive(channel, &word, Int64(MemoryLayout<Word>.size)) == 1 else { return gone() }
    return word.kind == Self.isAnswer ? .answer(Int(word.count)) : .error(Int(word.count))
  }

  private func gone() -> Reply {
    // Its channel is closed a moment before a process has ended; only then it says how it ended.
    .gone(end(patience: 2000).map { Fault($0) } ?? Fault(.crashed, "the kernel's process is gone"))
  }

  // MARK: - The other end

  /// The next request's bytes; nil = nobody asks any more.
  static func nextRequest() -> Int? {
    var word = Word(kind: 0, count: 0)
    guard mrdi_receive(Int32(MRDI_CHANNEL), &word, Int64(MemoryLayout<Word>.size)) == 1 else {
      return nil
    }
    return Int(word.count)
  }

  static func reply(isError: Bool, _ count: Int) {
    var word = Word(kind: isError ? Self.isError : isAnswer, count: Int64(count))
    _ = mrdi_send(Int32(MRDI_CHANNEL), &word, Int64(MemoryLayout<Word>.size))
  }
}
