// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much a property test does: small in `make test`, as much as finds rare faults in `make test-release`.
public enum TestScale {
  public static let isLarge = ProcessInfo.processInfo.environment["MERIDIAN_TEST_SCALE"] == "large"
}
