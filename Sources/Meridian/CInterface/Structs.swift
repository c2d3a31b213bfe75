// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Copies a struct into the caller's, as far as the caller's `struct_size` reaches, and writes how much that was. The
/// first member is the size.
func fill<T>(_ out: UnsafeMutablePointer<T>, with value: T) throws(MeridianError) {
  let bytes = UnsafeMutableRawPointer(out)
  let size = Int(bytes.load(as: UInt32.self))
  guard size >= 8 else { throw MeridianError(.abi, "struct_size of the output is not set") }
  withUnsafeBytes(of: value) { source in
    if let base = source.baseAddress { bytes.copyMemory(from: base, byteCount: min(size, source.count)) }
  }
  bytes.storeBytes(of: UInt32(min(size, MemoryLayout<T>.size)), as: UInt32.self)
}

/// A copy of an options struct with every member that its writer did not know set to zero; all zero when NULL. A
/// non-zero byte behind the members that this version knows is refused, never ignored; so is a size that no version of
/// the struct can have: it would end inside a member, and half a pointer is none.
func read<T>(_ options: UnsafePointer<T>?, _ name: StaticString, zero: T) throws(MeridianError) -> T {
  guard let options else { return zero }
  let source = UnsafeRawPointer(options)
  let size = Int(source.load(as: UInt32.self))
  guard size >= 8 else { throw MeridianError(.abi, "\(name).struct_size is not set") }
  guard size % MemoryLayout<T>.alignment == 0 else {
    throw MeridianError(.abi, "\(name).struct_size is \(size), which ends inside a member")
  }
  for at in stride(from: MemoryLayout<T>.size, to: size, by: 1)
  where source.load(fromByteOffset: at, as: UInt8.self) != 0 {
    throw MeridianError(.unsupported, "\(name) has members that this version does not know")
  }
  var copy = zero
  withUnsafeMutableBytes(of: &copy) { target in
    target.baseAddress?.copyMemory(from: source, byteCount: min(size, target.count))
  }
  return copy
}

/// Writes records into the caller's array, whose step is `step` bytes, as far as each reaches.
func writeRecords<T: BitwiseCopyable>(_ records: [T], to target: UnsafeMutablePointer<T>, step: Int) {
  let base = UnsafeMutableRawPointer(target)
  for (index, record) in records.enumerated() {
    withUnsafeBytes(of: record) { source in
      guard let bytes = source.baseAddress else { return }
      (base + index * step).copyMemory(from: bytes, byteCount: min(step, source.count))
    }
  }
}
