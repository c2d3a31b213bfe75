// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// The processor and system that this process runs on, in the words of manifests.
struct Machine: Equatable, Sendable {
  /// "linux-x86_64", "linux-aarch64", "macos-arm64": the system, and the processor as `uname -m` names it there.
  let platform: String
  /// Levels that libraries may be built for, the best first, "baseline" last.
  let levels: [String]

  /// Every level that this version knows, whatever the machine.
  static let knownLevels = ["baseline", "x86-64-v3", "x86-64-v4", "arm64"]

  static let current = Machine(platform: "\(system)-\(processor)", levels: availableLevels)

  /// This machine held to `level` and those below it.
  func limited(to level: String) throws(MeridianError) -> Machine {
    guard Self.knownLevels.contains(level) else {
      throw MeridianError(.argument, "unknown CPU level '\(level)'; there are \(Self.knownLevels.listed)")
    }
    guard let at = levels.firstIndex(of: level) else {
      throw MeridianError(.argument, "this machine does not run CPU level '\(level)'; it has \(levels.listed)")
    }
    return Machine(platform: platform, levels: Array(levels[at...]))
  }

  #if os(macOS)
    private static let system = "macos"
  #else
    private static let system = "linux"
  #endif

  #if arch(x86_64)
    private static let processor = "x86_64"
    private static var availableLevels: [String] {
      switch mrdp_x86_level() {
      case 4: ["x86-64-v4", "x86-64-v3", "baseline"]
      case 3: ["x86-64-v3", "baseline"]
      default: ["baseline"]
      }
    }
  #elseif arch(arm64)
    #if os(macOS)
      private static let processor = "arm64"
    #else
      private static let processor = "aarch64"
    #endif
    private static let availableLevels = ["arm64", "baseline"]
  #else
    private static let processor = "unknown"
    private static let availableLevels = ["baseline"]
  #endif
}
