// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

@c @implementation
public func mrd_plugin_entry_v1(
  _ host: UnsafePointer<mrd_host>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> UnsafePointer<mrd_plugin>? {
  acceptsHost(host, error) ? address(&plugin) : nil
}

private nonisolated(unsafe) var plugin = mrd_plugin(
  struct_size: UInt32(MemoryLayout<mrd_plugin>.size), abi: MRD_ABI_VERSION, id: cString("meridian.sqlite"),
  name: cString("SQLite R-tree index"), vendor: cString("Meridian"), version: cString("0.1.0"),
  license: cString("Apache-2.0"),
  build: sqlite3_libversion(), init: nil, get_family: { getFamily($0) }, get_extension: nil)

@c func getFamily(_ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  guard let id, strcmp(id, MRD_FAMILY_INDEX) == 0 else { return nil }
  return UnsafeRawPointer(address(&family))
}

private nonisolated(unsafe) var family = mrd_family_index(
  struct_size: UInt32(MemoryLayout<mrd_family_index>.size), pad0: 0, info: { indexInfo($0) },
  build: { build($0, $1, $2, $3) }, release: { release($0) }, facts: { facts($0, $1, $2) },
  window: { window($0, $1, $2, $3) }, nearest: { nearest($0, $1, $2, $3) }, join: { join($0, $1, $2) },
  insert: { insert($0, $1, $2, $3) }, remove: { remove($0, $1, $2, $3, $4) }, save: { save($0, $1) },
  open: { open($0, $1, $2, $3) }, open_file: { openFile($0, $1, $2, $3) })

private func build(
  _ boxes: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_index_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let options = try indexOptions(options)
    out.pointee = try SQLiteIndex.build(try BoxArray(known: boxes), path: options.path, call).retainedHandle()
  }
}

private func release(_ index: OpaquePointer?) {
  if let index { Unmanaged<SQLiteIndex>.fromOpaque(UnsafeRawPointer(index)).release() }
}

private func facts(
  _ index: OpaquePointer?, _ out: UnsafeMutablePointer<mrd_index_facts>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  guard let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_index_facts>.size) else {
    return mrd_fail(error, MRD_E_ABI, -1, -1, "the facts are NULL or their struct_size is too small")
  }
  do throws(Failure) {
    let index = try SQLiteIndex.from(index)
    try index.locked(nil) { () throws(Failure) in
      let bounds = try index.currentBounds()
      out.pointee.flags = index.flags
      out.pointee.boxes = index.boxes
      out.pointee.never_hit = index.neverHit
      out.pointee.bytes = try index.memory()
      out.pointee.bounds = (bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax)
    }
    return MRD_OK
  } catch let failure {
    return failure.message.withUnsafeBufferPointer { mrd_fail(error, failure.status, -1, -1, $0.baseAddress) }
  }
}

private func window(
  _ index: OpaquePointer?, _ windows: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_window_options>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let options = try known(options, mrd_window_options())
    try runWindows(try SQLiteIndex.from(index), try BoxArray(known: windows), options, call)
  }
}

private func nearest(
  _ index: OpaquePointer?, _ queries: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_nearest_options>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let options = try known(options, mrd_nearest_options())
    try runNearest(try SQLiteIndex.from(index), try BoxArray(known: queries), options, call)
  }
}

private func join(_ a: OpaquePointer?, _ b: OpaquePointer?, _ call: UnsafeMutablePointer<mrd_call>?) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let first = try SQLiteIndex.from(a)
    try runJoin(first, b == nil ? first : try SQLiteIndex.from(b), call)
  }
}

private func insert(
  _ index: OpaquePointer?, _ boxes: UnsafePointer<mrd_boxes>?, _ ids: UnsafePointer<Int64>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let index = try SQLiteIndex.from(index)
    let boxes = try BoxArray(known: boxes)
    try index.requireWritable()
    try index.requireSameEdges(boxes.isCurved)
    try index.locked(call) { () throws(Failure) in try index.insert(boxes, ids: ids, call) }
  }
}

private func remove(
  _ index: OpaquePointer?, _ ids: UnsafePointer<Int64>?, _ count: Int64, _ removed: UnsafeMutablePointer<Int64>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let index = try SQLiteIndex.from(index)
    guard count == 0 || (count > 0 && ids != nil) else { throw Failure(MRD_E_ARGUMENT, "the ids are missing") }
    try index.requireWritable()
    let list = UnsafeBufferPointer(start: ids, count: ids == nil ? 0 : Int(count))
    let gone = try index.locked(call) { () throws(Failure) in try index.remove(list, call) }
    removed?.pointee = gone
  }
}

private func save(_ index: OpaquePointer?, _ call: UnsafeMutablePointer<mrd_call>?) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let index = try SQLiteIndex.from(index)
    try index.locked(call) { () throws(Failure) in try index.save(call) }
  }
}

private func open(
  _ bytes: UnsafeRawPointer?, _ size: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    guard let bytes, size >= 0 else { throw Failure(MRD_E_ARGUMENT, "there are no bytes to open") }
    out.pointee = try SQLiteIndex.open(bytes, size: Int(size), call).retainedHandle()
  }
}

private func openFile(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<mrd_index_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ARGUMENT }
  return answer(call) { () throws(Failure) in
    let readOnly = try indexOptions(options).flags & MRD_INDEX_READ_ONLY != 0
    guard let path, path.pointee != 0 else {
      throw Failure(MRD_E_ARGUMENT, "the path of the index is missing or empty")
    }
    let database = try Database.file(path, readOnly: readOnly)
    out.pointee = try SQLiteIndex.open(database, readOnly: readOnly, inFile: true, call).retainedHandle()
  }
}

/// BORROW_BOXES needs no action: SQLite has its own copy anyway.
private func indexOptions(_ options: UnsafePointer<mrd_index_options>?) throws(Failure) -> mrd_index_options {
  let known = try known(options, mrd_index_options())
  guard known.flags & ~(MRD_INDEX_BORROW_BOXES | MRD_INDEX_READ_ONLY) == 0 else {
    throw Failure(MRD_E_UNSUPPORTED, "unknown index flags")
  }
  return known
}

/// Options of which every byte is known; `zero` when there are none.
private func known<T>(_ options: UnsafePointer<T>?, _ zero: T) throws(Failure) -> T {
  if let known = readOptions(options, zero: zero) { return known }
  throw Failure(MRD_E_UNSUPPORTED, "options that this kernel does not know are set")
}
