// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Targets whose distances are in metres: edges and places by their boxes in longitude and latitude, each with its west end
/// in [-180, 180]. Immutable after `build`.
final class GlobeTargets {
  let surface: EllipsoidSurface
  let hasStraightEdges: Bool
  let tree: BoxTree
  /// About as far as it is from one item to the next, in metres.
  let spacing: Double
  private let memory: HandleMemory

  var geodesics: Geodesics { surface.geodesics }

  @inline(__always)
  func item(_ number: UInt32) -> TargetItem { memory.pointer(to: TargetItem.self)[Int(number)] }

  private init(_ surface: EllipsoidSurface, _ hasStraightEdges: Bool, _ tree: BoxTree, _ memory: HandleMemory) {
    self.surface = surface
    self.hasStraightEdges = hasStraightEdges
    self.tree = tree
    self.memory = memory
    let (bounds, geodesics) = (tree.bounds, surface.geodesics)
    let width = min(360, bounds.xmax - bounds.xmin) * radiansPerDegree
    let rise = sineCosine(degrees: bounds.ymax).sin - sineCosine(degrees: bounds.ymin).sin
    let count = Double(max(1, tree.count))
    let square = tree.count == 0 ? 0 : geodesics.a * geodesics.a * width * rise / count
    // All on one meridian or one parallel: by their extent.
    let length = tree.count == 0 ? 0 : geodesics.a * max(width, (bounds.ymax - bounds.ymin) * radiansPerDegree) / count
    spacing = square > 0 ? square.squareRoot() : length
  }

  /// nil = no memory, or cancelled.
  static func build(
    _ geodesics: Geodesics, hasStraightEdges: Bool, _ items: UnsafePointer<TargetItem>, _ count: Int,
    _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll
  ) -> GlobeTargets? {
    guard count <= TreeShape.mostItems, let memory = HandleMemory.room(for: count, TargetItem.self),
      let boxes = scratch(call, count, of: Box.self)
    else { return nil }
    let surface = EllipsoidSurface(geodesics: geodesics)
    memory.pointer(to: TargetItem.self).update(from: items, count: count)
    for index in 0..<count {
      boxes[index] = box(items[index], surface, hasStraightEdges)
      if poll.tick() { return nil }
    }
    var builder = TreeBuilder(BoxArray(boxes, count: count), call)
    guard let tree = builder.build(&poll) else { return nil }
    return GlobeTargets(surface, hasStraightEdges, tree, memory)
  }

  private static func box(_ item: TargetItem, _ surface: EllipsoidSurface, _ hasStraightEdges: Bool) -> Box {
    let (a, b) = (item.a, item.b)
    let way = hasStraightEdges ? b.x - a.x : longitudeDifference(a.x, b.x)
    let west = (way < 0 ? b.x : a.x).remainder(dividingBy: 360)
    var box = Box(xmin: west, ymin: min(a.y, b.y), xmax: west + way.magnitude, ymax: max(a.y, b.y))
    if way.magnitude >= 360 { (box.xmin, box.xmax) = (-180, 180) }
    if !hasStraightEdges { rise(&box, a, b, way, surface) }
    return box
  }

  /// Makes room for the highest latitude of a shortest line.
  private static func rise(_ box: inout Box, _ a: Place, _ b: Place, _ way: Double, _ surface: EllipsoidSurface) {
    if way.magnitude <= 1 {
      // An eighth of the squared longitude times sin and cos of the latitude, in radians, with room for the ellipsoid.
      let most = way * way * (radiansPerDegree / 12)
      (box.ymin, box.ymax) = (max(-90, box.ymin - most), min(90, box.ymax + most))
    } else if let extreme = surface.extremeLatitude(a, b) {
      (box.ymin, box.ymax) = (min(box.ymin, extreme), max(box.ymax, extreme))
    }
  }

  /// Calls `body` once with each item whose box meets a cap's window around a longitude, until it answers false.
  func search(_ longitude: Double, _ cap: GlobeCap, _ body: (TargetItem) -> Bool) {
    tree.searchRound(cap.window(longitude, longitude)) { leaf, hits in
      var bits = hits
      while bits != 0 {
        if !body(item(tree.ids(leaf)[bits.trailingZeroBitCount])) { return false }
        bits &= bits &- 1
      }
      return true
    }
  }
}
