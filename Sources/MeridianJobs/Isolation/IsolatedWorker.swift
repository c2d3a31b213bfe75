// SPDX-License-Identifier: Apache-2.0
import CIsolation
import CPlatform
import Meridian
import MeridianIO

/// What a worker process does: it finds kernels as its first request says, then makes one call after the other.
public enum IsolatedWorker {
  /// The word that this executable is started with to be a worker.
  public static let verb = WorkerProcess.verb

  /// False for a process that nobody started as a worker: it has no channel.
  public static var isExpected: Bool {
    mrdi_is_channel(Int32(MRDI_CHANNEL)) == 1
  }

  /// Answers until nobody asks any more.
  public static func run() {
    let request = SharedBlock(descriptor: Int32(MRDI_REQUEST), writes: false)
    let result = SharedBlock(descriptor: Int32(MRDI_RESULT), writes: true)
    var host: Host?
    while let count = WorkerProcess.nextRequest() {
      result.clear()
      do throws(MeridianError) {
        var reader = try request.reader(count)
        if let host {
          try answer(&reader, on: host, to: result)
        } else {
          host = try start(&reader)
          // Mapped now: there may be no memory left for it when an error is to be told.
          try result.put(UInt8(1))
        }
        WorkerProcess.reply(isError: false, result.count)
      } catch {
        result.clear()
        // Without memory for the error itself there is nothing left to say: the process that asked sees the end of this one.
        guard (try? result.put(error)) != nil else { return }
        WorkerProcess.reply(isError: true, result.count)
      }
    }
  }

  private static func start(_ reader: inout SharedReader) throws(MeridianError) -> Host {
    let setup = try reader.setup()
    let failure = mrdi_settle_worker(Int64(setup.memoryLimit))
    guard failure == 0 else {
      throw MeridianError(.io, "a limit for a worker cannot be set: \(systemMessage(failure))")
    }
    let host = try Host(setup.host)
    for rule in setup.rules { try host.use(rule) }
    return host
  }

  private static func answer(
    _ reader: inout SharedReader, on host: Host, to result: SharedBlock
  ) throws(MeridianError) {
    let (call, set, targets, run) = try reader.call()
    try result.put(try call.perform(on: host, set, targets: targets, run: run))
  }
}

extension SharedBlock {
  func put(_ setup: WorkerSetup) throws(MeridianError) {
    try put(array: [Int64(setup.memoryLimit), Int64(setup.host.threads)])
    try put(optional: setup.host.cpuLevel)
    try put(optional: setup.host.configFile)
    for list in [setup.host.paths, setup.rules] {
      try put(Int64(list.count))
      for text in list { try put(text) }
    }
  }
}

extension SharedReader {
  /// Kernels are looked at while they work: what they write past the end of their memory is found.
  fileprivate mutating func setup() throws(MeridianError) -> WorkerSetup {
    var setup = WorkerSetup()
    let numbers = try array(of: Int64.self)
    guard numbers.count == 2 else {
      throw MeridianError(.internalError, "a worker without a setup")
    }
    (setup.memoryLimit, setup.host.threads) = (Int(numbers[0]), Int(numbers[1]))
    setup.host.checksKernels = true
    setup.host.cpuLevel = try optionalText()
    setup.host.configFile = try optionalText()
    setup.host.paths = try texts()
    setup.rules = try texts()
    return setup
  }

  private mutating func texts() throws(MeridianError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try get(Int64.self)) { texts.append(try text()) }
    return texts
  }
}
