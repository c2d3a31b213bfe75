// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What the rules need that know parts, shells and holes: the verdict of OGC, and the structure rule.
///
/// Faces are visited along a tree of the dual graph, back and forth, so that the winding numbers of all rings are at hand in
/// each face although every step touches only the rings of one arc.
struct PartRules {
  private struct Frame: BitwiseCopyable {
    let face: Int32
    var next: Int32
    /// The half-edge that was crossed, from its left; -1 at the start.
    let entry: Int32
  }

  /// A region that has a point of a node in its closure.
  private struct Presence: BitwiseCopyable {
    let node: Int32
    let part: Int32
    /// -1 for the shell, so that it comes first.
    let hole: Int32
  }

  private var frames: ScratchList<Frame>
  private var visited: ScratchList<Bool>
  private var winding: ScratchList<Int32>
  /// Per part: the shell's ring or -1; whether it winds round the present face; how many counted holes do.
  private var shell: ScratchList<Int32>
  private var isInShell: ScratchList<Bool>
  private var holes: ScratchList<Int32>
  private var facesOfPart: ScratchList<Int32>
  /// Per ring: whether its region has faces; for holes, whether the region meets that of the shell.
  private var hasRegion: ScratchList<Bool>
  private var meetsShell: ScratchList<Bool>
  /// Holes round the present face that are not known to meet their shell, a list a part.
  private var listed: ScratchList<Int32>
  private var nextHole: ScratchList<Int32>
  private var formerHole: ScratchList<Int32>
  private var presences: ScratchList<Presence>
  private var stamps: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    frames = ScratchList(call)
    visited = ScratchList(call)
    winding = ScratchList(call)
    shell = ScratchList(call)
    isInShell = ScratchList(call)
    holes = ScratchList(call)
    facesOfPart = ScratchList(call)
    hasRegion = ScratchList(call)
    meetsShell = ScratchList(call)
    listed = ScratchList(call)
    nextHole = ScratchList(call)
    formerHole = ScratchList(call)
    presences = ScratchList(call)
    stamps = ScratchList(call)
  }

  // MARK: Visiting faces

  private mutating func reset(_ rings: RepairRings, _ faces: Faces) throws(Stop) {
    try visited.fill(faces.count, false)
    try winding.fill(rings.rings.count, 0)
    try isInShell.fill(rings.parts, false)
    try holes.fill(rings.parts, 0)
    try shell.fill(rings.parts, -1)
    for index in 0..<rings.rings.count where rings.rings[index].isShell {
      shell[Int(rings.rings[index].part)] = Int32(truncatingIfNeeded: index)
    }
    frames.truncate(0)
  }

  /// Visits all faces from the unbounded one on. `change` is called for every ring whose winding number round the present
  /// face becomes zero or ceases to be, and on the way back again; `arrive` in each new face with the half-edge that was
  /// crossed.
  @inline(__always)
  private mutating func visit(
    _ graph: PlanarGraph, _ faces: Faces, _ poll: inout CancelPoll,
    change: (_ rules: inout PartRules, _ ring: Int, _ isInside: Bool) -> Void,
    arrive: (_ rules: inout PartRules, _ face: Int, _ half: Int) throws(Stop) -> Void
  ) throws(Stop) {
    visited[0] = true
    try arrive(&self, 0, -1)
    try frames.push(Frame(face: 0, next: faces.start[0], entry: -1))
    while frames.count > 0 {
      let top = frames.count - 1
      let frame = frames[top]
      if frame.next == faces.start[Int(frame.face) + 1] {
        frames.truncate(top)
        if frame.entry >= 0 { cross(graph, Int(frame.entry) ^ 1, change) }
        continue
      }
      frames[top].next += 1
      let half = Int(faces.halves[Int(frame.next)])
      let other = faces.right(half)
      if visited[other] { continue }
      visited[other] = true
      if poll.tick() { throw .cancelled }
      cross(graph, half, change)
      try arrive(&self, other, half)
      try frames.push(
        Frame(face: Int32(truncatingIfNeeded: other), next: faces.start[other], entry: Int32(truncatingIfNeeded: half)))
    }
  }

  /// From the left of a half-edge to its right.
  @inline(__always)
  private mutating func cross(
    _ graph: PlanarGraph, _ half: Int, _ change: (_ rules: inout PartRules, _ ring: Int, _ isInside: Bool) -> Void
  ) {
    for index in graph.windingRange(half) {
      let ring = Int(graph.windings[index].ring)
      let step = graph.windings[index].step
      let former = winding[ring]
      winding[ring] = half & 1 == 0 ? former - step : former + step
      if (former == 0) != (winding[ring] == 0) { change(&self, ring, former == 0) }
    }
  }

  // MARK: The verdict, and which holes meet their shell

  /// Whether the row is valid by the rules of OGC, given that no edges cross or run along each other and that no ring is
  /// open or too short: no ring passes a node twice, each part's area is shell minus holes with every hole inside and apart
  /// from the others, no two areas overlap, and each is one face. Finds as well which holes lie in their shell.
  mutating func survey(
    _ graph: PlanarGraph, _ faces: Faces, _ rings: RepairRings, _ poll: inout CancelPoll
  ) throws(Stop) -> Bool {
    try reset(rings, faces)
    try facesOfPart.fill(rings.parts, 0)
    try hasRegion.fill(rings.rings.count, false)
    try meetsShell.fill(rings.rings.count, false)
    try listed.fill(rings.parts, -1)
    try nextHole.resize(rings.rings.count)
    try formerHole.resize(rings.rings.count)
    var isValid = true
    // Areas over the present face and the sum of their parts' numbers, which is the number where there is one area.
    var (areas, sum) = (0, 0)
    try visit(graph, faces, &poll) { (rules: inout PartRules, ring: Int, isInside: Bool) in
      let part = Int(rings.rings[ring].part)
      let isShell = rings.rings[ring].isShell
      if isInside { rules.hasRegion[ring] = true }
      if isShell {
        rules.isInShell[part] = isInside
      } else {
        rules.holes[part] += isInside ? 1 : -1
        rules.list(ring, part, isInside)
      }
      let isMore = isShell == isInside
      areas += isMore ? 1 : -1
      sum += isMore ? part : -part
    } arrive: { (rules: inout PartRules, _: Int, half: Int) throws(Stop) in
      if half < 0 { return }
      for index in graph.windingRange(half) {
        let part = Int(rings.rings[Int(graph.windings[index].ring)].part)
        if rules.isInShell[part] { rules.meetListed(part) }
        let area = (rules.isInShell[part] ? 1 : 0) - Int(rules.holes[part])
        if area < 0 || area > 1 { isValid = false }
      }
      if areas < 0 || areas > 1 { isValid = false }
      if areas == 1 && sum >= 0 && sum < rules.facesOfPart.count { rules.facesOfPart[sum] += 1 }
    }
    for index in 0..<rings.rings.count where rings.rings[index].isShell {
      if facesOfPart[Int(rings.rings[index].part)] != 1 { isValid = false }
    }
    let isSimple = try !hasDoubleVisit(graph, rings)
    return isValid && isSimple
  }

  /// Puts a hole into the list of its part, or takes it out.
  private mutating func list(_ ring: Int, _ part: Int, _ isInside: Bool) {
    if meetsShell[ring] { return }
    if isInside {
      let head = listed[part]
      nextHole[ring] = head
      formerHole[ring] = -1
      if head >= 0 { formerHole[Int(head)] = Int32(truncatingIfNeeded: ring) }
      listed[part] = Int32(truncatingIfNeeded: ring)
      return
    }
    let (next, former) = (nextHole[ring], formerHole[ring])
    if next >= 0 { formerHole[Int(next)] = former }
    if former >= 0 { nextHole[Int(former)] = next } else { listed[part] = next }
  }

  /// All listed holes of a part lie over a face of their shell.
  private mutating func meetListed(_ part: Int) {
    var ring = listed[part]
    listed[part] = -1
    while ring >= 0 {
      meetsShell[Int(ring)] = true
      ring = nextHole[Int(ring)]
    }
  }

  private mutating func hasDoubleVisit(_ graph: PlanarGraph, _ rings: RepairRings) throws(Stop) -> Bool {
    try stamps.fill(graph.nodes, -1)
    for arc in 0..<graph.arcs.count {
      let (node, ring) = (Int(graph.arcs[arc].start), graph.arcs[arc].ring)
      if stamps[node] == ring { return true }
      stamps[node] = ring
    }
    return false
  }

  // MARK: The structure rule

  /// Labels faces: a part is the region of non-zero winding of its shell without those of its holes, a hole whose region
  /// lies apart from its shell's is a part of its own, and all are united. After `survey`.
  mutating func label(
    _ graph: PlanarGraph, _ faces: Faces, _ rings: RepairRings, _ isInside: inout ScratchList<Bool>,
    _ poll: inout CancelPoll
  ) throws(Stop) {
    try findTouchingHoles(graph, faces, rings, &poll)
    try reset(rings, faces)
    try isInside.fill(faces.count, false)
    var covers = 0
    try visit(graph, faces, &poll) { (rules: inout PartRules, ring: Int, isIn: Bool) in
      let part = Int(rings.rings[ring].part)
      covers -= rules.covers(part)
      if rings.rings[ring].isShell {
        rules.isInShell[part] = isIn
      } else if rules.meetsShell[ring] {
        rules.holes[part] += isIn ? 1 : -1
      } else if rules.hasShellRegion(part) {
        covers += isIn ? 1 : -1
      }
      covers += rules.covers(part)
    } arrive: { (_: inout PartRules, face: Int, _: Int) throws(Stop) in
      isInside[face] = covers > 0
    }
  }

  private func covers(_ part: Int) -> Int { isInShell[part] && holes[part] == 0 ? 1 : 0 }

  /// The holes of a shell that encloses nothing go with it.
  private func hasShellRegion(_ part: Int) -> Bool { shell[part] >= 0 && hasRegion[Int(shell[part])] }

  /// A hole outside of its shell that touches it is dropped like one inside that takes nothing away.
  private mutating func findTouchingHoles(
    _ graph: PlanarGraph, _ faces: Faces, _ rings: RepairRings, _ poll: inout CancelPoll
  ) throws(Stop) {
    var isNeeded = false
    for ring in 0..<rings.rings.count where isApart(ring, rings) { isNeeded = true }
    guard isNeeded else { return }
    try reset(rings, faces)
    presences.truncate(0)
    try visit(graph, faces, &poll) { (_: inout PartRules, _: Int, _: Bool) in
    } arrive: { (rules: inout PartRules, face: Int, _: Int) throws(Stop) in
      for index in Int(faces.start[face])..<Int(faces.start[face + 1]) {
        try rules.notePresence(Int(faces.halves[index]), graph, rings)
      }
    }
    presences.sort { a, b in
      if a.node != b.node { return a.node < b.node }
      return a.part != b.part ? a.part < b.part : a.hole < b.hole
    }
    var shellSeen = (node: Int32(-1), part: Int32(-1))
    for index in 0..<presences.count {
      let presence = presences[index]
      if presence.hole < 0 {
        shellSeen = (presence.node, presence.part)
      } else if shellSeen == (presence.node, presence.part) {
        meetsShell[Int(presence.hole)] = true
      }
    }
  }

  private func isApart(_ ring: Int, _ rings: RepairRings) -> Bool {
    !rings.rings[ring].isShell && hasRegion[ring] && !meetsShell[ring] && hasShellRegion(Int(rings.rings[ring].part))
  }

  /// The rings of an arc that wind round the present face are there at its ends.
  private mutating func notePresence(_ half: Int, _ graph: PlanarGraph, _ rings: RepairRings) throws(Stop) {
    for index in graph.windingRange(half) {
      let ring = Int(graph.windings[index].ring)
      let record = rings.rings[ring]
      guard winding[ring] != 0, record.isShell || isApart(ring, rings) else { continue }
      let hole = record.isShell ? -1 : Int32(truncatingIfNeeded: ring)
      let (origin, target) = (
        Int32(truncatingIfNeeded: graph.origin(half)), Int32(truncatingIfNeeded: graph.target(half))
      )
      try presences.push(Presence(node: origin, part: record.part, hole: hole))
      try presences.push(Presence(node: target, part: record.part, hole: hole))
    }
  }
}
