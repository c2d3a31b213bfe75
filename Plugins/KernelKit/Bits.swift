// SPDX-License-Identifier: Apache-2.0

/// Bit `index` of a bitmap as Arrow has them: the least significant bit of a byte comes first.
@inlinable @inline(__always)
public func isSet(_ bits: UnsafePointer<UInt8>, _ index: Int) -> Bool {
  (bits[index >> 3] >> UInt8(index & 7)) & 1 == 1
}
