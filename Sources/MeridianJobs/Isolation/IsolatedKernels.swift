// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Has calls of the host made in a worker process, so that what a kernel does to its process costs one row and not the job.
///
/// The rows go over in shared memory. When a worker crashes, hangs, asks for too much memory or answers what cannot be, the
/// rows are cut in halves, each half goes to a new worker, and so on down to the row that does it, which gets a fault; the
/// answers of all others are what they would have been. For one thread at a time.
public final class IsolatedKernels {
  private let setup: WorkerSetup
  private var request: SharedBlock
  private var result: SharedBlock
  private var worker: WorkerProcess?
  /// Workers that were started; more than one = something went wrong.
  public private(set) var starts = 0

  public init(_ setup: WorkerSetup) throws(MeridianError) {
    self.setup = setup
    request = try SharedBlock()
    result = try SharedBlock()
  }

  /// The answer for all rows of `set`, and what went wrong with which row.
  func perform(
    _ call: KernelCall, _ set: GeometrySet, targets: GeometrySet? = nil, run: Run
  ) throws(MeridianError) -> (answer: KernelAnswer, faults: [Int: Fault]) {
    var faults: [Int: Fault] = [:]
    var parts: [KernelAnswer] = []
    // What is still to do, the first rows last.
    var waiting: [(first: Int, set: GeometrySet)] = [(0, set)]
    while let (first, part) = waiting.popLast() {
      switch try settle(call, part, targets, run, first) {
      case .success(let answer): parts.append(answer)
      case .failure(let failure) where part.count > 1:
        guard !call.isWhole else {
          throw MeridianError(.internalError, "\(call.name): \(failure.fault.message)")
        }
        let middle = part.count / 2
        waiting.append((first + middle, part.selecting(Array(middle..<part.count))))
        waiting.append((first, part.selecting(Array(0..<middle))))
      case .failure(let failure):
        faults[first] = failure.fault
        parts.append(call.answerOfFault(part))
      }
    }
    return (parts.isEmpty ? KernelAnswer() : .joined(parts), faults)
  }

  /// A fault on its way.
  private struct Failure: Error { let fault: Fault }

  /// One call, tried again as often as its failure deserves.
  private func settle(
    _ call: KernelCall, _ set: GeometrySet, _ targets: GeometrySet?, _ run: Run, _ first: Int
  ) throws(MeridianError) -> Result<KernelAnswer, Failure> {
    var trials = 0
    while true {
      trials += 1
      switch try attempt(call, set, targets, run, first) {
      case .success(let answer): return .success(answer)
      case .failure(let failure):
        let isDivisible = set.count > 1 && !call.isWhole
        let most = isDivisible ? (failure.fault.mayBeForeign ? 2 : 1) : failure.fault.trials
        if trials >= most { return .failure(failure) }
      }
    }
  }

  private func attempt(
    _ call: KernelCall, _ set: GeometrySet, _ targets: GeometrySet?, _ run: Run, _ first: Int
  ) throws(MeridianError) -> Result<KernelAnswer, Failure> {
    let worker = try readyWorker()
    request.clear()
    try request.put(call, set, targets, run)
    let timeLimit = call.isWhole ? 0 : setup.timeLimit
    switch worker.ask(request.count, timeLimit: timeLimit) {
    case .interrupted: throw MeridianError(.cancelled, "cancelled")
    case .gone(let fault):
      dismiss()
      return .failure(Failure(fault: fault))
    case .error(let count):
      guard var error = try? read(count, { (reader) throws(MeridianError) in try reader.error() }) else {
        dismiss()
        return .failure(Failure(fault: Fault(.corrupt, "the kernel's process gave back what cannot be")))
      }
      if let fault = Self.fault(error) {
        // Memory that a kernel has damaged is not worked with any more.
        dismiss()
        return .failure(Failure(fault: fault))
      }
      error.row = error.row.map { $0 + first }
      throw error
    case .answer(let count):
      do throws(MeridianError) {
        return .success(
          try read(count) { (reader) throws(MeridianError) in try reader.answer(rows: set.count) })
      } catch {
        dismiss()
        return .failure(
          Failure(
            fault: Fault(
              .corrupt, "the kernel's process gave back what cannot be: \(error.message)")))
      }
    }
  }

  private func read<R>(
    _ count: Int, _ body: (inout SharedReader) throws(MeridianError) -> R
  ) throws(MeridianError) -> R {
    var reader = try result.reader(count)
    return try body(&reader)
  }

  /// nil = an error that the same call would have in this process for any rows: no kernel serves it, an option is wrong.
  private static func fault(_ error: MeridianError) -> Fault? {
    switch error.status {
    case .internalError: Fault(.corrupt, error.message)
    case .memory: Fault(.memory, error.message)
    case .abi, .argument, .unsupported, .cancelled, .io, .notFound: nil
    default: Fault(.corrupt, error.message)
    }
  }

  // MARK: - The worker

  private func readyWorker() throws(MeridianError) -> WorkerProcess {
    if let worker { return worker }
    for _ in 0..<20 {
      let fresh = try WorkerProcess(request: request, result: result)
      starts += 1
      request.clear()
      try request.put(setup)
      switch fresh.ask(request.count, timeLimit: 0) {
      case .answer:
        worker = fresh
        return fresh
      case .error(let count):
        throw try read(count) { (reader) throws(MeridianError) in try reader.error() }
      case .interrupted: throw MeridianError(.cancelled, "cancelled")
      case .gone(let fault):
        guard fault.mayBeForeign else {
          throw MeridianError(.io, "a worker process does not start: \(fault.message)")
        }
      }
    }
    throw MeridianError(.io, "worker processes are ended as soon as they are started")
  }

  /// Ends the worker. What it left in the memory for results goes too, since that may be all the memory it could get.
  private func dismiss() {
    worker?.end()
    worker = nil
    if let fresh = try? SharedBlock() { result = fresh }
  }
}
