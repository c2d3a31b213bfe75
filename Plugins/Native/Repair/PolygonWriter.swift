// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What was written of a row.
struct WrittenRow {
  var parts = 0
  var area = 0.0
  var added = 0
  var dropped = 0
}

/// Writes the loops of a repaired row as polygons, in the order in which their rings come in the input.
///
/// A loop that is a whole ring of the input is given bit-equal, with its start, its direction and its repeated points. Other
/// rings start at a node; shells run counter-clockwise. A point that noding put into an edge is left out where the border
/// goes straight on.
struct PolygonWriter {
  /// A loop by its polygon, the shell first.
  private struct Entry: BitwiseCopyable {
    let polygon: Int32
    let isHole: Bool
    let loop: Int32
  }

  private var interiors: ScratchList<Int32>
  private var polygonOf: ScratchList<Int32>
  private var entries: ScratchList<Entry>
  private var isWritten: ScratchList<Bool>
  private var lone: LonePlaces
  /// The vertices of a row that was snapped, to be compared with the input's.
  private var output: ScratchList<Place>
  /// Vertices written that are no nodes.
  private var plainVertices = 0

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    interiors = ScratchList(call)
    polygonOf = ScratchList(call)
    entries = ScratchList(call)
    isWritten = ScratchList(call)
    lone = LonePlaces(call)
    output = ScratchList(call)
  }

  mutating func write(
    _ loops: BorderLoops, _ graph: PlanarGraph, _ faces: Faces, _ isInside: ScratchList<Bool>, _ rings: RepairRings,
    _ geoms: Geoms, _ row: Int, _ writer: inout GeomsWriter
  ) throws(Stop) -> WrittenRow {
    var written = WrittenRow()
    written.parts = try sortLoops(loops, graph, faces, isInside)
    try isWritten.fill(graph.nodes, false)
    plainVertices = 0
    output.truncate(0)
    for index in 0..<entries.count {
      let entry = entries[index]
      let loop = loops.loops[Int(entry.loop)]
      let area: Double
      if let ring = wholeRing(loop, loops, graph, rings) {
        area = copy(ring, graph, rings, geoms, row, &writer)
      } else {
        area = write(loop, loops, graph, rings, geoms, &writer)
      }
      written.area += entry.isHole ? -abs(area) : abs(area)
      writer.endRing()
      if index + 1 == entries.count || entries[index + 1].polygon != entry.polygon { writer.endPart() }
    }
    writer.endRow()
    if rings.isSnapped {
      try compare(loops, graph, rings, geoms, row, &written)
    } else {
      try countChanges(graph, rings, &written)
    }
    return written
  }

  /// Sorts loops by polygon, shells first; the answer is how many polygons there are.
  private mutating func sortLoops(
    _ loops: BorderLoops, _ graph: PlanarGraph, _ faces: Faces, _ isInside: ScratchList<Bool>
  ) throws(Stop) -> Int {
    let connected = try interiors.disjointSets(faces.count)
    for arc in 0..<graph.arcs.count where graph.stands(arc) {
      let (left, right) = (Int(faces.left[2 * arc]), Int(faces.left[2 * arc + 1]))
      if isInside[left] && isInside[right] { _ = connected.join(left, right) }
    }
    try polygonOf.fill(faces.count, -1)
    entries.truncate(0)
    var polygons = 0
    for index in 0..<loops.loops.count {
      let loop = loops.loops[index]
      let face = connected.root(of: Int(loop.face))
      if polygonOf[face] < 0 {
        polygonOf[face] = Int32(truncatingIfNeeded: polygons)
        polygons += 1
      }
      try entries.push(
        Entry(polygon: polygonOf[face], isHole: !loop.isShell, loop: Int32(truncatingIfNeeded: index)))
    }
    entries.sort { a, b in
      if a.polygon != b.polygon { return a.polygon < b.polygon }
      return a.isHole == b.isHole ? a.loop < b.loop : !a.isHole
    }
    return polygons
  }

  /// The ring that a loop is the whole of, no point of it moved.
  private func wholeRing(_ loop: BorderLoop, _ loops: BorderLoops, _ graph: PlanarGraph, _ rings: RepairRings) -> Int? {
    let first = Int(loops.halves[Int(loop.begin)])
    let ring = Int(graph.arcs[first >> 1].ring)
    let record = rings.rings[ring]
    guard record.isClosed, !record.isBent, loop.end - loop.begin == graph.firstArc[ring + 1] - graph.firstArc[ring]
    else { return nil }
    for index in Int(loop.begin)..<Int(loop.end) {
      let half = Int(loops.halves[index])
      if half & 1 != first & 1 || Int(graph.arcs[half >> 1].ring) != ring { return nil }
    }
    return ring
  }

  /// The signed area of the ring.
  private mutating func copy(
    _ ring: Int, _ graph: PlanarGraph, _ rings: RepairRings, _ geoms: Geoms, _ row: Int, _ writer: inout GeomsWriter
  ) -> Double {
    let path = geoms.path(row, Int(rings.rings[ring].path))
    var area = RingArea()
    for coordinate in path {
      writer.add(geoms, coordinate)
      area.add(geoms.place(coordinate))
      if rings.isSnapped { output.append(geoms.place(coordinate)) }
    }
    for index in Int(graph.firstArc[ring])..<Int(graph.firstArc[ring + 1]) {
      let arc = graph.arcs[index]
      plainVertices += Int(arc.size) - 1
      if !rings.marks[Int(arc.first)].contains(.inserted) { isWritten[Int(arc.start)] = true }
    }
    return area.value
  }

  private mutating func write(
    _ loop: BorderLoop, _ loops: BorderLoops, _ graph: PlanarGraph, _ rings: RepairRings, _ geoms: Geoms,
    _ writer: inout GeomsWriter
  ) -> Double {
    var area = RingArea()
    var first = -1
    var former = lastLead(loop, loops, graph, rings)
    for index in Int(loop.begin)..<Int(loop.end) {
      let half = Int(loops.halves[index])
      let arc = graph.arcs[half >> 1]
      let size = Int(arc.size)
      let isForward = half & 1 == 0
      let before = Int(loops.halves[index == loop.begin ? Int(loop.end) - 1 : index - 1])
      for step in 0..<size {
        let point = graph.point(arc, isForward ? step : size - step, rings)
        if step == 0 {
          if isStraight(before, half, former, point, graph, rings) { continue }
          isWritten[graph.origin(half)] = true
        }
        if first < 0 { first = point }
        add(point, rings, geoms, &writer, &area)
        former = rings.places[point]
      }
      plainVertices += size - 1
    }
    if first >= 0 { add(first, rings, geoms, &writer, &area) }
    return area.value
  }

  /// The last point before the loop closes that is not left out.
  private func lastLead(_ loop: BorderLoop, _ loops: BorderLoops, _ graph: PlanarGraph, _ rings: RepairRings) -> Place {
    rings.places[graph.lead(Int(loops.halves[Int(loop.end) - 1]) ^ 1, rings)]
  }

  /// Whether the border goes straight on at a node where no ring of it has a vertex.
  private func isStraight(
    _ before: Int, _ half: Int, _ former: Place, _ point: Int, _ graph: PlanarGraph, _ rings: RepairRings
  ) -> Bool {
    let arc = graph.arcs[before >> 1]
    let end = graph.point(arc, before & 1 == 0 ? Int(arc.size) : 0, rings)
    guard rings.marks[point].contains(.inserted), rings.marks[end].contains(.inserted) else { return false }
    let next = rings.places[graph.lead(half, rings)]
    let place = rings.places[point]
    return orientation(former, place, next) == 0 && (former < place) != (next < place)
  }

  @inline(__always)
  private mutating func add(
    _ point: Int, _ rings: RepairRings, _ geoms: Geoms, _ writer: inout GeomsWriter, _ area: inout RingArea
  ) {
    let place = rings.places[point]
    area.add(place)
    if rings.isSnapped { output.append(place) }
    if geoms.hasZ || geoms.hasM {
      let ordinates = rings.ordinates(rings.sources[point], geoms)
      writer.add(place.x, place.y, ordinates.z, ordinates.m)
    } else {
      writer.add(place.x, place.y)
    }
  }

  /// What `countChanges` finds, the long way.
  private mutating func compare(
    _ loops: BorderLoops, _ graph: PlanarGraph, _ rings: RepairRings, _ geoms: Geoms, _ row: Int,
    _ written: inout WrittenRow
  ) throws(Stop) {
    if output.failed { throw .memory }
    for pass in 0..<2 {
      let isAdded = pass == 1
      lone.reset()
      for coordinate in geoms.coordinates(row) {
        let place = geoms.place(coordinate)
        if isAdded { try lone.addVertex(place) } else { try lone.addPoint(place) }
      }
      for index in 0..<output.count {
        if isAdded { try lone.addPoint(output[index]) } else { try lone.addVertex(output[index]) }
      }
      if isAdded { written.added = lone.count() } else { written.dropped = lone.count() }
    }
  }

  /// Distinct places that only the result has, and that only the input has.
  private mutating func countChanges(
    _ graph: PlanarGraph, _ rings: RepairRings, _ written: inout WrittenRow
  ) throws(Stop) {
    for node in 0..<graph.nodes {
      let isNew = rings.marks[Int(graph.pointOfNode[node])].contains(.inserted)
      if isNew && isWritten[node] { written.added += 1 }
      if !isNew && !isWritten[node] { written.dropped += 1 }
    }
    var plain = 0
    for arc in 0..<graph.arcs.count { plain += Int(graph.arcs[arc].size) - 1 }
    written.dropped += plain - plainVertices
    guard rings.pointRings.count > 0 else { return }
    lone.reset()
    for point in 0..<rings.places.count where !rings.marks[point].contains(.inserted) {
      try lone.addVertex(rings.places[point])
    }
    for index in 0..<rings.pointRings.count { try lone.addPoint(rings.pointRings[index]) }
    for index in 0..<lone.count() {
      // A ring of one point where others cross: the crossing is no new place.
      if let node = graph.node(at: lone[index], rings), isWritten[node] {
        written.added -= 1
      } else {
        written.dropped += 1
      }
    }
  }
}

/// The signed area of a ring, summed about its first vertex, so that coordinates far from the origin cost no digits.
struct RingArea {
  private var origin = Place(x: 0, y: 0)
  private var former = Place(x: 0, y: 0)
  private var isStarted = false
  private var sum = 0.0

  @inline(__always)
  mutating func add(_ place: Place) {
    if !isStarted {
      origin = place
      isStarted = true
    }
    let next = Place(x: place.x - origin.x, y: place.y - origin.y)
    sum += former.x * next.y - next.x * former.y
    former = next
  }

  var value: Double { sum / 2 }
}
