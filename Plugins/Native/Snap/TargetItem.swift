// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// An edge of a target with the vertices that are looked for along with it, or a place alone (`a` = `b`). As large as a
/// line of the cache, so that a look at one is a look at one line.
struct TargetItem {
  let a: Place
  let b: Place
  let source: ItemSource
  private let padding = 0

  init(a: Place, b: Place, source: ItemSource) {
    self.a = a
    self.b = b
    self.source = source
  }
}

/// What an item is of.
struct ItemSource {
  let layer: Int32
  let flags: ItemFlags
  let row: Int
  /// The coordinate of `a` in the layer's array; that of `b` follows it. -1 for a centroid.
  let coordinate: Int
}

struct ItemFlags: OptionSet {
  let rawValue: UInt32
  /// `a` and `b` are joined and differ.
  static let isEdge = ItemFlags(rawValue: 1)
  /// The vertex at `a` belongs to this item; each vertex belongs to one.
  static let ownsStart = ItemFlags(rawValue: 2)
  static let ownsEnd = ItemFlags(rawValue: 4)
  /// The vertex is an end of a line.
  static let startIsEndPoint = ItemFlags(rawValue: 8)
  static let endIsEndPoint = ItemFlags(rawValue: 16)
  static let isCentroid = ItemFlags(rawValue: 32)
}

/// Takes layers apart into items.
struct ItemCollector {
  private let items: UnsafeMutablePointer<TargetItem>
  private(set) var count = 0
  private var layerNumber: Int32 = 0
  private var row = 0

  /// `items` has room for as many as the layers may give.
  init(_ items: UnsafeMutablePointer<TargetItem>) { self.items = items }

  /// No layers give more items than this: one a coordinate, and a centroid a row.
  static func most(_ layers: UnsafeBufferPointer<TargetLayer>) -> Int {
    var count = 0
    for layer in layers where layer.geoms.count > 0 {
      let geoms = layer.geoms
      count += geoms.coordinates(geoms.count - 1).upperBound - geoms.coordinates(0).lowerBound
      if layer.kinds.has(MRD_SNAP_CENTROID) { count += geoms.count }
    }
    return count
  }

  mutating func addAll(_ layers: UnsafeBufferPointer<TargetLayer>, _ poll: inout CancelPoll) {
    for number in layers.indices { add(layers[number], number: number, &poll) }
  }

  private mutating func add(_ layer: TargetLayer, number: Int, _ poll: inout CancelPoll) {
    let linear: UInt32 =
      KindMask.standard | KindMask.bit(MRD_SNAP_MIDPOINT) | KindMask.bit(MRD_SNAP_INTERSECTION)
    layerNumber = Int32(truncatingIfNeeded: number)
    for row in 0..<layer.geoms.count where !layer.geoms.isNull(row) {
      self.row = row
      if layer.kinds.bits & linear != 0 { addVertices(layer, row, &poll) }
      if layer.kinds.has(MRD_SNAP_CENTROID) { addCentroid(layer, row, &poll) }
      if poll.tick() { return }
    }
  }

  private mutating func addVertices(_ layer: TargetLayer, _ row: Int, _ poll: inout CancelPoll) {
    if layer.geoms.isPuntal {
      for coordinate in layer.geoms.coordinates(row) where layer.isUsable(coordinate) {
        addAlone(layer, coordinate, .ownsStart)
        if poll.tick() { return }
      }
      return
    }
    for index in 0..<layer.geoms.pathCount(row) { addPath(layer, layer.geoms.path(row, index), &poll) }
  }

  /// Each edge takes the vertex where it starts along, the last one of a line its end too. A vertex beside one that is not
  /// a number stands alone.
  private mutating func addPath(_ layer: TargetLayer, _ path: Range<Int>, _ poll: inout CancelPoll) {
    guard let last = path.last else { return }
    let isLine = layer.geoms.isLineal
    // The vertex that closes a ring is the first one once more.
    let closes = !isLine && path.count > 1 && layer.geoms.place(path.lowerBound) == layer.geoms.place(last)
    var wasEdge = false
    for coordinate in path {
      if poll.tick() { return }
      let isUsable = layer.isUsable(coordinate)
      let isEdge = isUsable && coordinate < last && layer.isUsable(coordinate + 1)
      defer { wasEdge = isEdge }
      guard isUsable else { continue }
      let atEnd: ItemFlags =
        isLine && (coordinate == path.lowerBound || coordinate == last) ? .startIsEndPoint : []
      if isEdge {
        var flags = atEnd.union(.ownsStart)
        if isLine && coordinate + 1 == last { flags.insert(.endIsEndPoint) }
        if coordinate + 1 == last && !closes { flags.insert(.ownsEnd) }
        addEdge(layer, coordinate, flags)
      } else if coordinate == last && (wasEdge || closes) {
        continue
      } else {
        addAlone(layer, coordinate, atEnd.union(.ownsStart))
      }
    }
  }

  private mutating func addCentroid(_ layer: TargetLayer, _ row: Int, _ poll: inout CancelPoll) {
    guard layer.geoms.inspect(row, .plane, &poll) == MRD_ITEM_OK, !poll.isCancelled else { return }
    var centroid = PlanarCentroid(geoms: layer.geoms, row: row)
    let place = centroid.place(&poll)
    guard isInPlane(place) else { return }
    add(place, place, .isCentroid, -1)
  }

  private mutating func addEdge(_ layer: TargetLayer, _ coordinate: Int, _ flags: ItemFlags) {
    let (a, b) = (layer.geoms.place(coordinate), layer.geoms.place(coordinate + 1))
    add(a, b, a == b ? flags : flags.union(.isEdge), coordinate)
  }

  private mutating func addAlone(_ layer: TargetLayer, _ coordinate: Int, _ flags: ItemFlags) {
    let place = layer.geoms.place(coordinate)
    add(place, place, flags, coordinate)
  }

  private mutating func add(_ a: Place, _ b: Place, _ flags: ItemFlags, _ coordinate: Int) {
    items[count] = TargetItem(
      a: a, b: b, source: ItemSource(layer: layerNumber, flags: flags, row: row, coordinate: coordinate))
    count += 1
  }
}
