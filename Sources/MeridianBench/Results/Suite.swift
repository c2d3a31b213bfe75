// SPDX-License-Identifier: Apache-2.0

/// The groups that `meridian bench` runs and enforces.
package enum Suite: String, Codable, CaseIterable, Sendable {
  case abi, measure, validate, simplify, snap, index, jobs, interactive
}
