// SPDX-License-Identifier: Apache-2.0
import Meridian
import TestSupport
import Testing

@testable import MeridianBench

/// What snapping does to a layer is counted, each feature once, against its state before.
@Suite(.enabled(if: BuiltKernels.has("geos", "validate.valid"), "nobody tells what is valid"))
struct LayerDamageTests {
  private func host() throws -> Host {
    var options = Host.Options()
    options.paths = [BuiltKernels.path]
    options.discovers = false
    let host = try Host(options)
    try LayerSnapper.register(on: host)
    return host
  }

  private func square(_ x: Double) -> Ring { Ring(x: [x, x + 9, x + 9, x, x], y: [0, 0, 9, 9, 0]) }

  @Test(arguments: [(2.0, 0, 0), (4, 1, 0), (6, 1, 1)])
  func collapsedAndInvalidRowsAreCounted(_ tolerance: Double, _ collapsed: Int, _ invalid: Int) throws {
    var builder = GeometryBuilder()
    for x in [0.0, 20, 40] { try builder.polygon([square(x)]) }
    // Invalid before: no damage.
    try builder.polygon([Ring(x: [60, 69, 69, 60, 60], y: [0, 9, 0, 9, 0])])
    let layer = try builder.finish()
    try builder.polygon([square(1)])
    let damage = try LayerDamage(
      host: try host(), kernel: "layersnapper", layer: layer, targets: try builder.finish(), metres: tolerance)
    #expect(damage.collapsed == collapsed && damage.invalid == invalid, "\(damage)")
  }

  /// The damage is that of the kernel that was named, or none is told.
  @Test func anotherKernelIsNoSubstitute() throws {
    var builder = GeometryBuilder()
    try builder.polygon([square(0)])
    let layer = try builder.finish()
    for kernel in ["geos", "nobody"] {
      #expect(throws: MeridianError.self, "\(kernel)") {
        _ = try LayerDamage(host: try host(), kernel: kernel, layer: layer, targets: layer, metres: 4)
      }
    }
  }
}
