// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// The file that a publication replaces, as it was when it was looked at.
struct StoreTarget {
  let state: StoreState
  private let file: String
  private let identity: [Int]

  /// Files that SQLite keeps beside a database while it is written.
  static let sideFiles = ["-journal", "-wal", "-shm"]

  init(_ file: String) throws(FormatError) {
    self.file = file
    identity = try Self.identity(file)
    // They belong to the file that is there: beside its successor they would be taken for changes of that one.
    for ending in ["-wal", "-journal"] where GeoPackage.fileSize(file + ending) ?? 0 > 0 {
      let reason = "another program has it open for writing, or was stopped while it wrote"
      throw FormatError(file: file, reason: "\(reason): \(file)\(ending) is there")
    }
    guard access(file, W_OK) == 0 else { throw systemError(file) }
    state = try StoreReading.state(of: file)
  }

  /// Throws when the file is another one by now. Publications are held off by a lock; this is for who copies over it.
  func checkUnchanged() throws(FormatError) {
    guard try Self.identity(file) == identity else {
      throw FormatError(file: file, reason: "another program replaced or wrote it meanwhile; nothing was changed")
    }
  }

  private static func identity(_ file: String) throws(FormatError) -> [Int] {
    var status = stat()
    guard stat(file, &status) == 0 else { throw systemError(file) }
    return [
      Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
      Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
    ]
  }
}
