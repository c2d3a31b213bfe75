// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Builds a `GeometrySet` row by row: `begin`, the parts, rings and coordinates, `end`. Rows of mixed types and
/// dimensions, nulls and nested collections are all welcome; each goes to the array of its kind.
///
/// Not thread-safe. The calls are the C host ABI's `mrd_builder_*`; a call out of order throws and changes nothing. `add`
/// of one coordinate is too hot to throw: what is wrong with it, a coordinate outside of a ring or no memory for it, is
/// thrown by `end`, which drops the geometry.
///
/// ```swift
/// var builder = GeometryBuilder(model: .wgs84)
/// try builder.begin(.lineString, .xy)
/// builder.add(7, 47)
/// builder.add(8, 47)
/// try builder.end()
/// let set = try builder.finish()
/// ```
public struct GeometryBuilder {
  /// The growing array of one type and dimension.
  private final class Column {
    let type: GeometryType
    let dimensions: Dimensions
    var count = 0
    let offsets: [Buffer]
    let ordinates: [Buffer]
    var coordinates = 0

    init(_ type: GeometryType, _ dimensions: Dimensions) {
      self.type = type
      self.dimensions = dimensions
      offsets = (0..<type.offsetLevels).map { _ in Buffer() }
      ordinates = (0..<dimensions.count).map { _ in Buffer() }
      for buffer in offsets { buffer.append(Int64(0)) }
    }

    /// Entries so far of what level `level` counts: coordinates for the innermost level.
    func entries(below level: Int) -> Int {
      level + 1 < offsets.count ? offsets[level + 1].count / 8 - 1 : coordinates
    }
    /// False = no memory.
    func close(level: Int) -> Bool { offsets[level].tryAppend(Int64(entries(below: level))) }
    /// Keeps the first `rows` geometries and forgets everything after them, closed or not. The offsets of the rows that
    /// stay say how long each buffer was, so nothing has to be remembered when a row begins.
    func truncate(rows: Int) {
      var entries = rows
      for buffer in offsets {
        _ = buffer.resize((entries + 1) * 8)
        entries = Int(buffer.values(Int64.self)[entries])
      }
      for buffer in ordinates { _ = buffer.resize(entries * 8) }
      coordinates = entries
      count = rows
    }
  }

  private let model: GeometryModel
  private var columns: [Column] = []
  private var places: [GeometrySet.Place] = []
  private var collections: [GeometrySet.Collection] = []
  /// Tokens of the collection that is open, and how deep it is nested; depth 0 = none.
  private var tokens: [GeometrySet.Token] = []
  private var depth = 0
  private var collectionDimensions = Dimensions.xy
  /// The geometry that is open.
  private var open: Int?
  /// Whether a part, a ring was opened in it and is not closed yet.
  private var partOpen = false
  private var ringOpen = false
  /// What `end` will throw about the open geometry.
  private var fault: Fault?

  private enum Fault {
    case memory, outsideRing

    var error: MeridianError {
      switch self {
      case .memory: MeridianError(.memory, "end: no memory for the geometry")
      case .outsideRing: MeridianError(.argument, "end: coordinates were added before a ring was opened")
      }
    }
  }

  /// `model`: the edge model and metric of all rows.
  public init(model: GeometryModel = .planar) { self.model = model }

  /// Rows so far.
  public var count: Int { places.count }
  /// Coordinates so far.
  public var coordinateCount: Int { columns.reduce(0) { $0 + $1.coordinates } }

  /// Opens a row, or a member of the collection that is open.
  public mutating func begin(_ type: GeometryType, _ dimensions: Dimensions) throws(MeridianError) {
    guard open == nil else { throw MeridianError(.argument, "begin: the geometry before is not ended") }
    guard (1...4).contains(dimensions.rawValue) else { throw MeridianError(.argument, "begin: unknown dimensions") }
    if type == .collection {
      if depth == 0 {
        tokens = []
        collectionDimensions = dimensions
      } else {
        tokens.append(.begin)
      }
      depth += 1
      return
    }
    guard (1...6).contains(type.rawValue) else { throw MeridianError(.argument, "begin: unknown geometry type") }
    let index = columns.firstIndex { $0.type == type && $0.dimensions == dimensions }
    if let index {
      open = index
    } else {
      columns.append(Column(type, dimensions))
      open = columns.count - 1
    }
    partOpen = false
    ringOpen = false
    fault = nil
  }

  /// Opens the next polygon of a multipolygon.
  public mutating func part() throws(MeridianError) {
    guard let open, columns[open].type == .multiPolygon else {
      throw MeridianError(.argument, "part: only a multipolygon has polygons as parts")
    }
    closeRing()
    closePart()
    partOpen = true
  }

  /// Opens the next ring of a polygon or line of a multilinestring.
  public mutating func ring() throws(MeridianError) {
    guard let open, columns[open].type.offsetLevels >= 2 else {
      throw MeridianError(.argument, "ring: this type has no rings or lines")
    }
    guard columns[open].type != .multiPolygon || partOpen else {
      throw MeridianError(.argument, "ring: open a part of the multipolygon first")
    }
    closeRing()
    ringOpen = true
  }

  /// Appends one coordinate of the open geometry, inside its open ring or line where its type has those. `z` and `m` are
  /// used where its dimensions have them. Without an open geometry it does nothing; faults are thrown by `end`.
  @inline(__always)
  public mutating func add(_ x: Double, _ y: Double, _ z: Double = .nan, _ m: Double = .nan) {
    guard let open else { return }
    let column = columns[open]
    guard ringOpen || column.offsets.count < 2 else { return note(.outsideRing) }
    var fits = column.ordinates[0].tryAppend(x) && column.ordinates[1].tryAppend(y)
    if column.dimensions.hasZ { fits = fits && column.ordinates[2].tryAppend(z) }
    if column.dimensions.hasM { fits = fits && column.ordinates[column.dimensions.hasZ ? 3 : 2].tryAppend(m) }
    guard fits else { return note(.memory) }
    column.coordinates += 1
  }

  private mutating func note(_ fault: Fault) { if self.fault == nil { self.fault = fault } }

  /// Appends `count` coordinates, interleaved in the dimensions of the open geometry. Throws, and appends none, when there
  /// is no memory for all of them.
  public mutating func add(interleaved values: UnsafePointer<Double>, count: Int) throws(MeridianError) {
    let width = open.map { columns[$0].dimensions.count } ?? 0
    let hasZ = open.map { columns[$0].dimensions.hasZ } ?? false
    try add(count: count) { columns in
      for index in 0..<count {
        let coordinate = values + index * width
        columns.x[index] = coordinate[0]
        columns.y[index] = coordinate[1]
        columns.z?[index] = coordinate[2]
        columns.m?[index] = coordinate[hasZ ? 3 : 2]
      }
    }
  }

  /// One pointer a dimension, each to the room of the new coordinates; nil for a dimension that the geometry lacks.
  public typealias CoordinateColumns = (
    x: UnsafeMutablePointer<Double>, y: UnsafeMutablePointer<Double>, z: UnsafeMutablePointer<Double>?,
    m: UnsafeMutablePointer<Double>?
  )

  /// Makes room for `count` coordinates of the open geometry and has `fill` write all of them: the fast way in for
  /// readers, without a call a coordinate.
  public mutating func add(count: Int, _ fill: (CoordinateColumns) -> Void) throws(MeridianError) {
    guard let open else { throw MeridianError(.argument, "coords: no geometry is open") }
    let column = columns[open]
    if column.type.offsetLevels >= 2 && !ringOpen {
      throw MeridianError(.argument, "coords: open a ring first")
    }
    guard count > 0 else { return }
    let (bytes, overflow) = (column.coordinates &+ count).multipliedReportingOverflow(by: 8)
    guard !overflow else { throw MeridianError(.memory, "coords: too many") }
    for buffer in column.ordinates where !buffer.resize(bytes) {
      for other in column.ordinates { _ = other.resize(column.coordinates * 8) }
      throw MeridianError(.memory, "coords: no memory for \(count) more")
    }
    func room(_ dimension: Int) -> UnsafeMutablePointer<Double>? {
      column.ordinates[dimension].pointer?.assumingMemoryBound(to: Double.self).advanced(by: column.coordinates)
    }
    let dimensions = column.dimensions
    guard let x = room(0), let y = room(1) else { return }
    fill((x, y, dimensions.hasZ ? room(2) : nil, dimensions.hasM ? room(dimensions.hasZ ? 3 : 2) : nil))
    column.coordinates += count
  }

  /// A whole geometry of one type in flat form, as parsers have it. The ends count from the geometry's own start.
  public struct FlatGeometry {
    public var type: GeometryType
    public var dimensions: Dimensions
    /// Coordinates; 0 or 1 for a point.
    public var count: Int
    public var x, y: UnsafePointer<Double>?
    /// NaN is taken for a dimension of the geometry whose pointer is nil.
    public var z, m: UnsafePointer<Double>?
    /// Where each ring or line ends, in coordinates.
    public var ringEnds = UnsafeBufferPointer<Int64>(start: nil, count: 0)
    /// Where each polygon of a multipolygon ends, in rings.
    public var partEnds = UnsafeBufferPointer<Int64>(start: nil, count: 0)

    public init(
      type: GeometryType, dimensions: Dimensions, count: Int, x: UnsafePointer<Double>?, y: UnsafePointer<Double>?,
      z: UnsafePointer<Double>? = nil, m: UnsafePointer<Double>? = nil
    ) {
      self.type = type
      self.dimensions = dimensions
      self.count = count
      (self.x, self.y, self.z, self.m) = (x, y, z, m)
    }
  }

  /// Appends a row, or a member of the open collection, at once: `begin`, everything in it, `end`. Ends that do not
  /// ascend to the number of what they count are refused.
  public mutating func append(_ geometry: FlatGeometry) throws(MeridianError) {
    let levels = geometry.type.offsetLevels
    let ringsFit = levels < 2 || Self.ascends(geometry.ringEnds, to: geometry.count)
    let partsFit = levels < 3 || Self.ascends(geometry.partEnds, to: geometry.ringEnds.count)
    guard ringsFit, partsFit, geometry.type != .collection else {
      throw MeridianError(.argument, "append: the ends do not fit the geometry")
    }
    try begin(geometry.type, geometry.dimensions)
    do throws(MeridianError) {
      try fill(geometry)
    } catch {
      dropOpenGeometry()
      throw error
    }
    try end()
  }

  private mutating func fill(_ geometry: FlatGeometry) throws(MeridianError) {
    let levels = geometry.type.offsetLevels
    if let open {
      let column = columns[open]
      // Offsets count from the start of the array: what it holds so far is the base.
      let coordinates = Int64(column.coordinates)
      if levels == 3 {
        let rings = Int64(column.entries(below: 1))
        for end in geometry.partEnds where !column.offsets[1].tryAppend(rings &+ end) { throw Fault.memory.error }
      }
      if levels >= 2 {
        for end in geometry.ringEnds where !column.offsets[levels - 1].tryAppend(coordinates &+ end) {
          throw Fault.memory.error
        }
      }
      ringOpen = levels >= 2
      defer { ringOpen = false }
      try add(count: geometry.count) { columns in
        func copy(_ source: UnsafePointer<Double>?, _ target: UnsafeMutablePointer<Double>?) {
          guard let target else { return }
          if let source {
            target.update(from: source, count: geometry.count)
          } else {
            target.update(repeating: .nan, count: geometry.count)
          }
        }
        copy(geometry.x, columns.x)
        copy(geometry.y, columns.y)
        copy(geometry.z, columns.z)
        copy(geometry.m, columns.m)
      }
    }
  }

  private static func ascends(_ ends: UnsafeBufferPointer<Int64>, to total: Int) -> Bool {
    var last: Int64 = 0
    for end in ends {
      guard end >= last else { return false }
      last = end
    }
    return last == total
  }

  /// Drops the row that is open with all that was added to it, members of collections included; does nothing between
  /// rows. For readers that meet an error in the middle of a row.
  public mutating func abandonRow() {
    guard open != nil || depth > 0 else { return }
    var closed = [Int](repeating: 0, count: columns.count)
    if depth > 0 {
      for case .geometry(let array, _) in tokens { closed[array] += 1 }
    }
    for (column, members) in zip(columns, closed) { column.truncate(rows: column.count - members) }
    open = nil
    partOpen = false
    ringOpen = false
    fault = nil
    depth = 0
    tokens = []
  }

  /// Ends the open geometry, or the open collection.
  public mutating func end() throws(MeridianError) {
    guard let index = open else {
      guard depth > 0 else { throw MeridianError(.argument, "end: nothing is open") }
      depth -= 1
      if depth > 0 {
        tokens.append(.end)
      } else {
        places.append(.collection(index: collections.count))
        // A collection has every ordinate that one of its members has.
        for case .geometry(let array, _) in tokens {
          let member = columns[array].dimensions
          collectionDimensions = Dimensions(
            z: collectionDimensions.hasZ || member.hasZ, m: collectionDimensions.hasM || member.hasM)
        }
        collections.append(
          GeometrySet.Collection(row: places.count - 1, dimensions: collectionDimensions, tokens: tokens))
      }
      return
    }
    closeRing()
    closePart()
    let column = columns[index]
    if column.type == .point {
      // One coordinate a row, whatever was added: none is the empty point.
      if column.coordinates == column.count { add(.nan, .nan) }
    } else if fault == nil, !column.close(level: 0) {
      note(.memory)
    }
    if let fault {
      dropOpenGeometry()
      throw fault.error
    }
    guard column.type != .point || column.coordinates == column.count + 1 else {
      dropOpenGeometry()
      throw MeridianError(.argument, "end: a point has more than one coordinate")
    }
    let place = column.count
    column.count += 1
    open = nil
    if depth > 0 {
      tokens.append(.geometry(array: index, index: place))
    } else {
      places.append(.geometry(array: index, index: place))
    }
  }

  /// Appends a null row.
  public mutating func null() throws(MeridianError) {
    guard open == nil, depth == 0 else { throw MeridianError(.argument, "null: a geometry is open") }
    places.append(.null)
  }

  /// Hands out the set; the builder is empty again.
  public mutating func finish() throws(MeridianError) -> GeometrySet {
    guard open == nil, depth == 0 else { throw MeridianError(.argument, "finish: a geometry is open") }
    let model = self.model
    let arrays = columns.map {
      GeometryArray(
        type: $0.type, dimensions: $0.dimensions, count: $0.count, offsets: $0.offsets, ordinates: $0.ordinates,
        model: model)
    }
    let set = GeometrySet(arrays: arrays, places: places, collections: collections, model: model)
    self = GeometryBuilder(model: model)
    return set
  }

  private mutating func closeRing() {
    guard ringOpen, let open else { return }
    if !columns[open].close(level: columns[open].offsets.count - 1) { note(.memory) }
    ringOpen = false
  }

  private mutating func closePart() {
    guard partOpen, let open else { return }
    if !columns[open].close(level: 1) { note(.memory) }
    partOpen = false
  }

  /// Forgets the open geometry; a collection around it stays open.
  private mutating func dropOpenGeometry() {
    guard let open else { return }
    columns[open].truncate(rows: columns[open].count)
    self.open = nil
    partOpen = false
    ringOpen = false
    fault = nil
  }
}
