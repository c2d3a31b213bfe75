// SPDX-License-Identifier: Apache-2.0

/// What a time is divided by.
package enum WorkUnit: String, Codable, Sendable {
  case row, vertex, pair, point, box, query, call, byte
}
