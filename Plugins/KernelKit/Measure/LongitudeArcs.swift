// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Arcs of longitude in scratch memory, each from west eastward to east; they meet the antimeridian where west > east.
struct LongitudeArcs {
  private let arcs: UnsafeMutableBufferPointer<(west: Double, east: Double)>
  private var count = 0

  /// nil = no memory.
  init?(capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    let (bytes, overflow) = max(1, capacity).multipliedReportingOverflow(by: 16)
    guard !overflow, let memory = call.pointee.scratch(call, Int64(bytes), 16) else { return nil }
    arcs = UnsafeMutableBufferPointer(
      start: memory.bindMemory(to: (west: Double, east: Double).self, capacity: max(1, capacity)),
      count: max(1, capacity))
  }

  mutating func removeAll() { count = 0 }

  mutating func add(west: Double, east: Double) {
    guard count < arcs.count else { return }
    arcs[count] = (normalizedLongitude(west), normalizedLongitude(east))
    count += 1
  }

  /// The longitudes that are left without the widest gap; of equal gaps the westmost goes.
  mutating func complementOfWidestGap() -> (west: Double, east: Double) {
    guard count > 1 else { return count == 1 ? arcs[0] : (.infinity, -.infinity) }
    var used = UnsafeMutableBufferPointer(rebasing: arcs[0..<count])
    used.sort { $0.west < $1.west }
    // Arcs over the antimeridian reach into the beginning of the circle.
    var reach = -Double.infinity
    for index in 0..<count where arcs[index].west > arcs[index].east { reach = max(reach, arcs[index].east) }
    let wrapped = reach
    var widest = (width: -1.0, start: 0.0, end: 0.0)
    for index in 0..<count {
      if index > 0 || wrapped > -.infinity { take(gapFrom: reach, to: arcs[index].west, &widest) }
      reach = max(reach, arcs[index].west > arcs[index].east ? .infinity : arcs[index].east)
    }
    if wrapped == -.infinity {
      // The gap over the antimeridian, from the last end to the first start.
      let width = (180 - reach) + (arcs[0].west + 180)
      // It is the eastmost one, unless it starts on the antimeridian itself: then it is the westmost.
      if width > widest.width || (width == widest.width && reach >= 180) { widest = (width, reach, arcs[0].west) }
    }
    return widest.width > 0 ? (widest.end, widest.start) : (-180, 180)
  }

  private func take(gapFrom start: Double, to end: Double, _ widest: inout (width: Double, start: Double, end: Double))
  {
    if end - start > widest.width { widest = (end - start, start, end) }
  }
}
