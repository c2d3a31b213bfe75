// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// How the coordinates of a `TestGeoms` lie in memory.
public enum TestLayout: CaseIterable, Sendable { case separated, interleaved, backward }

/// A geometry array from WKT literals of one type; nil is a null row. A spare row in front makes `first` non-zero, so
/// that no test passes by ignoring it.
public final class TestGeoms {
  public let rows: Int
  private let geoms: UnsafeMutablePointer<mrd_geoms>
  private let model: UnsafeMutablePointer<mrd_model>
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Coordinates of 2, 3 or 4 ordinates are XY, XYZ, XYZM.
  public init(
    _ wkt: [String?], edges: Int32 = MRD_EDGES_PLANAR, metric: Int32 = MRD_METRIC_COORD, radius: Double = 6_378_137,
    flattening: Double = 1 / 298.257223563, layout: TestLayout = .separated, offsetBits: Int = 64
  ) throws {
    rows = wkt.count
    let parsed = try wkt.map { try $0.map(ParsedWKT.init) }
    let type = parsed.compactMap { $0 }.first?.type ?? MRD_POINT
    guard parsed.allSatisfy({ $0 == nil || $0?.type == type }) else { throw TestFailure("rows of several types") }
    let width = parsed.compactMap { $0?.coordinates.first?.count }.first ?? 2
    let levels = [0, 0, 1, 2, 1, 2, 3][Int(type)]

    var offsets = Array(repeating: [Int64(0)], count: levels)
    var coordinates: [[Double]] = []
    func add(_ node: Node, level: Int) {
      switch node {
      case .coordinate(let values): coordinates.append(values)
      case .list(let children):
        for child in children { add(child, level: level + 1) }
        if level < levels {
          offsets[level].append(Int64(level + 1 < levels ? offsets[level + 1].count - 1 : coordinates.count))
        }
      }
    }
    // A spare row in front for `first`.
    if type == MRD_POINT { coordinates.append(Array(repeating: 7, count: width)) } else { add(.list([]), level: 0) }
    for row in parsed {
      if type == MRD_POINT {
        coordinates.append(row?.coordinates.first ?? Array(repeating: .nan, count: width))
      } else {
        add(row?.root ?? .list([]), level: 0)
      }
    }

    geoms = .allocate(capacity: 1)
    model = .allocate(capacity: 1)
    model.initialize(
      to: mrd_model(
        struct_size: UInt32(MemoryLayout<mrd_model>.size), edges: edges, metric: metric, pad0: 0, semi_major: radius,
        flattening: flattening))
    geoms.initialize(to: mrd_geoms())
    geoms.pointee.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    geoms.pointee.type = type
    geoms.pointee.dims = [0, 0, MRD_XY, MRD_XYZ, MRD_XYZM][width]
    geoms.pointee.offset_bits = UInt32(offsetBits)
    geoms.pointee.n_offsets = UInt32(levels)
    geoms.pointee.length = Int64(rows)
    geoms.pointee.first = 1
    geoms.pointee.model = UnsafePointer(model)
    geoms.pointee.validity = UnsafePointer(bits([true] + parsed.map { $0 != nil }))
    if levels > 0 { geoms.pointee.offsets.0 = store(offsets[0], offsetBits) }
    if levels > 1 { geoms.pointee.offsets.1 = store(offsets[1], offsetBits) }
    if levels > 2 { geoms.pointee.offsets.2 = store(offsets[2], offsetBits) }
    store(coordinates, width, layout)
  }

  deinit {
    for block in blocks { block.deallocate() }
    geoms.deallocate()
    model.deallocate()
  }

  public var pointer: UnsafePointer<mrd_geoms> { UnsafePointer(geoms) }
  /// For tests that break the array on purpose.
  public var mutable: UnsafeMutablePointer<mrd_geoms> { geoms }

  private func allocate(_ bytes: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: max(8, bytes), alignment: 8)
    blocks.append(block)
    return block
  }

  private func bits(_ values: [Bool]) -> UnsafeMutablePointer<UInt8> {
    let bytes = allocate(values.count / 8 + 1).bindMemory(to: UInt8.self, capacity: values.count / 8 + 1)
    bytes.update(repeating: 0, count: values.count / 8 + 1)
    for (index, value) in values.enumerated() where value { bytes[index / 8] |= 1 << UInt8(index % 8) }
    return bytes
  }

  private func store(_ offsets: [Int64], _ bits: Int) -> UnsafeRawPointer {
    let block = allocate(offsets.count * bits / 8)
    for (index, value) in offsets.enumerated() {
      if bits == 64 {
        block.storeBytes(of: value, toByteOffset: index * 8, as: Int64.self)
      } else {
        block.storeBytes(of: Int32(value), toByteOffset: index * 4, as: Int32.self)
      }
    }
    return UnsafeRawPointer(block)
  }

  private func store(_ coordinates: [[Double]], _ width: Int, _ layout: TestLayout) {
    let count = coordinates.count
    let block = allocate(count * width * 8).bindMemory(to: Double.self, capacity: max(1, count * width))
    var columns: [UnsafePointer<Double>] = []
    var stride = Int64(8)
    for dimension in 0..<width {
      for (index, values) in coordinates.enumerated() {
        let value = dimension < values.count ? values[dimension] : .nan
        switch layout {
        case .separated: block[dimension * count + index] = value
        case .interleaved: block[index * width + dimension] = value
        case .backward: block[dimension * count + count - 1 - index] = value
        }
      }
      switch layout {
      case .separated: columns.append(UnsafePointer(block + dimension * count))
      case .interleaved:
        columns.append(UnsafePointer(block + dimension))
        stride = Int64(width * 8)
      case .backward:
        columns.append(UnsafePointer(block + dimension * count + max(0, count - 1)))
        stride = -8
      }
    }
    geoms.pointee.coords.count = Int64(count)
    geoms.pointee.coords.stride = (stride, stride, stride, stride)
    geoms.pointee.coords.v.0 = columns[0]
    geoms.pointee.coords.v.1 = columns[1]
    if width > 2 { geoms.pointee.coords.v.2 = columns[2] }
    if width > 3 { geoms.pointee.coords.v.3 = columns[3] }
  }
}

/// The parenthesised part of a WKT literal.
private indirect enum Node {
  case coordinate([Double])
  case list([Node])
}

/// As much WKT as tests write: a keyword, nested parentheses, numbers, EMPTY.
private struct ParsedWKT {
  let type: Int32
  let root: Node

  init(_ text: String) throws {
    let keywords: [(String, Int32)] = [
      ("MULTIPOLYGON", MRD_MULTIPOLYGON), ("MULTILINESTRING", MRD_MULTILINESTRING), ("MULTIPOINT", MRD_MULTIPOINT),
      ("POLYGON", MRD_POLYGON), ("LINESTRING", MRD_LINESTRING), ("POINT", MRD_POINT),
    ]
    guard let (keyword, type) = keywords.first(where: { text.hasPrefix($0.0) }) else {
      throw TestFailure("no geometry: \(text)")
    }
    self.type = type
    var rest = Array(text.dropFirst(keyword.count).drop { $0 != "(" })
    if text.contains("EMPTY") {
      root = .list([])
      return
    }
    rest.reverse()
    root = try ParsedWKT.list(&rest, text)
  }

  var coordinates: [[Double]] { ParsedWKT.flatten(root) }

  private static func flatten(_ node: Node) -> [[Double]] {
    switch node {
    case .coordinate(let values): [values]
    case .list(let children): children.flatMap(flatten)
    }
  }

  /// Reads "(...)" from the end of `rest`, which is reversed.
  private static func list(_ rest: inout [Character], _ text: String) throws -> Node {
    while rest.last == " " { rest.removeLast() }
    guard rest.popLast() == "(" else { throw TestFailure("expected ( in \(text)") }
    var children: [Node] = []
    while true {
      while rest.last == " " { rest.removeLast() }
      if rest.last == "(" {
        children.append(try list(&rest, text))
      } else {
        var word = ""
        while let next = rest.last, next != ",", next != ")" {
          word.append(next)
          rest.removeLast()
        }
        let numbers = word.split(separator: " ").map { Double($0) }
        guard numbers.allSatisfy({ $0 != nil }) else { throw TestFailure("no number in \(word) of \(text)") }
        if !numbers.isEmpty { children.append(.coordinate(numbers.compactMap { $0 })) }
      }
      while rest.last == " " { rest.removeLast() }
      switch rest.popLast() {
      case ",": continue
      case ")": return .list(children)
      default: throw TestFailure("unclosed parenthesis in \(text)")
      }
    }
  }
}
