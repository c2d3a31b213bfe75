// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// An edge model with its name in cases.
struct NamedModel: Sendable {
  let name: String
  let model: GeometryModel

  /// The mean radius of WGS84, (2 a + b) / 3.
  static let radius = 6_371_008.8
  static let planar = NamedModel(name: "planar", model: .planar)
  static let greatCircle = NamedModel(
    name: "great_circle",
    model: GeometryModel(edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, semiMajor: radius, flattening: 0))
  static let geodesic = NamedModel(name: "geodesic", model: .wgs84)
  static let all = [planar, greatCircle, geodesic]
}
