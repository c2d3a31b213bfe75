// SPDX-License-Identifier: Apache-2.0
import Meridian
import TestSupport

/// The kernels that this build has, in one host.
enum Installed {
  static let host: Host = {
    var options = Host.Options()
    options.paths = [BuiltKernels.path]
    options.discovers = false
    options.readsEnvironment = false
    options.threads = 2
    do {
      return try Host(options)
    } catch {
      fatalError("no host: \(error)")
    }
  }()
  static let kernels = host.kernels.map(\.shortID).sorted()
}
