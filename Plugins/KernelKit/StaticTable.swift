// SPDX-License-Identifier: Apache-2.0

/// The address of a stored global, which lives as long as the process: `address(&table)`. Swift promises a stable address
/// for globals without observers; use it for nothing else.
public func address<T>(_ global: UnsafePointer<T>) -> UnsafePointer<T> { global }

/// A literal as the C string that the tables of the ABI hold.
public func cString(_ literal: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
}
