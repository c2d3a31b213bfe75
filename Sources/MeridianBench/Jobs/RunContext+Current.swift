// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianJobs

extension RunContext {
  /// Of this process, now.
  /// - Parameters:
  ///   - kernels: ids or short ids of those that take part; nil = all of the host.
  ///   - level: the CPU level that was forced; nil = the best.
  package static func current(
    host: Host, seed: UInt64, kernels: [String]? = nil, level: String? = nil
  ) -> RunContext {
    let machine = MachineReader().facts()
    let taking = host.kernels.filter { kernel in
      kernels.map { $0.contains(kernel.shortID) || $0.contains(kernel.id) } ?? true
    }
    var context = RunContext(
      date: now, command: CommandLine.arguments.map(quoted).joined(separator: " "), version: "\(Host.version)",
      build: build, machine: machine, cpuLevel: level ?? best(taking), seed: seed,
      kernels: taking.map {
        KernelFacts(id: $0.id, version: $0.version, source: $0.name, cpuLevel: $0.cpuLevel)
      })
    if build == "debug" { context.warnings.append("a debug build: times mean nothing") }
    if machine.load > 0.7 * Double(max(1, machine.cores)) {
      context.warnings.append("the machine was busy when the run began: load \(machine.load)")
    }
    return context
  }

  /// The highest level that a library was built for.
  private static func best(_ kernels: [Kernel]) -> String {
    ["x86-64-v4", "x86-64-v3", "arm64"].first { level in kernels.contains { $0.cpuLevel == level } } ?? "baseline"
  }

  #if DEBUG
    private static let build = "debug"
  #else
    private static let build = "release"
  #endif

  private static var now: String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// A word as a POSIX shell reads it back.
  private static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || "-_./=,:@%+".utf8.contains(byte)
    }
    return plain && !word.isEmpty
      ? word
      : "'"
        + word.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
  }
}
