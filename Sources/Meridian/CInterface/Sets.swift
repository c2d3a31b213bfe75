// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A set as C callers hold it, with the 64-bit row maps that `mrd_set_array` hands out.
final class SetHandle {
  let set: GeometrySet
  private let rows: [Buffer?]

  init(_ set: GeometrySet) {
    self.set = set
    rows = set.rows.map { map in
      guard let map else { return nil }
      let buffer = Buffer()
      for row in map { buffer.append(Int64(row)) }
      return buffer
    }
  }

  func rows(ofArray index: Int) -> UnsafePointer<Int64>? {
    guard let buffer = rows[index] else { return nil }
    return UnsafePointer(buffer.pointer?.assumingMemoryBound(to: Int64.self))
  }
}

final class BuilderHandle {
  var builder: GeometryBuilder
  init(_ builder: GeometryBuilder) { self.builder = builder }
}

@c @implementation
public func mrd_set_wrap(
  _ geoms: UnsafePointer<mrd_geoms>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let out = try require(out, "out")
    let geoms = try require(geoms, "geoms")
    let array = GeometryArray(borrowing: try checkedHeader(geoms))
    try array.checkLayout()
    out.pointee = makeHandle(SetHandle(GeometrySet(array)))
  }
}

/// The array as the caller describes it, when the parts of its contract hold that `checkLayout` takes for granted.
private func checkedHeader(_ pointer: UnsafePointer<mrd_geoms>) throws(MeridianError) -> mrd_geoms {
  guard Int(pointer.pointee.struct_size) >= MemoryLayout<mrd_geoms>.size else {
    throw MeridianError(.abi, "geoms.struct_size is too small")
  }
  let geoms = pointer.pointee
  guard Int(geoms.n_offsets) == GeometryType(rawValue: geoms.type).offsetLevels else {
    throw MeridianError(.argument, "geoms.n_offsets does not fit geoms.type")
  }
  guard geoms.n_offsets == 0 || geoms.offset_bits == 32 || geoms.offset_bits == 64 else {
    throw MeridianError(.argument, "geoms.offset_bits is neither 32 nor 64")
  }
  let (v, stride) = (geoms.coords.v, geoms.coords.stride)
  for (column, stride) in [(v.0, stride.0), (v.1, stride.1), (v.2, stride.2), (v.3, stride.3)] {
    guard let column else { continue }
    guard stride % 8 == 0, UInt(bitPattern: column) % 8 == 0 else {
      throw MeridianError(.argument, "geoms.coords is not 8-byte aligned")
    }
  }
  return geoms
}

@c @implementation
public func mrd_set_release(_ set: OpaquePointer?) { releaseHandle(set, as: SetHandle.self) }

@c @implementation
public func mrd_set_length(_ set: OpaquePointer?) -> Int64 {
  guard let set else { return 0 }
  return Int64(object(set, as: SetHandle.self).set.count)
}

@c @implementation
public func mrd_set_array_count(_ set: OpaquePointer?) -> Int64 {
  guard let set else { return 0 }
  return Int64(object(set, as: SetHandle.self).set.arrays.count)
}

@c @implementation
public func mrd_set_array(
  _ set: OpaquePointer?, _ index: Int64, _ out: UnsafeMutablePointer<mrd_geoms>?,
  _ rows: UnsafeMutablePointer<UnsafePointer<Int64>?>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(set, "set", as: SetHandle.self)
    let out = try require(out, "out")
    guard index >= 0, index < Int64(handle.set.arrays.count) else {
      throw MeridianError(.argument, "the set has no such array")
    }
    try fill(out, with: handle.set.arrays[Int(index)].geoms)
    rows?.pointee = handle.rows(ofArray: Int(index))
  }
}

// MARK: - Builder

@c @implementation
public func mrd_builder_create(
  _ model: UnsafePointer<mrd_model>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let out = try require(out, "out")
    let model = model == nil ? .planar : GeometryModel(try read(model, "model", zero: mrd_model()))
    out.pointee = makeHandle(BuilderHandle(GeometryBuilder(model: model)))
  }
}

@c @implementation
public func mrd_builder_release(_ builder: OpaquePointer?) { releaseHandle(builder, as: BuilderHandle.self) }

@c @implementation
public func mrd_builder_begin(
  _ builder: OpaquePointer?, _ type: Int32, _ dims: Int32, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    try require(builder, "builder", as: BuilderHandle.self).builder
      .begin(GeometryType(rawValue: type), Dimensions(rawValue: dims))
  }
}

@c @implementation
public func mrd_builder_part(_ builder: OpaquePointer?, _ error: UnsafeMutablePointer<mrd_error>?) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    try require(builder, "builder", as: BuilderHandle.self).builder.part()
  }
}

@c @implementation
public func mrd_builder_ring(_ builder: OpaquePointer?, _ error: UnsafeMutablePointer<mrd_error>?) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    try require(builder, "builder", as: BuilderHandle.self).builder.ring()
  }
}

@c @implementation
public func mrd_builder_coords(
  _ builder: OpaquePointer?, _ values: UnsafePointer<Double>?, _ count: Int64,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(builder, "builder", as: BuilderHandle.self)
    guard count >= 0 else { throw MeridianError(.argument, "count is negative") }
    guard count > 0 else { return }
    try handle.builder.add(interleaved: try require(values, "values"), count: Int(count))
  }
}

@c @implementation
public func mrd_builder_end(_ builder: OpaquePointer?, _ error: UnsafeMutablePointer<mrd_error>?) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    try require(builder, "builder", as: BuilderHandle.self).builder.end()
  }
}

@c @implementation
public func mrd_builder_null(_ builder: OpaquePointer?, _ error: UnsafeMutablePointer<mrd_error>?) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    try require(builder, "builder", as: BuilderHandle.self).builder.null()
  }
}

@c @implementation
public func mrd_builder_finish(
  _ builder: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(builder, "builder", as: BuilderHandle.self)
    let out = try require(out, "out")
    out.pointee = makeHandle(SetHandle(try handle.builder.finish()))
  }
}
