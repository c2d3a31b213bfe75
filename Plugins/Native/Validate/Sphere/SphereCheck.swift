// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The dialect of the sphere: edges are great circles, the shorter way, between the unit vectors of longitudes and latitudes.
/// The rules are those of OGC with "inside" as the sphere has it.
extension PolygonCheck {
  var isSpherical: Bool { options.dialect == MRD_DIALECT_SPHERICAL }

  /// What is wrong with a path alone: latitudes beyond the poles, and edges between opposite points, which any great circle would
  /// join. True when nothing is.
  mutating func isOnSphere(_ path: Range<Int>, _ part: Int, _ ring: Int) -> Bool {
    let before = findings.count
    for index in path {
      let place = geoms.place(index)
      guard place.x.isFinite, place.y.isFinite else { return false }
      let vertex = index &- path.lowerBound
      if place.y.magnitude > 90 {
        // The closing vertex is the first one again.
        if ring >= 0 && vertex > 0 && index == path.upperBound &- 1 && place == geoms.place(path.lowerBound) {
          continue
        }
        report(MRD_PROBLEM_LATITUDE_RANGE, MRD_JTS_NONE, part, ring, vertex, place)
      } else if vertex > 0 {
        let last = geoms.place(index &- 1)
        if last == place || last.y.magnitude > 90 { continue }
        let (a, b) = (
          Vector(longitude: last.x, latitude: last.y), Vector(longitude: place.x, latitude: place.y)
        )
        if a.hasNoCircle(with: b) {
          // At the lesser end, so that the direction of the path does not matter.
          let end = last < place ? last : place
          report(MRD_PROBLEM_ANTIPODAL_EDGE, MRD_JTS_NONE, part, ring, vertex &- 1, end)
        }
      }
      if poll.tick() { return false }
    }
    return findings.count == before
  }

  /// Judges a row of polygons whose places are canonical.
  mutating func checkSphere(_ row: Int) -> EdgeSet? {
    sphere = nil
    guard let edges = loadWithCare(row) else { return nil }
    if hasEnough || edges.chainCount == 0 { return edges }
    guard let vectors = sphereRooms.vectors.room(for: edges.count) else { return nil }
    for vertex in 0..<edges.count {
      vectors[vertex] = Vector(longitude: edges.x[vertex], latitude: edges.y[vertex])
      if poll.tick() { return nil }
    }
    let sphere = SphereEdges(edges: edges, vectors: vectors)
    self.sphere = sphere
    if search(sphere) != .done { return nil }
    if !hasEnough { judge(sphere) }
    return edges
  }

  private mutating func search(_ sphere: SphereEdges) -> SearchOutcome {
    let edges = sphere.edges
    for chain in 0..<edges.chainCount {
      for vertex in edges.chains[chain].edges {
        if let spike = sphere.spike(at: vertex) { contacts.append(spike) }
        if poll.tick() { return .failed }
      }
    }
    noteSpikes()
    if hasEnough { return .done }
    guard sphereRooms.tree.build(sphere) else { return .failed }
    let tree = sphereRooms.tree
    for chain in 0..<edges.chainCount {
      for edge in edges.chains[chain].edges {
        let goesOn = tree.forEachPartner(of: edge, sphere) { other in note(edge, other, sphere) }
        if let end = end(goesOn) { return end }
        if poll.tick(8) { return .failed }
      }
    }
    return .done
  }

  /// False = that is enough.
  private mutating func note(_ edge: Int, _ other: Int, _ sphere: SphereEdges) -> Bool {
    if poll.tick() { return false }
    let meeting = sphere.meeting(edge, other)
    if case .apart = meeting { return true }
    return sphere.contact(edge, other, meeting).map { keep($0) } ?? true
  }

  private mutating func judge(_ sphere: SphereEdges) {
    guard gatherFacts(sphere.edges) else {
      failed = true
      return
    }
    if contacts.count > 0 { judgeContacts(sphere) }
    if !tally.hasAllFaults || hasEnough { return }
    // One shell alone has nothing that it could lie in.
    if sphere.edges.chainCount > 1 || sphere.edges.chains[0].ring > 0 { judgeNesting(sphere) }
    if hasEnough { return }
    guard tally.hasAllTouches else {
      // Whether the interior hangs together cannot be told.
      hasVerdict = false
      return
    }
    stops.truncate(0)
    if contacts.count > 0 { judgeConnectedness(sphere.edges) }
  }
}
