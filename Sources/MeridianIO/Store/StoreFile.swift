// SPDX-License-Identifier: Apache-2.0

/// Stores: GeoPackages with R-trees and a revision, which are copied, worked on, and published.
public enum StoreFile {
  /// What a store says of itself, and whether it was changed since; nothing beside the file or in it changes.
  public static func state(of file: String) throws(FormatError) -> StoreState {
    #if MERIDIAN_SQLITE
      return try StoreReading.state(of: file)
    #else
      throw withoutSQLite(file)
    #endif
  }

  /// Publishes a working copy; the target is its old revision or the new one, whole, at any moment. See `Publisher`.
  public static func publish(_ publication: Publication) throws(FormatError) -> Publication.Result {
    #if MERIDIAN_SQLITE
      return try Publisher(publication).run()
    #else
      throw withoutSQLite(publication.work)
    #endif
  }

  /// Why the changes of a working copy would not become the target's next revision; nil = they would, if there are any.
  public static func conflict(of work: StoreState, with target: StoreState) throws(FormatError)
    -> Publication.Conflict?
  {
    guard work.store == target.store else { throw FormatError(file: work.file, reason: otherStore(work, target)) }
    return target.conflict(with: work)
  }

  static func otherStore(_ work: StoreState, _ target: StoreState) -> String {
    "it is a copy of another store (\(work.store.prefix(8))) than \(target.file) (\(target.store.prefix(8)))"
  }

  /// Opens a new store for writing, of which `layer` is the first layer.
  package static func create(_ file: String, layer: Layer, program: String) throws(FormatError) -> any LayeredWriter {
    #if MERIDIAN_SQLITE
      return try GeoPackageWriter(path: file, layer: layer, storeBy: program)
    #else
      throw withoutSQLite(file)
    #endif
  }
}

/// Why there are neither GeoPackages nor stores.
func withoutSQLite(_ file: String) -> FormatError {
  FormatError(file: file, reason: "this build has no GeoPackage: it was made without SQLite")
}
