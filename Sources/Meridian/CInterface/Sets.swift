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
  /// Ordinates a coordinate of the geometry that is open.
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
    try checkShape(geoms)
    out.pointee = makeHandle(SetHandle(GeometrySet(GeometryArray(borrowing: geoms.pointee))))
  }
}

/// The contract of `mrd_geoms`, as far as it can be checked without reading every row.
private func checkShape(_ pointer: UnsafePointer<mrd_geoms>) throws(MeridianError) {
  guard pointer.pointee.struct_size >= UInt32(MemoryLayout<mrd_geoms>.size) else {
    throw MeridianError(.abi, "geoms.struct_size is too small")
  }
  let geoms = pointer.pointee
  let type = GeometryType(rawValue: geoms.type)
  guard (1...6).contains(geoms.type) else { throw MeridianError(.argument, "geoms.type is unknown") }
  guard (1...4).contains(geoms.dims) else { throw MeridianError(.argument, "geoms.dims is unknown") }
  guard Int(geoms.n_offsets) == type.offsetLevels else {
    throw MeridianError(.argument, "geoms.n_offsets does not fit the type")
  }
  guard geoms.n_offsets == 0 || geoms.offset_bits == 32 || geoms.offset_bits == 64 else {
    throw MeridianError(.argument, "geoms.offset_bits is neither 32 nor 64")
  }
  guard geoms.length >= 0, geoms.first >= 0, geoms.coords.count >= 0 else {
    throw MeridianError(.argument, "geoms has a negative length")
  }
  guard geoms.length > 0 else { return }
  let offsets = [geoms.offsets.0, geoms.offsets.1, geoms.offsets.2]
  for level in 0..<type.offsetLevels where offsets[level] == nil {
    throw MeridianError(.argument, "geoms.offsets has a NULL where the type needs offsets")
  }
  guard geoms.coords.count == 0 || (geoms.coords.v.0 != nil && geoms.coords.v.1 != nil) else {
    throw MeridianError(.argument, "geoms.coords has no x or no y")
  }
  let strides = [geoms.coords.stride.0, geoms.coords.stride.1, geoms.coords.stride.2, geoms.coords.stride.3]
  let columns = [geoms.coords.v.0, geoms.coords.v.1, geoms.coords.v.2, geoms.coords.v.3]
  for dimension in 0..<4 {
    guard let column = columns[dimension] else { continue }
    guard strides[dimension] % 8 == 0, UInt(bitPattern: column) % 8 == 0 else {
      throw MeridianError(.argument, "geoms.coords is not 8-byte aligned")
    }
  }
  try checkOffsets(GeometryArray(borrowing: geoms))
}

/// Every offset that a row reaches ascends and stays inside the level below, so that no kernel reads past an end.
private func checkOffsets(_ array: GeometryArray) throws(MeridianError) {
  let first = Int(array.geoms.first)
  guard array.type != .point else {
    guard first + array.count <= array.coordinateCount else {
      throw MeridianError(.argument, "geoms.coords.count is less than its points")
    }
    return
  }
  var range = first..<(first + array.count)
  for level in 0..<array.type.offsetLevels {
    var last = array.offset(level, range.lowerBound)
    guard last >= 0 else { throw MeridianError(.argument, "geoms.offsets has a negative offset") }
    let start = last
    for index in range {
      let next = array.offset(level, index + 1)
      guard next >= last else {
        throw MeridianError(.argument, "geoms.offsets descend", row: level == 0 ? index - first : nil)
      }
      last = next
    }
    range = start..<last
  }
  guard range.upperBound <= array.coordinateCount else {
    throw MeridianError(.argument, "geoms.offsets reach past the coordinates")
  }
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
    let model = model.map { GeometryModel($0.pointee) } ?? .planar
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
