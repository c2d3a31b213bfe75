// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What joins the vertices of targets, and what distances are in.
enum SnapModel {
  /// Straight edges, distances in coordinates or screen points.
  case plane
  /// Distances in metres; edges straight in longitude and latitude, or the shortest lines. A sphere is an ellipsoid without
  /// flattening.
  case globe(Geodesics, hasStraightEdges: Bool)

  /// nil for edges and metrics that do not belong together, and for ellipsoids that are none.
  init?(_ model: mrd_model) {
    func globe(_ hasStraightEdges: Bool) -> SnapModel? {
      Geodesics(metric: model).map { .globe($0, hasStraightEdges: hasStraightEdges) }
    }
    let found: SnapModel?
    switch (model.edges, model.metric) {
    case (MRD_EDGES_PLANAR, MRD_METRIC_COORD): found = .plane
    case (MRD_EDGES_PLANAR, MRD_METRIC_SPHERE), (MRD_EDGES_PLANAR, MRD_METRIC_ELLIPSOID),
      (MRD_EDGES_PLATE_CARREE, MRD_METRIC_SPHERE), (MRD_EDGES_PLATE_CARREE, MRD_METRIC_ELLIPSOID):
      found = globe(true)
    case (MRD_EDGES_GREAT_CIRCLE, MRD_METRIC_SPHERE), (MRD_EDGES_GEODESIC, MRD_METRIC_ELLIPSOID):
      found = globe(false)
    default: found = nil
    }
    guard let found else { return nil }
    self = found
  }

  var isInMetres: Bool {
    if case .globe = self { return true }
    return false
  }

  /// The kinds that are found under this model. In metres centroids and perpendiculars are not offered, and areas and
  /// crossings only of straight edges.
  var kinds: KindMask {
    switch self {
    case .plane: KindMask.plane
    case .globe(_, let hasStraightEdges): hasStraightEdges ? KindMask.straight : KindMask.shortest
    }
  }

  /// The largest magnitudes of x and y that are worked on.
  var limits: (x: Double, y: Double) {
    let most = 0x1p500
    return isInMetres ? (most, 90) : (most, most)
  }
}

/// True when distances from points of one model to targets of the other mean the same: the edges of points do not matter.
func haveOneMetric(_ a: mrd_model, _ b: mrd_model) -> Bool {
  guard a.metric == b.metric else { return false }
  if a.metric == MRD_METRIC_COORD { return a.edges == b.edges }
  return a.semi_major == b.semi_major && (a.metric == MRD_METRIC_SPHERE || a.flattening == b.flattening)
}
