// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// Reads the facts of the machine from /proc and /sys. What a system does not tell stays empty or 0.
package struct MachineReader {
  /// The text of a small file; nil = it cannot be read.
  private let text: (String) -> String?

  package init() { text = Self.read }

  /// For tests: files by path.
  init(files: [String: String]) { text = { files[$0] } }

  /// Ask before the thread is pinned: cores are those that it may run on.
  package func facts() -> MachineFacts {
    MachineFacts(
      platform: Self.platform, processor: processor, cores: Int(mrdp_core_count()), memory: memory, caches: caches,
      system: system, load: load)
  }

  /// "model name" of x86; ARM machines tell a number of the designer and the part.
  var processor: String {
    let lines = text("/proc/cpuinfo") ?? ""
    if let model = field("model name", of: lines) { return model }
    guard let part = field("CPU part", of: lines) else { return "" }
    return "implementer \(field("CPU implementer", of: lines) ?? "?"), part \(part)"
  }

  var memory: Int64 {
    let words = field("MemTotal", of: text("/proc/meminfo") ?? "")?.split(separator: " ") ?? []
    return words.first.flatMap { Int64($0) }.map { $0 * 1024 } ?? 0
  }

  /// "L1d 48 KiB, L2 2 MiB, L3 300 MiB": the first processor's, caches of instructions left out.
  var caches: String {
    var found: [String] = []
    for index in 0..<10 {
      let folder = "/sys/devices/system/cpu/cpu0/cache/index\(index)/"
      guard let level = line(folder + "level"), let kind = line(folder + "type"), let size = line(folder + "size")
      else { break }
      if kind != "Instruction" { found.append("L\(level)\(kind == "Data" ? "d" : "") \(Self.inWords(size))") }
    }
    return found.joined(separator: ", ")
  }

  /// "Linux 6.1": the release up to its second number.
  var system: String {
    guard let name = line("/proc/sys/kernel/ostype"), let release = line("/proc/sys/kernel/osrelease") else {
      return ""
    }
    let number = release.prefix { $0 != "-" }
    return name + " " + number.split(separator: ".").prefix(2).joined(separator: ".")
  }

  var load: Double { line("/proc/loadavg").flatMap { $0.split(separator: " ").first }.flatMap { Double($0) } ?? 0 }

  private func line(_ path: String) -> String? {
    text(path)?.split(separator: "\n").first.map(String.init)
  }

  /// The first value of "name : value".
  private func field(_ name: String, of lines: String) -> String? {
    for line in lines.split(separator: "\n") where line.hasPrefix(name) {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2, Self.trimmed(halves[0]) == name else { continue }
      return Self.trimmed(halves[1])
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = text.drop(while: isBlank)
    return String(start.reversed().drop(while: isBlank).reversed())
  }

  /// "2048K" as "2 MiB".
  private static func inWords(_ size: String) -> String {
    guard size.hasSuffix("K"), let kibi = Int(size.dropLast()) else { return size }
    return kibi >= 1024 && kibi % 1024 == 0 ? "\(kibi / 1024) MiB" : "\(kibi) KiB"
  }

  private static var platform: String {
    #if os(macOS)
      let system = "macos"
    #else
      let system = "linux"
    #endif
    #if arch(x86_64)
      return system + "-x86_64"
    #elseif arch(arm64)
      return system == "macos" ? "macos-arm64" : "linux-aarch64"
    #else
      return system + "-unknown"
    #endif
  }

  private static func read(_ path: String) -> String? {
    let file = mrdp_open_for_reading(path)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    // Enough for the first processor in /proc/cpuinfo, whose length grows with the machine.
    while bytes.count < 65_536 {
      let got = CPlatform.read(file, &block, block.count)
      guard got > 0 else { break }
      bytes += block.prefix(got)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
