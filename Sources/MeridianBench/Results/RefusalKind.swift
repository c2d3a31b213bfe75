// SPDX-License-Identifier: Apache-2.0

/// Two reasons for no answer that must not be mixed up: a kernel that breaks is no kernel that was never asked.
package enum RefusalKind: String, Codable, Sendable {
  /// The kernel, or a library that it stands on, does not answer this case.
  case unsupported
  /// It does, and failed: while it ran, or in what it answered.
  case failed
}
