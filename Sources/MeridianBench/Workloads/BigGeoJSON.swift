// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

extension Workloads {
  /// Polygons of the file for whole jobs: of G4, and of G1.
  private var bigParts: (faulty: Int, small: Int) { (min(size.rings, size.count(4000, least: 4)), size.smallRings) }

  /// Rows of the file.
  package var bigRows: Int { bigParts.faulty + bigParts.small }

  /// The right verdict of each row of it, in its order.
  package func verdictsOfBig() throws(MeridianError) -> [Bool?] {
    let kinds = try g4.value().kinds
    return bigOrder.map { $0 < bigParts.faulty ? kinds[$0].isValid : true }
  }

  /// The number of each row of the file among those of G4, and then those of G1.
  private var bigOrder: [Int] {
    var random = SeededRandom(seed: seed, stream: "big")
    return random.permutation(bigRows)
  }

  /// Writes the file that whole jobs are measured on: 104,000 polygons of G1 and G4 in random order, 93 MB, seven decimals.
  /// - Returns: rows that were written.
  package func writeBigGeoJSON(to path: String) throws(FormatError) -> Int {
    let (small, faulty): (GeometrySet, FaultyPolygons)
    do {
      small = try g1.value()
      faulty = try g4.value()
    } catch {
      throw FormatError(file: path, reason: error.message)
    }
    let order = bigOrder
    let writer = try openWriter(path, format: .geojson)
    for start in stride(from: 0, to: order.count, by: 8192) {
      let rows = order[start..<min(order.count, start + 8192)]
      let made: FeatureBatch
      do {
        made = try batch(rows, firstRow: start, small, faulty)
      } catch {
        throw FormatError(file: path, reason: error.message)
      }
      try writer.write(made)
    }
    try writer.finish()
    return order.count
  }

  private func batch(
    _ rows: ArraySlice<Int>, firstRow: Int, _ small: GeometrySet, _ faulty: FaultyPolygons
  ) throws(MeridianError) -> FeatureBatch {
    var builder = GeometryBuilder(model: .wgs84)
    var attributes: [Attributes] = []
    for row in rows {
      let isFaulty = row < bigParts.faulty
      let array = isFaulty ? faulty.set.arrays[0] : small.arrays[0]
      let rings = array.rings(ofRow: isFaulty ? row : row - bigParts.faulty)
      try builder.polygon(rings.map { Ring(array, $0).rounded() })
      let kind = isFaulty ? faulty.kinds[row].rawValue : "small"
      let value = (Double(row) * 370).rounded() / 1000
      attributes.append(
        Attributes(
          properties: Array(#"{"id":\#(row),"name":"feature \#(row)","kind":"\#(kind)","value":\#(value)}"#.utf8)))
    }
    return FeatureBatch(geometries: try builder.finish(), firstRow: firstRow, attributes: attributes)
  }
}

extension Ring {
  /// To seven decimals.
  fileprivate func rounded() -> Ring {
    var ring = self
    for vertex in 0..<count {
      ring.x[vertex] = (x[vertex] * 1e7).rounded() / 1e7
      ring.y[vertex] = (y[vertex] * 1e7).rounded() / 1e7
    }
    return ring
  }
}
