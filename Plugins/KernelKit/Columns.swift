// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The caller's result columns, checked once: `set` ignores columns that the caller does not want.
public struct Columns {
  let values: UnsafePointer<UnsafeMutablePointer<Double>?>?
  let count: Int

  /// nil, with the call's error filled, when the columns cannot take `rows` rows.
  public init?(_ pointer: UnsafePointer<mrd_columns>?, rows: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let pointer, pointer.pointee.struct_size >= UInt32(MemoryLayout<mrd_columns>.size) else {
      _ = fail(call, MRD_E_ABI, "the result columns are missing or their struct_size is too small")
      return nil
    }
    guard pointer.pointee.length >= Int64(rows), pointer.pointee.count == 0 || pointer.pointee.values != nil else {
      _ = fail(call, MRD_E_ARGUMENT, "the result columns are shorter than the input")
      return nil
    }
    values = pointer.pointee.values
    count = Int(pointer.pointee.count)
  }

  /// The memory of a column, nil when the caller does not want it.
  @inline(__always)
  public func column(_ column: Int) -> UnsafeMutablePointer<Double>? { column < count ? values?[column] : nil }

  @inline(__always)
  public func set(_ column: Int, _ row: Int, _ value: Double) {
    if column < count, let memory = values?[column] { memory[row] = value }
  }

  /// Puts one value in all of the first `columns` columns.
  public func fill(_ row: Int, columns: Int, _ value: Double) {
    for column in 0..<columns { set(column, row, value) }
  }
}
