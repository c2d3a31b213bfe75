// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What an operation that makes geometries begins each row with.
enum RowStart {
  /// The row as GEOS's geometry; whoever takes it destroys it.
  case ready(Geometry)
  /// The row is given back as it was, under this status. `isFault` is false where there is nothing to work on: a null
  /// row, an empty one.
  case left(mrd_item_status, isFault: Bool)
}

extension RowBuilder {
  /// Null rows, faults and rows that GEOS cannot make are left; empty rows as well, unless the operation takes them.
  func start(_ row: Int, takesEmpty: Bool = false) -> RowStart {
    if geoms.isNull(row) { return .left(MRD_ITEM_NULL, isFault: false) }
    if !takesEmpty, geoms.isEmpty(row) { return .left(MRD_ITEM_EMPTY, isFault: false) }
    if let fault = findFault(geoms, row) { return .left(fault.itemStatus, isFault: true) }
    guard let geometry = geometry(row) else { return .left(session.failedItem(row), isFault: true) }
    return .ready(geometry)
  }
}

extension Session {
  /// Runs `body` for each row and ends by `finish`, with a look at the cancel word before and after each row.
  func forEachRow(_ count: Int, _ body: (Int) -> Void, finish: () -> mrd_status) -> mrd_status {
    for row in 0..<count {
      if call.isCancelled { return cancelled() }
      body(row)
      if call.isCancelled { return cancelled() }
    }
    return finish()
  }
}
