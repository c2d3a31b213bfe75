// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Geometry sets in shared memory: arrays as they lie in memory, so that a worker's kernels read them where they are.
extension SharedBlock {
  func put(_ set: GeometrySet) throws(MeridianError) {
    try put(set.model)
    try put(Int64(set.arrays.count))
    for array in set.arrays { try put(array) }
    guard set.places != nil else { return try put(UInt8(0)) }
    try put(UInt8(1))
    try putPlaces(of: set)
  }

  func put(_ model: GeometryModel) throws(MeridianError) {
    try put(array: [model.edges, model.metric])
    try put(array: [model.semiMajor, model.flattening])
  }

  /// Offsets from 0 on in 64 bits, and ordinates side by side: most arrays are that already.
  private func put(_ array: GeometryArray) throws(MeridianError) {
    let array =
      array.isPlain ? array : GeometrySet(array).selecting(Array(0..<array.count)).arrays[0]
    let geoms = array.geoms
    try put(array: [array.type.rawValue, array.dimensions.rawValue])
    try put(Int64(array.count))
    try put(bytes: geoms.validity, count: geoms.validity == nil ? 0 : (array.count + 7) / 8)
    let offsets = [geoms.offsets.0, geoms.offsets.1, geoms.offsets.2]
    var entries = array.count
    for level in 0..<array.type.offsetLevels {
      try put(bytes: offsets[level], count: (entries + 1) * 8)
      entries = array.offset(level, entries)
    }
    let coordinates = array.type == .point ? array.count : entries
    let v = geoms.coords.v
    for ordinates in [v.0, v.1] + (array.dimensions.hasZ ? [v.2] : []) + (array.dimensions.hasM ? [v.3] : []) {
      try put(bytes: ordinates.map { UnsafeRawPointer($0) }, count: coordinates * 8)
    }
    withExtendedLifetime(array) {}
  }

  private func putPlaces(of set: GeometrySet) throws(MeridianError) {
    var arrays: [Int32] = []
    var indices: [Int64] = []
    for row in 0..<set.count {
      let (array, index): (Int32, Int) =
        switch set.place(ofRow: row) {
        case .null: (PlaceCode.null, 0)
        case .geometry(let array, let index): (Int32(array), index)
        case .collection(let number): (PlaceCode.collection, number)
        }
      arrays.append(array)
      indices.append(Int64(index))
    }
    try put(array: arrays)
    try put(array: indices)
    try put(Int64(set.collections.count))
    for collection in set.collections { try put(collection) }
  }

  private func put(_ collection: GeometrySet.Collection) throws(MeridianError) {
    try put(array: [Int64(collection.row), Int64(collection.dimensions.rawValue)])
    try put(
      array: collection.tokens.flatMap { token -> [Int64] in
        switch token {
        case .begin: [Int64(PlaceCode.begin), 0]
        case .end: [Int64(PlaceCode.end), 0]
        case .geometry(let array, let index): [Int64(array), Int64(index)]
        }
      })
  }
}

/// What stands in the place of an array's number.
private enum PlaceCode {
  static let null: Int32 = -1
  static let collection: Int32 = -2
  static let begin: Int32 = -3
  static let end: Int32 = -4
}

extension GeometryArray {
  fileprivate var isPlain: Bool {
    let geoms = geoms
    let s = geoms.coords.stride
    return geoms.first == 0 && (geoms.offset_bits == 64 || type.offsetLevels == 0) && s.0 == 8
      && s.1 == 8
      && (!dimensions.hasZ || s.2 == 8) && (!dimensions.hasM || s.3 == 8)
      && (type.offsetLevels == 0 || geoms.offsets.0 != nil)
  }
}

extension SharedReader {
  /// - Parameter copies: false = the arrays lie in the shared memory, for as long as it is not written again.
  mutating func set(copies: Bool) throws(MeridianError) -> GeometrySet {
    let model = try model()
    var arrays: [GeometryArray] = []
    let count = try get(Int64.self)
    guard (0...(1 << 20)).contains(count) else { throw Self.broken("\(count) arrays") }
    for _ in 0..<count { arrays.append(try array(model, copies: copies)) }
    guard try get(UInt8.self) == 1 else {
      guard arrays.count == 1 else { throw Self.broken("arrays without places") }
      return GeometrySet(arrays[0])
    }
    return try set(of: arrays, model)
  }

  mutating func model() throws(MeridianError) -> GeometryModel {
    let (kinds, sizes) = (try array(of: Int32.self), try array(of: Double.self))
    guard kinds.count == 2, sizes.count == 2 else { throw Self.broken("a model") }
    return GeometryModel(
      edges: kinds[0], metric: kinds[1], semiMajor: sizes[0], flattening: sizes[1])
  }

  private static func broken(_ what: String) -> MeridianError {
    MeridianError(.internalError, "an answer has \(what) that cannot be")
  }

  private mutating func array(_ model: GeometryModel, copies: Bool) throws(MeridianError)
    -> GeometryArray
  {
    let kinds = try array(of: Int32.self)
    let rows = Int(try get(Int64.self))
    guard kinds.count == 2, (1...6).contains(kinds[0]), (1...4).contains(kinds[1]), rows >= 0 else {
      throw Self.broken("an array")
    }
    let (type, dimensions) = (GeometryType(rawValue: kinds[0]), Dimensions(rawValue: kinds[1]))
    let validity = try bytes()
    guard validity.isEmpty || validity.count >= (rows + 7) / 8 else {
      throw Self.broken("an array")
    }
    var offsets: [UnsafeMutableRawBufferPointer] = []
    var entries = rows
    for _ in 0..<type.offsetLevels {
      let level = try bytes()
      guard level.count == (entries + 1) * 8 else { throw Self.broken("offsets") }
      entries = Int(level.load(fromByteOffset: entries * 8, as: Int64.self))
      guard entries >= 0, entries < 1 << 48 else { throw Self.broken("offsets") }
      offsets.append(level)
    }
    var ordinates: [UnsafeMutableRawBufferPointer] = []
    for _ in 0..<dimensions.count {
      let column = try bytes()
      guard column.count == (type == .point ? rows : entries) * 8 else {
        throw Self.broken("coordinates")
      }
      ordinates.append(column)
    }
    let made: GeometryArray
    if copies {
      made = GeometryArray(
        type: type, dimensions: dimensions, count: rows, offsets: offsets.map(Self.copied),
        ordinates: ordinates.map(Self.copied),
        validity: validity.isEmpty ? nil : Self.copied(validity), model: model)
    } else {
      made = GeometryArray(
        borrowing: Self.geoms(type, dimensions, rows, validity, offsets, ordinates), model: model)
    }
    try made.checkLayout()
    return made
  }

  private static func copied(_ bytes: UnsafeMutableRawBufferPointer) -> Buffer {
    let buffer = Buffer()
    if let start = bytes.baseAddress { buffer.append(from: start, bytes: bytes.count) }
    return buffer
  }

  private static func geoms(
    _ type: GeometryType, _ dimensions: Dimensions, _ rows: Int,
    _ validity: UnsafeMutableRawBufferPointer,
    _ offsets: [UnsafeMutableRawBufferPointer], _ ordinates: [UnsafeMutableRawBufferPointer]
  ) -> mrd_geoms {
    var geoms = mrd_geoms()
    geoms.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    geoms.type = type.rawValue
    geoms.dims = dimensions.rawValue
    geoms.offset_bits = 64
    geoms.n_offsets = UInt32(type.offsetLevels)
    geoms.length = Int64(rows)
    geoms.validity = validity.baseAddress.map {
      UnsafePointer($0.assumingMemoryBound(to: UInt8.self))
    }
    func level(_ index: Int) -> UnsafeRawPointer? {
      index < offsets.count ? offsets[index].baseAddress.map { UnsafeRawPointer($0) } : nil
    }
    geoms.offsets = (level(0), level(1), level(2))
    func column(_ index: Int) -> UnsafePointer<Double>? {
      ordinates[index].baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: Double.self)) }
    }
    geoms.coords.v.0 = column(0)
    geoms.coords.v.1 = column(1)
    if dimensions.hasZ { geoms.coords.v.2 = column(2) }
    if dimensions.hasM { geoms.coords.v.3 = column(dimensions.hasZ ? 3 : 2) }
    geoms.coords.stride = (8, 8, 8, 8)
    geoms.coords.count = Int64(ordinates[0].count / 8)
    return geoms
  }

  private mutating func set(of arrays: [GeometryArray], _ model: GeometryModel)
    throws(MeridianError) -> GeometrySet
  {
    let (numbers, indices) = (try array(of: Int32.self), try array(of: Int64.self))
    let count = try get(Int64.self)
    guard numbers.count == indices.count, (0...Int64(numbers.count)).contains(count) else {
      throw Self.broken("places")
    }
    var collections: [GeometrySet.Collection] = []
    for _ in 0..<count { collections.append(try collection(of: arrays, rows: numbers.count)) }
    var places: [GeometrySet.Place] = []
    places.reserveCapacity(numbers.count)
    for (number, index) in zip(numbers, indices) {
      switch number {
      case PlaceCode.null: places.append(.null)
      case PlaceCode.collection:
        guard collections.indices.contains(Int(index)) else { throw Self.broken("a collection") }
        places.append(.collection(index: Int(index)))
      default:
        places.append(
          .geometry(array: Int(number), index: try Self.checked(Int(number), index, arrays)))
      }
    }
    return GeometrySet(arrays: arrays, places: places, collections: collections, model: model)
  }

  private mutating func collection(
    of arrays: [GeometryArray], rows: Int
  ) throws(MeridianError) -> GeometrySet.Collection {
    let (head, codes) = (try array(of: Int64.self), try array(of: Int64.self))
    guard head.count == 2, (0..<Int64(rows)).contains(head[0]), (1...4).contains(head[1]),
      codes.count % 2 == 0
    else {
      throw Self.broken("a collection")
    }
    var tokens: [GeometrySet.Token] = []
    var depth = 0
    for at in stride(from: 0, to: codes.count, by: 2) {
      switch codes[at] {
      case Int64(PlaceCode.begin):
        tokens.append(.begin)
        depth += 1
      case Int64(PlaceCode.end):
        tokens.append(.end)
        depth -= 1
      default:
        let number = Int(codes[at])
        tokens.append(.geometry(array: number, index: try Self.checked(number, codes[at + 1], arrays)))
      }
      guard depth >= 0 else { throw Self.broken("a collection") }
    }
    guard depth == 0 else { throw Self.broken("a collection") }
    return GeometrySet.Collection(
      row: Int(head[0]), dimensions: Dimensions(rawValue: Int32(head[1])), tokens: tokens)
  }

  private static func checked(_ array: Int, _ index: Int64, _ arrays: [GeometryArray])
    throws(MeridianError) -> Int
  {
    guard arrays.indices.contains(array), (0..<Int64(arrays[array].count)).contains(index) else {
      throw broken("a place")
    }
    return Int(index)
  }
}
