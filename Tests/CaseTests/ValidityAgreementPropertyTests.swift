// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import TestSupport
import Testing

/// Verdicts of the native kernel and of GEOS on polygons with vertices on coarse grids, where every degeneracy happens.
@Suite(.enabled(if: Installed.offering("validate.valid").contains("geos"))) struct ValidityAgreementPropertyTests {
  private func ring(_ figures: inout Figures, side: Int) -> String {
    var vertices = (0..<figures.integer(3...8)).map { _ in (figures.integer(0...side), figures.integer(0...side)) }
    if figures.integer(0...1) == 0 {
      let middle = Double(side) / 2
      vertices.sort {
        atan2(Double($0.1) - middle, Double($0.0) - middle) < atan2(Double($1.1) - middle, Double($1.0) - middle)
      }
    }
    vertices.append(vertices[0])
    return "(" + vertices.map { "\($0.0) \($0.1)" }.joined(separator: ",") + ")"
  }

  private func polygon(_ figures: inout Figures, side: Int) -> String {
    var rings = [
      figures.integer(0...2) == 0 ? "(0 0,\(side) 0,\(side) \(side),0 \(side),0 0)" : ring(&figures, side: side)
    ]
    for _ in 0..<figures.integer(0...2) { rings.append(ring(&figures, side: side)) }
    return "(" + rings.joined(separator: ",") + ")"
  }

  @Test func verdicts() throws {
    let seed = testSeed()
    var figures = Figures(seed: seed)
    var builder = GeometryBuilder()
    var texts: [String] = []
    for _ in 0..<Scale.times(2000) {
      let side = [3, 4, 6, 9][figures.integer(0...3)]
      let parts = (0..<figures.integer(1...3)).map { _ in polygon(&figures, side: side) }
      texts.append("MULTIPOLYGON(" + parts.joined(separator: ",") + ")")
      try builder.append(wkt: texts[texts.count - 1])
    }
    let set = try builder.finish()
    func verdicts(_ kernel: String, _ dialect: Dialect) throws -> Validation {
      var options = ValidateOptions()
      options.dialect = dialect
      return try Installed.host.validate(.valid, set, options: options, run: Run(rules: "validate.valid=\(kernel)"))
    }
    let (native, geos) = (try verdicts("native", .ogc), try verdicts("geos", .ogc))
    for row in texts.indices {
      #expect(native.verdicts[row] == geos.verdicts[row], "seed \(seed): \(texts[row])")
    }
    #expect(Set(native.verdicts).count == 2)
  }
}
