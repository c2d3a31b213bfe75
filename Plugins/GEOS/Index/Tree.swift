// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

/// An STR-tree of GEOS with the true boxes beside it: the tree finds candidates, the boxes decide.
final class Tree {
  let tree: OpaquePointer
  let boxes: UnsafeMutablePointer<Box>
  let count: Int
  private(set) var neverHit = 0
  private(set) var bounds = Box.empty

  /// GEOS's own default.
  private static let nodeCapacity = 10

  private init(tree: OpaquePointer, boxes: UnsafeMutablePointer<Box>, count: Int) {
    self.tree = tree
    self.boxes = boxes
    self.count = count
  }

  deinit {
    free(boxes)
    // Destroying needs a context for messages only.
    if let context = GEOS_init_r() {
      GEOSSTRtree_destroy_r(context, tree)
      GEOS_finish_r(context)
    }
  }

  /// nil: `status` says why.
  static func build(_ source: BoxArray, _ session: Session, _ status: inout mrd_status) -> Tree? {
    let (bytes, overflow) = source.count.multipliedReportingOverflow(by: MemoryLayout<Box>.stride)
    guard !overflow, let memory = malloc(max(1, bytes)) else {
      status = fail(session.call, MRD_E_MEMORY, "no memory for the boxes")
      return nil
    }
    let boxes = memory.bindMemory(to: Box.self, capacity: source.count)
    guard let handle = GEOSSTRtree_create_r(session.context, nodeCapacity) else {
      free(boxes)
      status = session.failure()
      return nil
    }
    let tree = Tree(tree: handle, boxes: boxes, count: source.count)
    for id in 0..<source.count {
      boxes[id] = source[id]
      if id & 4095 == 0, session.call.isCancelled {
        status = session.cancelled()
        return nil
      }
      guard tree.insert(id, session) else {
        status = session.failure()
        return nil
      }
    }
    // GEOS builds the tree at the first query: done here, where no other thread can be in it.
    guard tree.candidates(Box(xmin: 0, ymin: 0, xmax: 0, ymax: 0), session, { _ in }) else {
      status = session.failure()
      return nil
    }
    return tree
  }

  private func insert(_ id: Int, _ session: Session) -> Bool {
    let box = boxes[id]
    guard box.canBeHit else {
      neverHit += 1
      return true
    }
    bounds.grow(box)
    guard let rectangle = session.rectangle(box.clamped) else { return false }
    // The tree copies the envelope. Item 0 would be NULL, which GEOS may take for none.
    session.consume(rectangle) {
      GEOSSTRtree_insert_r(session.context, tree, $0, UnsafeMutableRawPointer(bitPattern: id + 1))
    }
    return true
  }

  /// Calls `body` with the ids of all boxes that meet `window`, in the tree's order. False = GEOS failed.
  func hits(_ window: Box, _ session: Session, _ body: (Int) -> Void) -> Bool {
    guard window.canBeHit else { return true }
    return candidates(window, session) { id in
      if id < count, boxes[id].meets(window) { body(id) }
    }
  }

  private func candidates(_ window: Box, _ session: Session, _ body: (Int) -> Void) -> Bool {
    guard let rectangle = session.rectangle(window.clamped) else { return false }
    return session.consume(rectangle) { rectangle in
      withoutActuallyEscaping(body) { body in
        // GEOS holds no reference to the visitor.
        withExtendedLifetime(Visitor(body)) { visitor in
          GEOSSTRtree_query_r(
            session.context, tree, rectangle,
            { item, userdata in
              guard let item, let userdata else { return }
              Unmanaged<Visitor>.fromOpaque(userdata).takeUnretainedValue().body(Int(bitPattern: item) - 1)
            }, Unmanaged.passUnretained(visitor).toOpaque())
        }
        return true
      }
    }
  }

  /// Carries a closure through GEOS's callback.
  private final class Visitor {
    let body: (Int) -> Void
    init(_ body: @escaping (Int) -> Void) { self.body = body }
  }
}

extension Session {
  func rectangle(_ box: Box) -> Geometry? {
    GEOSGeom_createRectangle_r(context, box.xmin, box.ymin, box.xmax, box.ymax)
  }
}

/// The tree behind a handle.
func tree(_ index: OpaquePointer?) -> Tree? {
  index.map { Unmanaged<Tree>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}
