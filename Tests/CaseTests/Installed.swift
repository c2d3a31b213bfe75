// SPDX-License-Identifier: Apache-2.0
import Meridian
import TestSupport
import Testing

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

  /// Short ids: "geos", "native".
  static let kernels = host.kernels.map(\.shortID).sorted()

  /// The kernels whose manifests name `operation`.
  static func offering(_ operation: String) -> [String] {
    host.kernels.filter { $0.operations.contains(operation) }.map(\.shortID).sorted()
  }

  /// No adapter was left out of the build.
  static let isComplete = ["geos", "native", "proj", "sqlite"].allSatisfy { kernels.contains($0) }

  /// Runs `body` with each kernel whose manifest names the operation, or with the one that the case's `kernel=` names.
  /// A kernel that refuses the case's model, type or options has not answered; that nobody answered is a failure,
  /// unless the kernel may be in an adapter that was left out.
  static func answer(_ fact: Case, _ body: (_ kernel: String, _ run: Run) throws -> Void) throws {
    var refusals: [String] = []
    let asked = offering(fact.operation).filter { fact.parameters["kernel"] == nil || fact.parameters["kernel"] == $0 }
    for kernel in asked {
      do {
        try body(kernel, Run(rules: "\(fact.operation)=\(kernel)"))
      } catch let error as MeridianError where error.status == .unsupported {
        refusals.append(error.message)
      }
    }
    #expect(refusals.count < asked.count || !isComplete, "\(fact.id): nobody answers \(refusals)")
  }
}
