// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

// Objects of the C interface are retained Swift objects behind opaque pointers; their release function gives the
// reference back.

func makeHandle<T: AnyObject>(_ object: T) -> OpaquePointer {
  OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

func object<T: AnyObject>(_ handle: OpaquePointer, as type: T.Type) -> T {
  Unmanaged<T>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

func releaseHandle<T: AnyObject>(_ handle: OpaquePointer?, as type: T.Type) {
  guard let handle else { return }
  Unmanaged<T>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// The object behind a handle; a NULL handle is an argument error that names the parameter.
func require<T: AnyObject>(
  _ handle: OpaquePointer?, _ name: StaticString, as type: T.Type
) throws(MeridianError) -> T {
  guard let handle else { throw MeridianError(.argument, "\(name) is NULL") }
  return object(handle, as: type)
}

/// The pointer itself; NULL is an argument error that names the parameter.
func require<T>(_ pointer: UnsafePointer<T>?, _ name: StaticString) throws(MeridianError) -> UnsafePointer<T> {
  guard let pointer else { throw MeridianError(.argument, "\(name) is NULL") }
  return pointer
}

func require<T>(
  _ pointer: UnsafeMutablePointer<T>?, _ name: StaticString
) throws(MeridianError) -> UnsafeMutablePointer<T> {
  guard let pointer else { throw MeridianError(.argument, "\(name) is NULL") }
  return pointer
}

/// Runs the body of a C function: its error goes to the caller's record, its status is the return value.
func report(
  to record: UnsafeMutablePointer<mrd_error>?, _ body: () throws(MeridianError) -> Void
) -> mrd_status {
  do throws(MeridianError) {
    try body()
    return MRD_OK
  } catch {
    return error.message.withCString { message in
      mrd_fail(record, error.status.rawValue, Int64(error.row ?? -1), Int64(error.coordinate ?? -1), message)
    }
  }
}

/// C strings that live as long as their owner; equal strings are kept once.
///
/// Not thread-safe: the owner guards it.
final class StringPool {
  private var strings: [UnsafeMutablePointer<CChar>] = []

  init() {}
  deinit { for string in strings { string.deallocate() } }

  func keep(_ string: String) -> UnsafePointer<CChar> {
    string.withCString { source in
      for kept in strings where strcmp(kept, source) == 0 { return UnsafePointer(kept) }
      let length = strlen(source) + 1
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: length)
      copy.update(from: source, count: length)
      strings.append(copy)
      return UnsafePointer(copy)
    }
  }
}
