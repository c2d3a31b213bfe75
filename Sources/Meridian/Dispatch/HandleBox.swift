// SPDX-License-Identifier: Apache-2.0

/// A kernel's handle on its way from the call that made it to the object that will release it.
struct HandleBox: @unchecked Sendable {
  let handle: OpaquePointer
  init(_ handle: OpaquePointer) { self.handle = handle }
}
