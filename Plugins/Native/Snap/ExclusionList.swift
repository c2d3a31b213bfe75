// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What is being moved and must not attract itself: whole features, vertices, and the edges at those vertices. Records
/// that name nothing exclude nothing.
struct ExclusionList {
  private enum Kind: Int { case feature, vertex, edge }

  private struct Entry: Comparable {
    let layer: Int
    let kind: Int
    /// The row of a feature, the coordinate of a vertex, the first one of an edge.
    let number: Int

    static func < (a: Entry, b: Entry) -> Bool { (a.layer, a.kind, a.number) < (b.layer, b.kind, b.number) }
  }

  private var entries: ScratchList<Entry>
  /// Most queries exclude nothing.
  let isEmpty: Bool

  /// nil, with the call's error filled, when the records cannot be read or there is no memory.
  init?(
    _ options: mrd_snap_query_options, _ layers: UnsafeBufferPointer<TargetLayer>,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    entries = ScratchList(call)
    guard let base = UnsafeRawPointer(options.exclusions), options.n_exclusions != 0 else {
      isEmpty = true
      return
    }
    let step = Int(options.exclusion_size)
    guard options.n_exclusions > 0, step >= MemoryLayout<mrd_snap_exclusion>.size else {
      _ = fail(call, MRD_E_ARGUMENT, "n_exclusions is negative or exclusion_size is smaller than a record")
      return nil
    }
    isEmpty = false
    for index in 0..<Int(options.n_exclusions) {
      let record = base.loadUnaligned(fromByteOffset: index &* step, as: mrd_snap_exclusion.self)
      guard record.layer >= 0, record.layer < Int64(layers.count) else { continue }
      add(record, layers[Int(record.layer)].geoms)
    }
    guard !entries.failed else {
      _ = fail(call, MRD_E_MEMORY, "no memory for the exclusions")
      return nil
    }
    entries.sort(by: <)
  }

  private mutating func add(_ record: mrd_snap_exclusion, _ geoms: Geoms) {
    guard record.feature >= 0, record.feature < Int64(geoms.count) else { return }
    let (layer, row) = (Int(record.layer), Int(record.feature))
    guard !geoms.isNull(row) else { return }
    if record.part < 0 { return entries.append(Entry(layer: layer, kind: Kind.feature.rawValue, number: row)) }
    let found = geoms.coordinate(row, part: record.part, ring: record.ring, vertex: record.vertex)
    guard let (path, coordinate) = found, let last = path.last else { return }
    addVertex(layer, coordinate, path)
    // The vertex that closes a ring is its first one.
    guard geoms.isPolygonal, coordinate == path.lowerBound || coordinate == last, path.count > 1,
      geoms.place(path.lowerBound) == geoms.place(last)
    else { return }
    addVertex(layer, coordinate == last ? path.lowerBound : last, path)
  }

  private mutating func addVertex(_ layer: Int, _ coordinate: Int, _ path: Range<Int>) {
    entries.append(Entry(layer: layer, kind: Kind.vertex.rawValue, number: coordinate))
    entries.append(Entry(layer: layer, kind: Kind.edge.rawValue, number: coordinate))
    if coordinate > path.lowerBound {
      entries.append(Entry(layer: layer, kind: Kind.edge.rawValue, number: coordinate - 1))
    }
  }

  func hasFeature(_ layer: Int32, _ row: Int) -> Bool { !isEmpty && has(.feature, layer, row) }

  func hasVertex(_ layer: Int32, _ row: Int, _ coordinate: Int) -> Bool {
    !isEmpty && (has(.feature, layer, row) || has(.vertex, layer, coordinate))
  }

  func hasEdge(_ layer: Int32, _ row: Int, _ coordinate: Int) -> Bool {
    !isEmpty && (has(.feature, layer, row) || has(.edge, layer, coordinate))
  }

  private func has(_ kind: Kind, _ layer: Int32, _ number: Int) -> Bool {
    let wanted = Entry(layer: Int(layer), kind: kind.rawValue, number: number)
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low] == wanted
  }
}
