// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A value that is made when it is asked for first, once, and shared from then on: a workload is not made for a case that
/// nobody runs, and made once for all kernels. A failure is kept too.
///
/// Safe from any thread; one that comes while the value is being made waits for it.
package final class Lazily<Value: Sendable>: Sendable {
  private let made = Guarded<Result<Value, MeridianError>?>(nil)
  private let make: @Sendable () throws(MeridianError) -> Value

  package init(_ make: @escaping @Sendable () throws(MeridianError) -> Value) { self.make = make }

  /// The value; made now if it was not.
  package func value() throws(MeridianError) -> Value {
    let result = made.withLock { (made: inout Result<Value, MeridianError>?) -> Result<Value, MeridianError> in
      if let made { return made }
      let fresh: Result<Value, MeridianError>
      do throws(MeridianError) { fresh = .success(try make()) } catch { fresh = .failure(error) }
      made = fresh
      return fresh
    }
    return try result.get()
  }

  /// True when the value was made, or could not be.
  package var isMade: Bool { made.withLock { $0 != nil } }
}
