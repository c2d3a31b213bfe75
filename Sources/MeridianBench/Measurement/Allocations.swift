// SPDX-License-Identifier: Apache-2.0
import CBench
import CPlatform
import Meridian

/// Calls of malloc and its relatives in this process, counted by a library that has to be there from the start.
package struct Allocations: Equatable, Sendable {
  package var calls: Int64 = 0
  /// Bytes that were asked for.
  package var bytes: Int64 = 0

  /// Since the process began, all threads; nil when nobody counts.
  package static var now: Allocations? {
    var counts = Allocations()
    return mrdb_allocations(&counts.calls, &counts.bytes) == 1 ? counts : nil
  }

  /// The file name of the library that counts.
  package static let libraryName = "libMeridianAllocations.so"

  /// Where the library lies: beside the executable (a build folder), or in ../lib/meridian (a laid out tree). nil = in
  /// neither.
  package static var library: String? { OwnTree.file([libraryName, "../lib/meridian/\(libraryName)"]) }

  /// Starts this executable again, with the same arguments and the library preloaded, in place of this process. Does
  /// nothing when the library is there already. Call it before anything is written or opened.
  /// - Parameter arguments: all of them, the command's name first.
  /// - Throws: `notFound` without a library, `io` when the process cannot be started.
  package static func restartCounting(_ arguments: [String] = CommandLine.arguments) throws(MeridianError) {
    guard now == nil else { return }
    guard let library else { throw MeridianError(.notFound, "\(libraryName) is not beside the command") }
    guard !isTriedBefore(library) else {
      throw MeridianError(.unsupported, "the system does not preload \(library)")
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    let code = mrdb_run_again_with(library, &words)
    for word in words { free(word) }
    throw MeridianError(.io, "this command cannot be started again: error \(code)")
  }

  /// True in a process that was started again already: the loader left the library out, and would again.
  private static func isTriedBefore(_ library: String) -> Bool {
    guard let preloaded = mrdp_environment("LD_PRELOAD").map({ String(cString: $0) }) else { return false }
    return preloaded.split { $0 == ":" || $0 == " " }.contains { $0 == library }
  }
}
