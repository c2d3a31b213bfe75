// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// An edge of a target with the vertices that are looked for along with it, or a place alone (`a` = `b`).
struct TargetItem: BitwiseCopyable {
  let a: Place
  let b: Place
  let source: ItemSource

  @inline(__always)
  var box: Box { Box(a, b) }
}

/// What an item is of: twelve bytes, for they lie beside every item.
struct ItemSource: BitwiseCopyable {
  private static let flagBits: UInt32 = 8
  /// Layers that `tag` has room for.
  static let mostLayers = 1 << 24

  /// The row, the coordinate and the tag, as leaves store them.
  let numbers: (row: UInt32, coordinate: UInt32, tag: UInt32)

  @inline(__always)
  init(row: UInt32, coordinate: UInt32, tag: UInt32) { numbers = (row, coordinate, tag) }

  @inline(__always)
  init(layer: Int, _ flags: ItemFlags, row: Int, coordinate: Int) {
    numbers = (
      UInt32(truncatingIfNeeded: row), UInt32(truncatingIfNeeded: coordinate),
      UInt32(truncatingIfNeeded: layer) << ItemSource.flagBits | flags.rawValue
    )
  }

  @inline(__always)
  var layer: Int32 { Int32(truncatingIfNeeded: numbers.tag >> ItemSource.flagBits) }
  @inline(__always)
  var flags: ItemFlags { ItemFlags(rawValue: numbers.tag & (1 << ItemSource.flagBits - 1)) }
  @inline(__always)
  var row: Int { Int(numbers.row) }
  /// The coordinate of `a` in the layer's array; that of `b` follows it. Nothing for a centroid.
  @inline(__always)
  var coordinate: Int { Int(numbers.coordinate) }

  func isStoredBefore(_ other: ItemSource) -> Bool {
    (layer, row, coordinate) < (other.layer, other.row, other.coordinate)
  }
}

struct ItemFlags: OptionSet, BitwiseCopyable {
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
  /// Around all items.
  private(set) var bounds = Box.empty
  private var layerNumber = 0
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
    // All kinds but these lie on vertices and edges.
    let linear = KindMask.plane.bits & ~(KindMask.bit(MRD_SNAP_CENTROID) | KindMask.bit(MRD_SNAP_AREA))
    layerNumber = number
    for row in 0..<layer.geoms.count where !layer.geoms.isNull(row) {
      self.row = row
      if layer.kinds.bits & linear != 0 { addVertices(layer, row, &poll) }
      if layer.kinds.has(MRD_SNAP_CENTROID) { addCentroid(layer, row, &poll) }
      if poll.tick() { return }
    }
  }

  @inline(__always)
  private mutating func addVertices(_ layer: TargetLayer, _ row: Int, _ poll: inout CancelPoll) {
    let geoms = layer.geoms
    if geoms.isPuntal {
      for coordinate in geoms.coordinates(row) {
        let place = geoms.place(coordinate)
        if layer.isUsable(place) { add(place, place, .ownsStart, coordinate) }
        if poll.tick() { return }
      }
      return
    }
    for index in 0..<geoms.pathCount(row) { addPath(layer, geoms.path(row, index), &poll) }
  }

  /// Each edge takes the vertex where it starts along, the last one of a line its end too. A vertex beside one that is not
  /// a number stands alone.
  @inline(__always)
  private mutating func addPath(_ layer: TargetLayer, _ path: Range<Int>, _ poll: inout CancelPoll) {
    guard !path.isEmpty else { return }
    let geoms = layer.geoms
    let (first, last) = (path.lowerBound, path.upperBound &- 1)
    let isLine = geoms.isLineal
    var place = geoms.place(first)
    var isUsable = layer.isUsable(place)
    // The vertex that closes a ring is the first one once more.
    let closes = !isLine && path.count > 1 && place == geoms.place(last)
    var wasEdge = false
    var coordinate = first
    while coordinate <= last {
      let next = coordinate < last ? geoms.place(coordinate &+ 1) : place
      let nextIsUsable = coordinate < last && layer.isUsable(next)
      if isUsable {
        var flags: ItemFlags = isLine && (coordinate == first || coordinate == last) ? .startIsEndPoint : []
        flags.insert(.ownsStart)
        if nextIsUsable {
          if coordinate &+ 1 == last {
            if isLine { flags.insert(.endIsEndPoint) }
            if !closes { flags.insert(.ownsEnd) }
          }
          if place != next { flags.insert(.isEdge) }
          add(place, next, flags, coordinate)
        } else if coordinate < last || !(wasEdge || closes) {
          add(place, place, flags, coordinate)
        }
      }
      wasEdge = isUsable && nextIsUsable
      (place, isUsable) = (next, nextIsUsable)
      coordinate &+= 1
      if poll.tick() { return }
    }
  }

  private mutating func addCentroid(_ layer: TargetLayer, _ row: Int, _ poll: inout CancelPoll) {
    let geoms = layer.geoms
    guard geoms.inspect(row, .plane, &poll) == MRD_ITEM_OK, !poll.isCancelled else { return }
    var centroid = PlanarCentroid(geoms: geoms, row: row)
    let place = centroid.place(&poll)
    guard layer.isUsable(place) else { return }
    add(place, place, .isCentroid, 0)
  }

  @inline(__always)
  private mutating func add(_ a: Place, _ b: Place, _ flags: ItemFlags, _ coordinate: Int) {
    let item = TargetItem(a: a, b: b, source: ItemSource(layer: layerNumber, flags, row: row, coordinate: coordinate))
    items[count] = item
    bounds.grow(item.box)
    count &+= 1
  }
}
