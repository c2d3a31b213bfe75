// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI
import Synchronization
import Testing

@testable import Meridian

/// Kernels that misbehave, calls that are cancelled, and what observers and listeners see.
@Suite struct DispatchMisuseTests {
  private func measure(_ host: Host, _ set: GeometrySet, _ misdeed: Misdeed, _ run: Run = Run()) throws -> Measured {
    var options = MeasureOptions()
    options.maxEdgeCoord = misdeed.rawValue
    return try host.measure(.length, set, options: options, run: run)
  }

  private func lines(_ count: Int) throws -> GeometrySet { try sketched((0..<count).map { .line([Double($0), 1]) }) }

  @Test(arguments: [Misdeed.columnOverrun, .scratchOverrun, .bufferOverrun, .statusOverrun])
  func writesPastTheEndAreFound(misdeed: Misdeed) throws {
    let host = try handHost(chunk: 10)
    let error = #expect(throws: MeridianError.self) { try measure(host, lines(40), misdeed) }
    #expect(error?.status == .internalError)
    #expect(error?.message.contains("test.hand wrote past the end") == true)
  }

  @Test func theLowestFailureIsTheOneReported() throws {
    let set = try sketched(
      (0..<400).map { row in row % 2 == 1 ? .point(0) : .line([row == 300 || row == 302 ? 666 : 0]) })
    for threads in [1, 2, 8] {
      let error = #expect(throws: MeridianError.self) {
        try measure(handHost(threads: threads, chunk: 4), set, .refusal)
      }
      #expect(error?.row == 300 && error?.coordinate == 3 && error?.status == .limit)
      #expect(error?.message == "test.hand: the number of the beast")
    }
  }

  @Test func oddRequestsAreAnsweredWithNothing() throws {
    #expect(try measure(handHost(), lines(3), .oddRequests).columns[0] == [1, 2, 3])
    #expect(try measure(handHost(checks: false), lines(3), .oddRequests).columns[0] == [1, 2, 3])
  }

  @Test func parallelLoopsCoverTheirRangeForEveryBudget() throws {
    for threads in [1, 2, 8] {
      #expect(try measure(handHost(threads: threads), lines(3), .parallel).columns[0] == [1, 2, 3])
    }
    for (count, grain) in [(0, 1), (1, 5), (10, 3), (1_000_000, 1), (7, 0)] {
      let pieces = Chunks.even(count, grain: grain)
      #expect(pieces.reduce(0) { $0 + $1.count } == count)
      #expect(pieces.count <= 256 && pieces.allSatisfy { $0.count >= min(count, max(1, grain)) })
    }
  }

  @Test func memoryThatFailsIsAnError() throws {
    var run = Run()
    for failing in 1...2 {
      run.failingAllocation = failing
      let error = #expect(throws: MeridianError.self) { try measure(handHost(), lines(3), .memory, run) }
      #expect(error?.status == .memory)
    }
    run.failingAllocation = 3
    #expect(try measure(handHost(), lines(3), .memory, run).columns[0] == [1, 2, 3])
    let set = try sketched([.line([1, 2]), .polygon([[1]]), .point(1)])
    // Three levels of offsets and two ordinates of the polygons are five requests, and all that the others need.
    for failing in 1...6 {
      run.failingAllocation = failing
      let host = try handHost()
      do throws(MeridianError) {
        _ = try host.repair(set, run: run)
        #expect(failing == 6, "request \(failing) did not fail")
      } catch { #expect(error.status == .memory) }
    }
  }

  @Test func cancellingEndsTheCall() throws {
    let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    defer { word.deallocate() }
    word.pointee = 1
    let run = Run(cancel: UnsafePointer(word))
    let error = #expect(throws: MeridianError.self) { try measure(handHost(), lines(3), .none, run) }
    #expect(error?.status == .cancelled)

    word.pointee = 0
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { word in
        usleep(20_000)
        word?.storeBytes(of: 1, as: UInt32.self)
        return nil
      }, word)
    let host = try handHost(threads: 8, chunk: 10)
    let late = #expect(throws: MeridianError.self) { try measure(host, lines(400), .endless, run) }
    #expect(late?.status == .cancelled)
    pthread_join(thread, nil)
  }

  @Test func progressGoesForwardToOne() throws {
    let told = Guarded<[Double]>([])
    let run = Run(progress: { fraction in told.withLock { $0.append(fraction) } })
    _ = try measure(handHost(threads: 8, chunk: 10), lines(400), .progress, run)
    let fractions = told.current
    #expect(fractions.last == 1 && fractions.count > 10)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 < $1 })
    #expect(fractions.allSatisfy { $0 > 0 && $0 <= 1 })
  }

  @Test func observersSeeEveryCall() throws {
    final class Seen {
      let lock = Lock()
      var begun = 0
      var ended = 0
      var rows: Int64 = 0
      var coordinates: Int64 = 0
      var kernels: [String] = []
    }
    let seen = Seen()
    let host = try handHost(threads: 4, chunk: 10)
    var observer = mrd_observer()
    observer.struct_size = UInt32(MemoryLayout<mrd_observer>.size)
    observer.context = Unmanaged.passUnretained(seen).toOpaque()
    observer.begin = { context, observation in
      guard let context, let observation else { return }
      let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
      seen.lock.withLock { seen.begun += observation.pointee.nanoseconds == 0 ? 1 : 100 }
    }
    observer.end = { context, observation in
      guard let context, let observation else { return }
      let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
      seen.lock.withLock {
        seen.ended += 1
        seen.rows += observation.pointee.rows
        seen.coordinates += observation.pointee.coordinates
        seen.kernels.append(String(cString: observation.pointee.kernel) + String(cString: observation.pointee.family))
      }
    }
    host.observe(observer)
    _ = try measure(host, lines(100), .none)
    #expect(seen.begun == 20 && seen.ended == 20 && seen.rows == 100 && seen.coordinates == 200)
    #expect(seen.kernels.allSatisfy { $0 == "test.handmeridian.measure/1" })
    withExtendedLifetime(seen) {}
  }

  @Test func manyThreadsShareOneHost() throws {
    let host = try handHost(threads: 3, chunk: 5)
    let set = try lines(200)
    let expected = try measure(host, set, .none).columns[0]
    let failures = Atomic(0)
    // Each piece is a call of the host from another thread of another pool.
    WorkerPool(threads: 6).run(pieces: 60, limit: 6) { _, _ in
      if (try? self.measure(host, set, .none).columns[0]) != expected {
        failures.add(1, ordering: .relaxed)
      }
      return true
    }
    #expect(failures.load(ordering: .relaxed) == 0)
  }
}
