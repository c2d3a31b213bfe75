// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// A file of the user's as a workload.
package struct UserData: Sendable {
  /// Name of the file, without its folders; two of one name in a run need another.
  package var name: String
  /// All rows of the layer.
  package let set: GeometrySet
  /// Rows that could not be read; they are null in the set.
  package let unreadable: Int

  /// What the reader has to say of the file, its coordinates above all.
  package let warnings: [String]

  /// Reads a file as every verb of the command reads it, as one set.
  /// - Parameter layer: the one to take of a file with several; nil = its only one that has rows.
  package init(file: String, format: Format? = nil, layer: String? = nil) throws(FormatError) {
    let readers =
      try layer == nil ? openReaders(file, format: format) : [openReader(file, format: format, layer: layer)]
    var batches: [FeatureBatch] = []
    for reader in readers {
      if let batch = try reader.next(BatchLimit(rows: .max, coordinates: .max)) { batches.append(batch) }
    }
    warnings = readers.flatMap(\.warnings)
    guard let first = batches.first else { throw FormatError(file: file, reason: "there are no rows to measure on") }
    guard batches.count == 1 else {
      let names = readers.compactMap(\.layer.name).joined(separator: ", ")
      throw FormatError(
        file: file, reason: "there are \(batches.count) layers with rows (\(names)): choose one with --layer")
    }
    name = String(file.split(separator: "/").last ?? "-")
    set = first.geometries
    unreadable = first.problems.count { first.geometries.type(ofRow: $0.row - first.firstRow) == nil }
  }
}
