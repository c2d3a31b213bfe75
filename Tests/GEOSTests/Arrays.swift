// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Owns one block of values at a fixed address.
final class Block<Element> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(_ values: [Element]) {
    count = values.count
    base = .allocate(capacity: max(1, values.count))
    base.initialize(from: values, count: values.count)
  }

  deinit { base.deallocate() }
}

/// A geometry array in the layout of the ABI, made from rows of one type; nil is a null row.
final class TestArray {
  let pointer = UnsafeMutablePointer<mrd_geoms>.allocate(capacity: 1)
  private let offsets: [Block<Int64>]
  private let ordinates: [Block<Double>]
  private let validity: Block<UInt8>
  private let model: Block<mrd_model>?

  enum Layout { case separated, interleaved, reversed }

  init(_ rows: [Shape?], type: Int32? = nil, layout: Layout = .separated, model: mrd_model? = nil, flags: UInt32 = 0) {
    let kind = type ?? rows.compactMap { $0 }.first?.type ?? MRD_POINT
    var levels: [[Int64]] = [[0], [0], [0]]
    var coordinates: [[Double]] = []
    var bits = [UInt8](repeating: 0, count: rows.count / 8 + 1)
    for (index, row) in rows.enumerated() {
      if row != nil { bits[index / 8] |= 1 << UInt8(index % 8) }
      TestArray.append(row?.parts ?? [], kind, &levels, &coordinates)
    }
    let dims = coordinates.map(\.count).max() ?? 2
    let columns = (0..<dims).map { d in coordinates.map { d < $0.count ? $0[d] : Double.nan } }
    var coords = mrd_coords()
    coords.count = Int64(coordinates.count)
    var blocks: [Block<Double>] = []
    switch layout {
    case .separated: blocks = columns.map { Block($0) }
    case .interleaved: blocks = [Block(coordinates.flatMap { $0 })]
    case .reversed: blocks = columns.map { Block(Array($0.reversed())) }
    }
    let starts: [UnsafePointer<Double>] = (0..<dims).map { d in
      switch layout {
      case .separated: UnsafePointer(blocks[d].base)
      case .interleaved: UnsafePointer(blocks[0].base + d)
      case .reversed: UnsafePointer(blocks[d].base + max(0, coordinates.count - 1))
      }
    }
    let stride: Int64 = layout == .separated ? 8 : layout == .interleaved ? Int64(8 * dims) : -8
    coords.v = (starts[0], starts[1], dims > 2 ? starts[2] : nil, dims > 3 ? starts[3] : nil)
    coords.stride = (stride, stride, stride, stride)
    let count =
      kind == MRD_POINT ? 0 : kind == MRD_MULTIPOLYGON ? 3 : kind == MRD_LINESTRING || kind == MRD_MULTIPOINT ? 1 : 2
    offsets = levels.prefix(count).map { Block($0) }
    ordinates = blocks
    validity = Block(bits)
    self.model = model.map { Block([$0]) }
    var geoms = mrd_geoms()
    geoms.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    geoms.flags = flags
    geoms.type = kind
    geoms.dims = dims == 2 ? MRD_XY : dims == 3 ? MRD_XYZ : MRD_XYZM
    geoms.offset_bits = 64
    geoms.n_offsets = UInt32(count)
    geoms.length = Int64(rows.count)
    geoms.validity = UnsafePointer(validity.base)
    func level(_ index: Int) -> UnsafeRawPointer? { index < count ? UnsafeRawPointer(offsets[index].base) : nil }
    geoms.offsets = (level(0), level(1), level(2))
    geoms.coords = coords
    geoms.model = self.model.map { UnsafePointer($0.base) }
    pointer.initialize(to: geoms)
  }

  convenience init(wkt texts: [String?], layout: Layout = .separated) {
    self.init(texts.map { $0.map { MeridianTestWkt($0) } }, layout: layout)
  }

  deinit { pointer.deallocate() }

  var count: Int { Int(pointer.pointee.length) }

  private static func append(
    _ parts: [[[[Double]]]], _ type: Int32, _ levels: inout [[Int64]], _ coordinates: inout [[Double]]
  ) {
    func add(_ ring: [[Double]]) -> Int64 {
      coordinates += ring
      return Int64(coordinates.count)
    }
    switch type {
    case MRD_POINT: _ = add(parts.first?.first ?? [[.nan, .nan]])
    case MRD_LINESTRING, MRD_MULTIPOINT: levels[0].append(add(parts.first?.first ?? []))
    case MRD_POLYGON, MRD_MULTILINESTRING:
      for ring in parts.first ?? [] { levels[1].append(add(ring)) }
      levels[0].append(Int64(levels[1].count - 1))
    default:
      for polygon in parts {
        for ring in polygon { levels[2].append(add(ring)) }
        levels[1].append(Int64(levels[2].count - 1))
      }
      levels[0].append(Int64(levels[1].count - 1))
    }
  }
}

/// A name for the reader that no parameter label hides.
func MeridianTestWkt(_ text: String) -> Shape { wkt(text) }
