// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport

/// A feature of a multi type: parts of rings of coordinates; lines and points have one ring a part.
struct SketchedFeature {
  let parts: [[[(Double, Double)]]]
}

struct SketchedLayer {
  let type: Int32
  let features: [SketchedFeature]

  var wkt: [String] {
    features.map { feature in
      let parts = feature.parts.map { rings -> String in
        let texts = rings.map { "(" + $0.map { "\($0.0) \($0.1)" }.joined(separator: ",") + ")" }
        return type == MRD_MULTIPOLYGON ? "(" + texts.joined(separator: ",") + ")" : texts.joined()
      }
      let name = [MRD_MULTIPOINT: "MULTIPOINT", MRD_MULTILINESTRING: "MULTILINESTRING"][type] ?? "MULTIPOLYGON"
      return "\(name)(\(parts.joined(separator: ",")))"
    }
  }
}

/// Says what is wrong with the hits of one point: each is held against exact arithmetic, and so is what is missing. What
/// lies within a rounding of the reach may be there or not.
struct SnapJudge {
  private typealias Exact = ExactRational
  private struct Spot {
    let x: ExactRational
    let y: ExactRational
    init(_ place: (Double, Double)) { (x, y) = (ExactRational(place.0), ExactRational(place.1)) }
    init(_ x: ExactRational, _ y: ExactRational) { (self.x, self.y) = (x, y) }
  }
  private struct Edge {
    let layer: Int
    let feature: Int
    let part: Int
    let ring: Int
    let start: Int
    let ends: (a: (Double, Double), b: (Double, Double))
    let isFirst: Bool
    let isLast: Bool
  }

  private let layers: [SketchedLayer]
  private let point: (Double, Double)
  private let options: SnapRun.Options
  /// The vertex before the pointer.
  private let previous: (Double, Double)?
  private var edges: [Edge] = []

  init(
    layers: [SketchedLayer], point: (Double, Double), options: SnapRun.Options, previous: (Double, Double)? = nil
  ) {
    self.previous = previous
    self.layers = layers
    self.point = point
    self.options = options
    for (layerNumber, layer) in layers.enumerated() where layer.type != MRD_MULTIPOINT {
      for (featureNumber, feature) in layer.features.enumerated() {
        for (partNumber, part) in feature.parts.enumerated() {
          for (ringNumber, path) in part.enumerated() {
            for start in path.indices.dropLast() where path[start] != path[start + 1] {
              edges.append(
                Edge(
                  layer: layerNumber, feature: featureNumber, part: partNumber,
                  ring: layer.type == MRD_MULTIPOLYGON ? ringNumber : -1, start: start,
                  ends: (path[start], path[start + 1]), isFirst: start == 0, isLast: start + 2 == path.count))
            }
          }
        }
      }
    }
  }

  /// True when an edge is so far away that plain arithmetic is enough to tell; the exact one is slow.
  private func isFarOff(_ edge: Edge) -> Bool {
    let scale = 1 / options.tolerance
    let (ax, ay) = ((edge.ends.a.0 - point.0) * scale, (edge.ends.a.1 - point.1) * scale)
    let (bx, by) = ((edge.ends.b.0 - point.0) * scale, (edge.ends.b.1 - point.1) * scale)
    let (dx, dy) = (bx - ax, by - ay)
    let along = min(1, max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)))
    let (x, y) = (ax + along * dx, ay + along * dy)
    return x * x + y * y > 2
  }

  private func reach(_ kind: Int32) -> Double { (options.factors?[Int(kind)] ?? 1) * options.tolerance }

  /// -1 clearly in reach, 1 clearly not, 0 within roundings of the place and the distance.
  private func side(_ kind: Int32, _ place: Spot) -> Int {
    let squared = squaredDistance(place)
    let coordinate = max(abs(point.0), abs(point.1)) + reach(kind)
    let slack = ExactRational(coordinate) * ExactRational(0x1p-49)
    let (low, high) = (ExactRational(reach(kind)) - slack, ExactRational(reach(kind)) + slack)
    if squared > high * high { return 1 }
    return low.sign > 0 && squared < low * low ? -1 : 0
  }

  private func squaredDistance(_ place: Spot) -> ExactRational {
    let q = Spot(point)
    let (dx, dy) = (place.x - q.x, place.y - q.y)
    return dx * dx + dy * dy
  }

  /// All that is wrong.
  func objections(to hits: [mrd_snap_hit]) -> [String] {
    var texts: [String] = []
    for hit in hits where !distanceIsRight(hit) { texts.append("distance \(hit.distance) to \(hit.x) \(hit.y)") }
    for hit in hits where hit.distance > reach(hit.kind) { texts.append("kind \(hit.kind) beyond its reach") }
    texts += vertexObjections(hits) + edgeObjections(hits) + crossingObjections(hits) + areaObjections(hits)
    return texts
  }

  private func distanceIsRight(_ hit: mrd_snap_hit) -> Bool {
    let squared = squaredDistance(Spot((hit.x, hit.y)))
    let (low, high) = (ExactRational(hit.distance.nextDown), ExactRational(hit.distance.nextUp))
    return hit.distance == 0 ? squared.sign == 0 : squared >= low * low && squared <= high * high
  }

  private func key(_ hit: mrd_snap_hit) -> [Int64] { [hit.layer, hit.feature, hit.part, hit.ring, hit.vertex] }

  private func vertexObjections(_ hits: [mrd_snap_hit]) -> [String] {
    var texts: [String] = []
    var found: [[Int64]: mrd_snap_hit] = [:]
    for hit in hits where hit.kind == MRD_SNAP_VERTEX || hit.kind == MRD_SNAP_END_POINT {
      if found.updateValue(hit, forKey: key(hit)) != nil { texts.append("a vertex twice: \(key(hit))") }
    }
    for (layerNumber, layer) in layers.enumerated() {
      for (featureNumber, feature) in layer.features.enumerated() {
        for (partNumber, part) in feature.parts.enumerated() {
          for (ringNumber, path) in part.enumerated() {
            let isRing = layer.type == MRD_MULTIPOLYGON
            for vertex in path.indices where !(isRing && vertex == path.count - 1) {
              let isEnd = layer.type == MRD_MULTILINESTRING && (vertex == 0 || vertex == path.count - 1)
              let key = [layerNumber, featureNumber, partNumber, isRing ? ringNumber : -1, vertex].map(Int64.init)
              texts += judgeVertex(found.removeValue(forKey: key), path[vertex], isEnd, key)
            }
          }
        }
      }
    }
    return texts + found.keys.map { "no such vertex: \($0)" }
  }

  private func judgeVertex(
    _ hit: mrd_snap_hit?, _ place: (Double, Double), _ isEnd: Bool, _ key: [Int64]
  ) -> [String] {
    let kinds = isEnd ? [MRD_SNAP_END_POINT, MRD_SNAP_VERTEX] : [MRD_SNAP_VERTEX]
    let sides = kinds.map { side($0, Spot(place)) }
    guard let hit else { return sides.contains(-1) ? ["missing vertex \(key)"] : [] }
    guard kinds.contains(hit.kind), sides.contains(where: { $0 <= 0 }) else { return ["no candidate: \(key)"] }
    if hit.x.bitPattern != place.0.bitPattern || hit.y.bitPattern != place.1.bitPattern { return ["moved: \(key)"] }
    // The kind that ranks first among those in reach.
    func priority(_ kind: Int32) -> Int32 { options.priorities?[Int(kind)] ?? kind }
    for (kind, side) in zip(kinds, sides) where side < 0 && priority(kind) < priority(hit.kind) {
      return ["kind \(hit.kind) for \(key), not \(kind)"]
    }
    return []
  }

  private func edgeObjections(_ hits: [mrd_snap_hit]) -> [String] {
    var texts: [String] = []
    for kind in [MRD_SNAP_EDGE, MRD_SNAP_MIDPOINT, MRD_SNAP_PERPENDICULAR] {
      var found: [[Int64]: mrd_snap_hit] = [:]
      for hit in hits where hit.kind == kind {
        if found.updateValue(hit, forKey: key(hit)) != nil { texts.append("an edge twice: \(key(hit))") }
      }
      for edge in edges {
        let key = [edge.layer, edge.feature, edge.part, edge.ring, edge.start].map(Int64.init)
        if found[key] == nil && isFarOff(edge) { continue }
        let exact =
          kind == MRD_SNAP_EDGE ? foot(edge, of: point) : kind == MRD_SNAP_MIDPOINT ? middle(edge) : perpendicular(edge)
        guard let place = exact else {
          if found.removeValue(forKey: key) != nil { texts.append("no perpendicular on edge \(key)") }
          continue
        }
        texts += judgeEdge(found.removeValue(forKey: key), edge, place, kind).map { "\($0) of edge \(key)" }
      }
      texts += found.keys.map { "no such edge: \($0)" }
    }
    return texts
  }

  private func middle(_ edge: Edge) -> Spot {
    let (a, b) = (Spot(edge.ends.a), Spot(edge.ends.b))
    return Spot((a.x + b.x) * ExactRational(0.5), (a.y + b.y) * ExactRational(0.5))
  }

  /// nil where there is none: no vertex before the pointer, a foot beyond the edge's inside, or that vertex itself.
  private func perpendicular(_ edge: Edge) -> Spot? {
    guard let previous else { return nil }
    let (place, own) = (foot(edge, of: previous), Spot(previous))
    func equals(_ a: Spot, _ b: Spot) -> Bool { a.x == b.x && a.y == b.y }
    return [own, Spot(edge.ends.a), Spot(edge.ends.b)].contains { equals(place, $0) } ? nil : place
  }

  private func foot(_ edge: Edge, of place: (Double, Double)) -> Spot {
    let (a, b, q) = (Spot(edge.ends.a), Spot(edge.ends.b), Spot(place))
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let along = (dx * (q.x - a.x) + dy * (q.y - a.y)) / (dx * dx + dy * dy)
    if along.sign <= 0 { return a }
    return along >= ExactRational(1) ? b : Spot(a.x + dx * along, a.y + dy * along)
  }

  private func judgeEdge(_ hit: mrd_snap_hit?, _ edge: Edge, _ exact: Spot, _ kind: Int32) -> [String] {
    func roundsTo(_ place: (Double, Double)) -> Bool { exact.x.rounds(to: place.0) && exact.y.rounds(to: place.1) }
    let atEnd = roundsTo(edge.ends.a) ? edge.ends.a : roundsTo(edge.ends.b) ? edge.ends.b : nil
    guard let hit else {
      if side(kind, exact) >= 0 { return [] }
      // At an end that is a candidate itself there is none.
      if kind == MRD_SNAP_PERPENDICULAR, let previous, roundsTo(previous) { return [] }
      guard let atEnd else { return ["missing kind \(kind)"] }
      if kind != MRD_SNAP_EDGE { return [] }
      let isEndPoint = edge.ring < 0 && (atEnd == edge.ends.a ? edge.isFirst : edge.isLast)
      let kinds = isEndPoint ? [MRD_SNAP_END_POINT, MRD_SNAP_VERTEX] : [MRD_SNAP_VERTEX]
      return kinds.contains { side($0, Spot(atEnd)) <= 0 } ? [] : ["missing foot at an end"]
    }
    if side(kind, exact) > 0 { return ["kind \(kind) is out of reach"] }
    if !roundsTo((hit.x, hit.y)) { return ["kind \(kind) at \(hit.x) \(hit.y) is not the nearest double"] }
    let (a, b) = edge.ends
    let isInBox =
      min(a.0, b.0) <= hit.x && hit.x <= max(a.0, b.0) && min(a.1, b.1) <= hit.y && hit.y <= max(a.1, b.1)
    if !isInBox { return ["kind \(kind) outside the box"] }
    let isEnd = (hit.x, hit.y) == a || (hit.x, hit.y) == b
    return isEnd && (kind != MRD_SNAP_EDGE || side(MRD_SNAP_VERTEX, Spot((hit.x, hit.y))) < 0)
      ? ["kind \(kind) at a vertex"] : []
  }

  private func crossingObjections(_ hits: [mrd_snap_hit]) -> [String] {
    var texts: [String] = []
    var found: [[Int64]: mrd_snap_hit] = [:]
    for hit in hits where hit.kind == MRD_SNAP_INTERSECTION {
      let pair = key(hit) + [hit.other_layer, hit.other_feature, hit.other_part, hit.other_ring, hit.other_vertex]
      if found.updateValue(hit, forKey: pair) != nil { texts.append("a crossing twice: \(pair)") }
    }
    let near = edges.filter { !isFarOff($0) }
    for (index, one) in near.enumerated() {
      for other in near[(index + 1)...] {
        guard let exact = crossing(one, other) else { continue }
        let pair = [one, other].flatMap { [$0.layer, $0.feature, $0.part, $0.ring, $0.start].map(Int64.init) }
        let hit = found.removeValue(forKey: pair)
        let side = side(MRD_SNAP_INTERSECTION, exact)
        if hit == nil && side < 0 { texts.append("missing crossing \(pair)") }
        if let hit, side > 0 || !exact.x.rounds(to: hit.x) || !exact.y.rounds(to: hit.y) {
          texts.append("crossing \(pair) at \(hit.x) \(hit.y)")
        }
      }
    }
    return texts + found.keys.map { "no such crossing: \($0)" }
  }

  /// nil when they do not meet, overlap, or have an end in common.
  private func crossing(_ one: Edge, _ other: Edge) -> Spot? {
    let (a, b, c, d) = (Spot(one.ends.a), Spot(one.ends.b), Spot(other.ends.a), Spot(other.ends.b))
    let (ux, uy, vx, vy) = (b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y)
    let determinant = ux * vy - uy * vx
    guard determinant.sign != 0 else { return nil }
    let t = ((c.x - a.x) * vy - (c.y - a.y) * vx) / determinant
    let s = ((c.x - a.x) * uy - (c.y - a.y) * ux) / determinant
    let one = ExactRational(1)
    guard t.sign >= 0, t <= one, s.sign >= 0, s <= one else { return nil }
    let atEnds = (t.sign == 0 || t == one) && (s.sign == 0 || s == one)
    return atEnds ? nil : Spot(a.x + ux * t, a.y + uy * t)
  }

  private func areaObjections(_ hits: [mrd_snap_hit]) -> [String] {
    var found: Set<[Int64]> = []
    for hit in hits where hit.kind == MRD_SNAP_AREA { found.insert([hit.layer, hit.feature, hit.part]) }
    var expected: Set<[Int64]> = []
    for (layerNumber, layer) in layers.enumerated() where layer.type == MRD_MULTIPOLYGON {
      for (featureNumber, feature) in layer.features.enumerated() {
        for (partNumber, rings) in feature.parts.enumerated() where isInside(rings) {
          expected.insert([layerNumber, featureNumber, partNumber].map(Int64.init))
        }
      }
    }
    let atPoint = hits.allSatisfy { $0.kind != MRD_SNAP_AREA || ($0.x, $0.y) == point && $0.distance == 0 }
    return (found == expected ? [] : ["areas \(found), not \(expected)"]) + (atPoint ? [] : ["an area elsewhere"])
  }

  /// Inside the shell and in no hole; borders count as inside.
  private func isInside(_ rings: [[(Double, Double)]]) -> Bool {
    let q = Spot(point)
    for (number, ring) in rings.enumerated() {
      var crossings = 0
      for index in ring.indices.dropLast() {
        let (a, b) = (Spot(ring[index]), Spot(ring[index + 1]))
        let side = ((b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x)).sign
        let isInBox = min(a.x, b.x) <= q.x && q.x <= max(a.x, b.x) && min(a.y, b.y) <= q.y && q.y <= max(a.y, b.y)
        if side == 0 && isInBox { return true }
        if (a.y > q.y) != (b.y > q.y) && (side > 0) == (b.y > a.y) { crossings += 1 }
      }
      if (crossings % 2 == 1) != (number == 0) { return false }
    }
    return true
  }
}
