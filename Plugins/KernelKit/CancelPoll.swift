// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Counts coordinates and looks at the cancel word every 4,096 of them, as the ABI asks.
public struct CancelPoll {
  @usableFromInline let call: UnsafeMutablePointer<mrd_call>
  @usableFromInline var left: Int = 0
  /// Once true it stays true; the kernel leaves its loops and answers MRD_E_CANCELLED.
  public private(set) var isCancelled = false

  public init(_ call: UnsafeMutablePointer<mrd_call>) { self.call = call }

  /// Counts coordinates. True = stop.
  @inline(__always)
  public mutating func tick(_ count: Int = 1) -> Bool {
    left &-= count
    if left < 0 { look() }
    return isCancelled
  }

  @inline(never)
  private mutating func look() {
    left = 4095
    isCancelled = isCancelled || call.isCancelled
  }
}
