// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import TestSupport

/// A plug-in of Tests/Fixtures, and a host that knows no other.
struct FixturePlugin {
  static let id = FixtureLibrary.id
  private let built: FixtureLibrary
  var directory: URL { built.directory }

  init(_ name: String, removedDependency dependency: String? = nil) throws {
    built = try FixtureLibrary(name, removedDependency: dependency)
  }

  init(libraryContent: Data) throws { built = try FixtureLibrary(libraryContent: libraryContent) }

  func library() throws -> Data { try built.library() }

  /// A host that knows this plug-in and no other, and puts guards around what it lends.
  func host() throws -> Meridian.Host {
    var options = Meridian.Host.Options()
    options.paths = [directory.path]
    options.discovers = false
    options.readsEnvironment = false
    options.checksKernels = true
    options.threads = 2
    return try Meridian.Host(options)
  }
}
