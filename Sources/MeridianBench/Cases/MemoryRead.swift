// SPDX-License-Identifier: Apache-2.0
import CBench
import Meridian

/// A contestant that is no kernel: it reads all x and y of a set once. Planar measures are held against it, as they have to
/// read them too: `--kernels native,read --reference read`.
package enum MemoryRead {
  package static let name = "read"

  static func prepare(_ set: GeometrySet) throws(MeridianError) -> PreparedRun {
    for array in set.arrays where !array.hasSeparateColumns {
      throw MeridianError(.unsupported, "coordinates that lie interleaved are not read")
    }
    return PreparedRun {
      var outcome = Outcome()
      // What nobody asked for might not be computed.
      outcome.kept = set.arrays.reduce(0) { $0 + sum($1) }
      return outcome
    }
  }

  private static func sum(_ array: GeometryArray) -> Double {
    array.withGeoms { geoms in
      let coordinates = geoms.pointee.coords
      return mrdb_read(coordinates.v.0, coordinates.count) + mrdb_read(coordinates.v.1, coordinates.count)
    }
  }
}

extension GeometryArray {
  fileprivate var hasSeparateColumns: Bool { geoms.coords.stride.0 == 8 && geoms.coords.stride.1 == 8 }
}
