// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Foundation

/// The builds of the native kernels that this machine can run.
enum NativeLevels {
  /// Names of products, the baseline first.
  static let runnable = ["MeridianNative"] + optimised

  /// Those above the baseline. `make test` compiles its debug tests without them, and runs all tests of the native kernels
  /// once more on release builds of every level.
  static let optimised: [String] = {
    if ProcessInfo.processInfo.environment["MERIDIAN_TESTS"] == "debug" { return [] }
    return [("MeridianNativeV3", 3), ("MeridianNativeV4", 4)].filter { mrdp_x86_level() >= $0.1 }.map(\.0)
  }()
}
