// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import Testing

@testable import MeridianBench

@Suite struct MetersTests {
  private func singles(_ count: Int, _ call: @escaping (Int) throws(MeridianError) -> Void) -> PreparedRun {
    var run = PreparedRun { () throws(MeridianError) in Outcome() }
    run.singles = count
    run.single = call
    return run
  }

  @Test func latencyHasThePercentilesOfItsCalls() throws {
    let machine = FakeMachine(.rhythm, seed: 1)
    var (calls, seen) = (0, Set<Int>())
    let run = singles(7) { (index) throws(MeridianError) in
      calls += 1
      seen.insert(index)
      machine.spend(calls % 200 == 0 ? 1e6 : 1000)
    }
    let latency = try LatencyMeter(timekeeper: machine.timekeeper).measure([run])[0]
    #expect(seen == Set(0..<7))
    #expect(latency?.calls == 10_000)
    let (p50, p99, p999) = (latency?.p50 ?? 0, latency?.p99 ?? 0, latency?.p999 ?? 0)
    #expect(p50 > 990 && p50 < 1300 && p99 < 1300)
    #expect(p999 > 990_000, "one call in 200 is slow")
  }

  @Test func tooFewCallsGiveNoLatency() throws {
    let machine = FakeMachine(.normal, seed: 1)
    var meter = LatencyMeter(timekeeper: machine.timekeeper)
    meter.budget = 1
    let slow = singles(3) { (_) throws(MeridianError) in machine.spend(1e6) }
    let failing = singles(3) { (_) throws(MeridianError) in throw MeridianError(.argument, "no") }
    let none = PreparedRun { () throws(MeridianError) in Outcome() }
    #expect(try meter.measure([slow, failing, none]) == [nil, nil, nil])
  }

  /// A slow call is given up when it shows that ten thousand of them do not fit, and costs the others nothing.
  @Test func aSlowKernelCostsNeitherTimeNorTheOthers() throws {
    let machine = FakeMachine(.normal, seed: 1)
    var slowCalls = 0
    let slow = singles(3) { (_) throws(MeridianError) in
      slowCalls += 1
      machine.spend(1e8)
    }
    let quick = singles(3) { (_) throws(MeridianError) in machine.spend(1e5) }
    let latencies = try LatencyMeter(timekeeper: machine.timekeeper).measure([slow, quick])
    #expect(latencies[0] == nil && latencies[1]?.calls == 10_000)
    #expect(slowCalls <= 6, "half a second of warming up, not \(slowCalls) calls")
  }

  /// A block ends after its time, not after 500 calls: a call of 1 ms, a budget of 5 s, and room for one block beyond.
  @Test func theBudgetHoldsForEachKernel() throws {
    let machine = FakeMachine(.normal, seed: 3)
    var meter = LatencyMeter(timekeeper: machine.timekeeper)
    meter.budget = 5
    let start = machine.now
    // Fast enough at first, too slow later: nothing tells beforehand.
    var calls = 0
    let run = singles(3) { (_) throws(MeridianError) in
      calls += 1
      machine.spend(calls < 1000 ? 1e5 : 1e7)
    }
    #expect(try meter.measure([run]) == [nil])
    #expect(Double(machine.now - start) * 1e-9 < 5.5)
  }

  @Test func callsGoOnUntilDecided() throws {
    let machine = FakeMachine(.normal, seed: 1)
    let run = singles(7) { (_) throws(MeridianError) in machine.spend(1000) }
    var asked: [Int] = []
    let latency = try LatencyMeter(timekeeper: machine.timekeeper).measure([run]) { _, latency in
      asked.append(latency.calls)
      return asked.count == 3
    }[0]
    #expect(asked == [10_000, 20_000, 40_000] && latency?.calls == 40_000)
    #expect(latency?.confidence == 0.95)
  }

  /// A hundredth of all calls, the machine's doing, lasts 1 to 2 ms; of the kernel's own 20 us, one in `slow` lasts longer.
  @Test(
    arguments: [(nil, 1, 1.5e4, 3e4), (100, 15, 2.8e5, 4e5), (100, 1.9, 3.6e4, 4.5e4)]
      as [(Int?, Double, Double, Double)])
  func pausesOfTheMachineAreNoTailOfTheKernel(_ slow: Int?, _ times: Double, _ least: Double, _ most: Double) throws {
    let machine = FakeMachine(.normal, seed: 4)
    var calls = 0
    let run = singles(7) { (_) throws(MeridianError) in
      calls += 1
      machine.spend((slow.map { calls % $0 == 0 } ?? false ? times : 1) * 2e4)
      machine.stop(oneIn: 100)
    }
    var meter = LatencyMeter(timekeeper: machine.timekeeper(stoppedOneIn: 100))
    meter.calls = 40_000
    let latency = try #require(try meter.measure([run])[0])
    #expect(latency.p999 > 1e6 && (latency.idleP999 ?? 0) > 1e6)
    let own = try #require(latency.ownP999)
    #expect(own > least && own < most, "\(own)")
    #expect(try #require(latency.ownP999Low) <= own && own <= #require(latency.ownP999High))
  }

  /// Other tests of this process take and give memory meanwhile, which one try may fall upon and several hardly all do.
  @Test func memoryOfARunIsItsPeak() throws {
    let size = 48 << 20
    var peaks: [Int64] = []
    for _ in 0..<10 {
      let use = try MemoryMeter.measure { () throws(MeridianError) in
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        memset(block, 1, size)
        let sum = block.load(fromByteOffset: size - 1, as: UInt8.self)
        block.deallocate()
        var outcome = Outcome()
        outcome.keptBytes = Int64(sum) + 41
        return outcome
      }
      #expect(use.kept == 42)
      #expect((use.allocations == nil) == (Allocations.now == nil))
      guard let peak = use.peak else { return }
      peaks.append(peak)
      if peak > 24 << 20 && peak < 512 << 20 { return }
    }
    Issue.record("none of the peaks \(peaks) is about 48 MiB")
  }

  @Test func countersCountOrSayWhyNot() throws {
    let counted = try Counters.count { () throws(MeridianError) -> Int in
      (0..<100_000).reduce(0) { $0 ^ $1 }
    }
    switch counted {
    case .success(let counts):
      #expect(counts.instructions > 100_000 && counts.cycles > 10_000)
      #expect(Counters.whyUnavailable == nil)
    case .failure(let why):
      #expect(!why.reason.isEmpty)
      #expect(why.reason == Counters.whyUnavailable || Counters.whyUnavailable == nil)
    }
    #expect(Counters.Unavailable(ENOENT).reason.contains("virtual machine"))
    #expect(Counters.Unavailable(EACCES).reason.contains("perf_event_paranoid"))
  }

  @Test func pinnedThreadsStay() {
    // On a thread of its own: other tests keep all processors.
    final class Core: @unchecked Sendable { var (given, refused): (Int?, Int?) = (nil, 0) }
    let core = Core()
    var thread = pthread_t()
    let started = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let core = Unmanaged<Core>.fromOpaque(argument).takeUnretainedValue()
        core.given = Pinning.pin()
        core.refused = Pinning.pin(to: 1_000_000)
        return nil
      }, Unmanaged.passUnretained(core).toOpaque())
    #expect(started == 0)
    pthread_join(thread, nil)
    withExtendedLifetime(core) {}
    #if os(Linux)
      #expect(core.given != nil)
    #endif
    #expect(core.refused == nil)
  }

  @Test func machineFactsAreReadFromTheSystemsFiles() {
    let caches = "/sys/devices/system/cpu/cpu0/cache/index"
    let reader = MachineReader(files: [
      "/proc/cpuinfo": "processor\t: 0\nmodel\t\t: 207\nmodel name\t: Imagined CPU @ 2 GHz\n",
      "/proc/meminfo": "MemTotal:        8131208 kB\nMemFree: 1 kB\n",
      "/proc/loadavg": "0.52 0.31 0.20 2/200 4242\n",
      "/proc/sys/kernel/ostype": "Linux\n", "/proc/sys/kernel/osrelease": "6.1.0-28-amd64\n",
      caches + "0/level": "1\n", caches + "0/type": "Data\n", caches + "0/size": "48K\n",
      caches + "1/level": "1\n", caches + "1/type": "Instruction\n", caches + "1/size": "32K\n",
      caches + "2/level": "2\n", caches + "2/type": "Unified\n", caches + "2/size": "2048K\n",
    ])
    let facts = reader.facts()
    #expect(facts.processor == "Imagined CPU @ 2 GHz")
    #expect(facts.memory == 8_131_208 * 1024 && facts.load == 0.52)
    #expect(facts.caches == "L1d 48 KiB, L2 2 MiB" && facts.system == "Linux 6.1")
    #expect(facts.cores >= 1 && facts.platform.contains("-"))
    let arm = MachineReader(files: ["/proc/cpuinfo": "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"])
    #expect(arm.processor == "implementer 0x41, part 0xd0c")
    let mute = MachineReader(files: [:]).facts()
    #expect(mute.processor.isEmpty && mute.caches.isEmpty && mute.memory == 0 && mute.system.isEmpty)
    #if os(Linux)
      #expect(MachineReader().facts().memory > 0 && !MachineReader().facts().system.isEmpty)
    #endif
  }
}
