// SPDX-License-Identifier: Apache-2.0

extension Host {
  /// The version of the host and of the command, equal to the file VERSION.
  public static let version: StaticString = "0.1.0"
}
