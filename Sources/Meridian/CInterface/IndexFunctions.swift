// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// An index, with the session that its answers are reported to.
private final class IndexHandle {
  let index: BoxIndex
  let session: SessionHandle

  init(_ index: BoxIndex, _ session: SessionHandle) {
    self.index = index
    self.session = session
  }
}

/// Hands out an index that `make` makes.
private func giveIndex(
  _ session: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?, _ make: (CallArguments) throws(MeridianError) -> BoxIndex
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let out = try require(out, "out")
    let index = try make(call)
    out.pointee = makeHandle(IndexHandle(index, call.session))
    call.finish(index.answers)
  }
}

private func indexOptions(_ options: UnsafePointer<mrd_index_options>?) throws(MeridianError) -> mrd_index_options {
  try read(options, "options", zero: mrd_index_options())
}

@c @implementation
public func mrd_index_create(
  _ session: OpaquePointer?, _ set: OpaquePointer?, _ options: UnsafePointer<mrd_index_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveIndex(session, out, run, error) { (call) throws(MeridianError) in
    let raw = try indexOptions(options)
    guard raw.flags == 0 else {
      throw MeridianError(.unsupported, "options.flags: the bounds of a set are the host's own")
    }
    return try BoxIndex(
      host: call.host, set: try requireSet(set, "set"),
      options: IndexOptions(path: raw.path.map { String(cString: $0) }), run: call.run)
  }
}

@c @implementation
public func mrd_index_create_boxes(
  _ session: OpaquePointer?, _ boxes: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_index_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveIndex(session, out, run, error) { (call) throws(MeridianError) in
    try BoxIndex(
      call.host, boxes: try checkedBoxes(boxes, "boxes"), options: try indexOptions(options), run: call.run)
  }
}

@c @implementation
public func mrd_index_open(
  _ session: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ size: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveIndex(session, out, run, error) { (call) throws(MeridianError) in
    guard let bytes, size >= 0 else { throw MeridianError(.argument, "bytes is NULL or its size negative") }
    guard UInt(bitPattern: bytes) % 8 == 0 else { throw MeridianError(.argument, "bytes is not 8-byte aligned") }
    return try BoxIndex(call.host, bytes: bytes, count: Int(size), keeping: nil, run: call.run)
  }
}

@c @implementation
public func mrd_index_open_file(
  _ session: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<mrd_index_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveIndex(session, out, run, error) { (call) throws(MeridianError) in
    try BoxIndex(
      call.host, file: String(cString: try require(path, "path")), options: try indexOptions(options), run: call.run)
  }
}

@c @implementation
public func mrd_index_describe(
  _ index: OpaquePointer?, _ out: UnsafeMutablePointer<mrd_index_facts>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(index, "index", as: IndexHandle.self)
    try fill(try require(out, "out"), with: try handle.index.rawFacts())
  }
}

// MARK: - Questions

/// Hands out what a question to an index found.
private func giveHits(
  _ index: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?,
  _ ask: (BoxIndex, CallArguments) throws(MeridianError) -> (result: ResultHandle, statuses: [RowStatus])
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(index, "index", as: IndexHandle.self)
    let call = try CallArguments(handle.session, run)
    let out = try require(out, "out")
    let (result, statuses) = try ask(handle.index, call)
    out.pointee = makeHandle(result)
    call.finish(handle.index.answers, statuses)
  }
}

@c @implementation
public func mrd_index_window(
  _ index: OpaquePointer?, _ windows: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_window_options>?,
  _ hits: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveHits(index, hits, run, error) { (index, call) throws(MeridianError) in
    let options = try read(options, "options", zero: mrd_window_options())
    let found = try index.window(try checkedBoxes(windows, "windows"), options, call.run)
    let result = ResultHandle()
    if options.mode == MRD_WINDOW_IDS && options.visitor == nil { result.add(MRD_BUF_ROWS, found.offsets) }
    result.add(MRD_BUF_IDS, found.ids)
    return (result, found.statuses.map { RowStatus(rawValue: $0) })
  }
}

@c @implementation
public func mrd_index_nearest(
  _ index: OpaquePointer?, _ queries: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_nearest_options>?,
  _ hits: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveHits(index, hits, run, error) { (index, call) throws(MeridianError) in
    let found = try index.nearest(
      try checkedBoxes(queries, "queries"), try read(options, "options", zero: mrd_nearest_options()), call.run)
    let result = ResultHandle()
    result.add(MRD_BUF_ROWS, found.offsets)
    result.add(MRD_BUF_IDS, found.ids)
    result.add(MRD_BUF_VALUES, found.distances)
    return (result, found.statuses.map { RowStatus(rawValue: $0) })
  }
}

@c @implementation
public func mrd_index_join(
  _ a: OpaquePointer?, _ b: OpaquePointer?, _ pairs: UnsafeMutablePointer<OpaquePointer?>?,
  _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveHits(a, pairs, run, error) { (index, call) throws(MeridianError) in
    let other = b == nil ? nil : try require(b, "b", as: IndexHandle.self).index
    let result = ResultHandle()
    result.add(MRD_BUF_IDS, try index.joinIDs(other, call.run))
    return (result, [])
  }
}

@c @implementation
public func mrd_index_save(
  _ index: OpaquePointer?, _ bytes: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  giveHits(index, bytes, run, error) { (index, call) throws(MeridianError) in
    let result = ResultHandle()
    result.adopt(MRD_BUF_BYTES, try index.savedBytes(call.run))
    return (result, [])
  }
}

// MARK: - Changes

@c @implementation
public func mrd_index_insert(
  _ index: OpaquePointer?, _ boxes: UnsafePointer<mrd_boxes>?, _ ids: UnsafePointer<Int64>?,
  _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(index, "index", as: IndexHandle.self)
    let call = try CallArguments(handle.session, run)
    try handle.index.insert(try checkedBoxes(boxes, "boxes"), ids, call.run)
    call.finish(handle.index.answers)
  }
}

@c @implementation
public func mrd_index_remove(
  _ index: OpaquePointer?, _ ids: UnsafePointer<Int64>?, _ count: Int64, _ removed: UnsafeMutablePointer<Int64>?,
  _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(index, "index", as: IndexHandle.self)
    let call = try CallArguments(handle.session, run)
    guard count == 0 || (count > 0 && ids != nil) else {
      throw MeridianError(.argument, "ids is NULL or count is negative")
    }
    let number = try handle.index.remove(ids, count, call.run)
    removed?.pointee = number
    call.finish(handle.index.answers)
  }
}

@c @implementation
public func mrd_index_release(_ index: OpaquePointer?) { releaseHandle(index, as: IndexHandle.self) }

/// Boxes as the caller describes them, when their contract holds.
private func checkedBoxes(_ boxes: UnsafePointer<mrd_boxes>?, _ name: StaticString) throws(MeridianError) -> mrd_boxes {
  let raw = try read(try require(boxes, name), name, zero: mrd_boxes())
  guard raw.length >= 0 else { throw MeridianError(.argument, "\(name).length is negative") }
  guard raw.length > 0 else { return raw }
  let (v, stride) = (raw.v, raw.stride)
  for (column, stride) in [(v.0, stride.0), (v.1, stride.1), (v.2, stride.2), (v.3, stride.3)] {
    guard let column, stride % 8 == 0, UInt(bitPattern: column) % 8 == 0 else {
      throw MeridianError(.argument, "\(name) has a column that is NULL or not 8-byte aligned")
    }
  }
  return raw
}
