// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What a kernel made of one chunk, or what was put together of all chunks of an array: geometries and what stands
/// beside them. Rows are level-major when there are several levels (tolerances of a pyramid).
struct KernelGeometry {
  var array: GeometryArray
  /// One a result row; empty when the operation has none.
  var outcomes: [Int32] = []
  /// The input coordinate of each output coordinate; nil when it was not asked for.
  var kept: [Int64]?
  /// x, y of each result row that became a point, NaN NaN elsewhere; empty when there are none.
  var points: [Double] = []

  /// Puts chunks together, each of `levels` times its input rows.
  static func joined(_ chunks: [KernelGeometry], levels: Int) -> KernelGeometry? {
    guard chunks.count > 1, let first = chunks.first else { return chunks.first }
    let hasMulti = chunks.contains { $0.array.type != first.array.type }
    let type = hasMulti ? first.array.type.multi : first.array.type
    let assembler = ArrayAssembler(type, first.array.dimensions, first.array.model)
    var outcomes: [Int32] = []
    var kept: [Int64]? = first.kept == nil ? nil : []
    var points: [Double] = []
    let hasPoints = chunks.contains { !$0.points.isEmpty }
    for level in 0..<levels {
      for chunk in chunks {
        let rows = chunk.array.count / levels
        let range = (level * rows)..<((level + 1) * rows)
        assembler.append(chunk.array, range)
        if !chunk.outcomes.isEmpty { outcomes += chunk.outcomes[range] }
        if hasPoints {
          points +=
            chunk.points.isEmpty
            ? [Double](repeating: .nan, count: 2 * rows)
            : [Double](chunk.points[(2 * range.lowerBound)..<(2 * range.upperBound)])
        }
        if let ids = chunk.kept {
          let span =
            chunk.array.coordinateStart(ofRow: range.lowerBound)..<chunk.array.coordinateStart(ofRow: range.upperBound)
          kept?.append(contentsOf: ids[span])
        }
      }
    }
    return KernelGeometry(array: assembler.finish(), outcomes: outcomes, kept: kept, points: points)
  }
}

/// What the contract of an operation says of the geometries that it makes.
struct GeometryPromise {
  let operation: Operation
  /// Rows of the input.
  let rows: Int
  let levels: Int
  let input: GeometryType
  /// True where the contract lets polygons, lines and points come back as their multi types.
  let mayBeMulti: Bool
  let dimensions: Dimensions
}

extension CallContext {
  /// Takes over the geometries of a call after holding them against the promise: a kernel's mistake becomes an error
  /// here and never a read out of bounds later.
  func takeGeometry(
    _ out: mrd_geoms_out, _ promise: GeometryPromise, model: GeometryModel
  ) throws(MeridianError) -> GeometryArray {
    let type = GeometryType(rawValue: out.type)
    guard type == promise.input || (promise.mayBeMulti && type == promise.input.multi) else {
      throw fault("\(promise.operation.fullName) gave geometries of type \(out.type)")
    }
    guard out.dims == promise.dimensions.rawValue else {
      throw fault("\(promise.operation.fullName) gave geometries of dimension \(out.dims)")
    }
    guard out.length == Int64(promise.rows * promise.levels) else {
      throw fault("\(promise.operation.fullName) gave \(out.length) rows for \(promise.rows * promise.levels)")
    }
    let array = try takeArray(type, promise.dimensions, rows: promise.rows * promise.levels, model: model)
    do throws(MeridianError) { try array.checkLayout() } catch {
      throw fault("\(promise.operation.fullName): " + error.message)
    }
    return array
  }

  private func takeArray(
    _ type: GeometryType, _ dimensions: Dimensions, rows: Int, model: GeometryModel
  ) throws(MeridianError) -> GeometryArray {
    let columns = dimensions.ordinateNumbers.map { result(MRD_BUF_X + UInt32($0)) }
    guard columns.allSatisfy({ $0.count == columns[0].count && $0.count % 8 == 0 }) else {
      throw fault("the columns of ordinates have different lengths")
    }
    var offsets: [Buffer] = []
    var entries = rows
    for level in 0..<type.offsetLevels {
      let buffer = result(MRD_BUF_OFFSETS0 + UInt32(level))
      if entries == 0 && buffer.count == 0 { buffer.append(Int64(0)) }
      let values = buffer.values(Int64.self)
      guard buffer.count % 8 == 0, buffer.count / 8 - 1 == entries, values[0] == 0, let last = values.last, last >= 0
      else { throw fault("offsets of level \(level) are not \(entries) spans that begin with 0") }
      entries = Int(last)
      offsets.append(buffer)
    }
    if type == .point { entries = rows }
    guard columns[0].count / 8 == entries else {
      throw fault("\(columns[0].count / 8) coordinates where offsets promise \(entries)")
    }
    let validity = result(MRD_BUF_VALIDITY)
    guard validity.count == 0 || validity.count >= (rows + 7) / 8 else { throw fault("too few validity bits") }
    return GeometryArray(
      type: type, dimensions: dimensions, count: rows, offsets: offsets, ordinates: columns, validity: validity,
      model: model)
  }

  /// Values of a result buffer whose number is known.
  func takeValues<T: BitwiseCopyable>(_ buffer: UInt32, count: Int, _ type: T.Type) throws(MeridianError) -> [T] {
    let values = result(buffer).values(type)
    guard values.count == count else {
      throw fault("result buffer \(buffer) holds \(values.count) values for \(count)")
    }
    return Array(values)
  }

  /// CSR offsets of `rows` rows into `entries` entries.
  func takeRows(_ rows: Int, entries: Int) throws(MeridianError) -> [Int64] {
    let offsets = try takeValues(MRD_BUF_ROWS, count: rows + 1, Int64.self)
    var last: Int64 = 0
    for offset in offsets {
      guard offset >= last else { throw fault("row offsets go backward") }
      last = offset
    }
    guard offsets[0] == 0, last == Int64(entries) else { throw fault("row offsets do not span the \(entries) entries") }
    return offsets
  }
}
