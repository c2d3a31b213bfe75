// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianABI
import MeridianJobs

/// Cases on a file of the user's: what suits the types of its rows.
enum DataCases {
  static func cases(_ data: UserData) -> [BenchCase] {
    let set = data.set
    let types = set.arrays.filter { $0.count > 0 }.map(\.type)
    let workload = SetWorkload(
      data.name, Lazily { set }, rows: set.count, vertices: set.vertexCount,
      type: types.allSatisfy { $0 == types.first } ? types.first : nil)
    guard !types.isEmpty else { return [] }
    let (hasAreas, hasLines) = (types.contains { $0.single == .polygon }, types.contains { $0.single == .lineString })
    // Coordinates that are no longitudes and latitudes are measured in the plane alone.
    let models = set.model == .planar ? [NamedModel.planar] : NamedModel.all
    var cases: [BenchCase] = []
    if hasLines { cases += models.map { MeasureCases.numbers(.length, workload, $0) } }
    if hasAreas {
      cases += models.flatMap { model in
        [MeasureCases.numbers(.area, workload, model), MeasureCases.numbers(.perimeterArea, workload, model)]
      }
    }
    cases.append(MeasureCases.numbers(.bounds, workload, .planar))
    cases.append(MeasureCases.numbers(.centroid, workload, .planar))
    cases += shapes(workload, set, hasAreas: hasAreas, hasLines: hasLines)
    cases += indexes(workload, set)
    return cases
  }

  /// What is done to lines and polygons.
  private static func shapes(
    _ workload: SetWorkload, _ set: GeometrySet, hasAreas: Bool, hasLines: Bool
  ) -> [BenchCase] {
    var cases: [BenchCase] = []
    if hasAreas {
      let verdicts = Lazily {
        let judged = Set(RowSample.spread(set.count, limit: 500))
        return (0..<set.count).map { judged.contains($0) ? BruteForceValidity.verdict(set, row: $0) : nil }
      }
      let oracle = KnownVerdicts(source: "brute force", verdicts)
      cases.append(ValidateCases.valid(workload, mode: .first, oracle: oracle))
      cases.append(ValidateCases.valid(workload, mode: .all, oracle: oracle))
    }
    guard hasAreas || hasLines, let tolerance = tolerance(set) else { return cases }
    cases.append(SimplifyCases.simplify(.douglasPeucker, workload, tolerance: tolerance))
    cases.append(SimplifyCases.simplify(.visvalingam, workload, tolerance: tolerance))
    if hasAreas { cases.append(SimplifyCases.simplify(.topologyPreserving, workload, tolerance: tolerance)) }
    return cases
  }

  /// A ten-thousandth of the extent, to one digit; nil for a set without extent, or with one that a double does not hold.
  private static func tolerance(_ set: GeometrySet) -> Double? {
    let bounds = bounds(set)
    guard let left = bounds.xmin.min(), let right = bounds.xmax.max(), let bottom = bounds.ymin.min(),
      let top = bounds.ymax.max()
    else { return nil }
    let wanted = max(right - left, top - bottom) / 10_000
    guard wanted.isNormal else { return nil }
    return Double("1e\(Int(wanted.exponent10))")
  }

  private static func bounds(_ set: GeometrySet) -> Boxes {
    var boxes = Boxes()
    for numbers in PlanarTruth.values(.bounds, set).exact where numbers.allSatisfy(\.high.isFinite) {
      boxes.append(numbers[0].high, numbers[1].high, numbers[2].high, numbers[3].high)
    }
    return boxes
  }

  /// The bounds of the rows as boxes, asked for themselves.
  private static func indexes(_ workload: SetWorkload, _ set: GeometrySet) -> [BenchCase] {
    let boxes = bounds(set)
    guard boxes.count > 0 else { return [] }
    let made = Lazily { BoxWorkload(boxes: boxes, windows: boxes, points: boxes) }
    let index = IndexWorkload(name: workload.name, boxes: made, count: boxes.count, queries: boxes.count)
    return [
      IndexCases.build(index), IndexCases.window(index, sorted: false), IndexCases.window(index, sorted: true),
      IndexCases.nearest(index, count: 8), IndexCases.join(index),
    ]
  }
}

extension Double {
  /// The power of ten at or below the value.
  fileprivate var exponent10: Double { log10(self).rounded(.down) }
}
