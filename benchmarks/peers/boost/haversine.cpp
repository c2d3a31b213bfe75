// SPDX-License-Identifier: Apache-2.0
//
// Boost.Geometry on the sphere: the haversine formula, and its default spherical areas.
#include <boost/geometry.hpp>

#include "globe.hpp"
#include "plugin.hpp"

namespace bg = boost::geometry;

using Point = bg::model::point<double, 2, bg::cs::spherical_equatorial<bg::degree>>;

// Near the antipode the arc sine turns an ulp of its argument into 1e-8 of the angle: 0.2 m an ulp on the earth. No bound is
// stated for areas.
static const mrd_op_info pointInfo = {
    .struct_size = sizeof(mrd_op_info), .flags = peers::steady | MRD_OP_CANCELS, .type_mask = peers::points,
    .dims_mask = peers::everyDimension, .edges_mask = peers::bit(MRD_EDGES_GREAT_CIRCLE),
    .metric_mask = peers::bit(MRD_METRIC_SPHERE), .error_unit = MRD_UNIT_METRE, .error_absolute = 0.5,
    .method = "Boost.Geometry, haversine"};
static const mrd_op_info lengthInfo = [] {
  mrd_op_info info = pointInfo;
  info.type_mask = peers::everyType;
  info.error_absolute = 0;
  info.error_per_vertex = 0.5;
  return info;
}();
static const mrd_op_info areaInfo = [] {
  mrd_op_info info = lengthInfo;
  info.flags = peers::steady;  // a ring is not interrupted
  info.error_unit = MRD_UNIT_NONE;
  info.error_per_vertex = 0;
  info.method = "Boost.Geometry, spherical excess by trapezoids";
  return info;
}();

class Globe {
 public:
  static constexpr bool hasInverse = false, hasDirect = false, hasArea = true;

  static const mrd_op_info *info(uint32_t op) {
    switch (op) {
      case MRD_MEASURE_LENGTH:
      case MRD_MEASURE_PERIMETER: return &lengthInfo;
      case MRD_MEASURE_AREA:
      case MRD_MEASURE_AREA_SIGNED:
      case MRD_MEASURE_PERIMETER_AREA: return &areaInfo;
      case MRD_MEASURE_DISTANCE: return &pointInfo;
      default: return nullptr;
    }
  }

  explicit Globe(const mrd_model &model)
      : haversine(model.semi_major), areas(model.semi_major),
        surface(4 * bg::math::pi<double>() * model.semi_major * model.semi_major) {}

  mrd_item_status distance(peers::Place a, peers::Place b, double &metres) const {
    metres = haversine.apply(Point(a.x, a.y), Point(b.x, b.y));
    return MRD_ITEM_OK;
  }

  /// Boost counts clockwise rings as positive.
  double ringArea(const peers::Geoms &geoms, peers::Span ring) const {
    using Ring = bg::model::ring<Point>;
    bg::strategy::area::spherical<>::state<Ring> state;
    Point former(geoms.x(ring.begin), geoms.y(ring.begin));
    for (int64_t at = ring.begin + 1; at < ring.end; at++) {
      const Point next(geoms.x(at), geoms.y(at));
      areas.apply(former, next, state);
      former = next;
    }
    return std::remainder(-areas.result(state), surface);
  }

 private:
  bg::strategy::distance::haversine<double> haversine;
  bg::strategy::area::spherical<> areas;
  double surface;
};

PEER_PLUGIN("Boost.Geometry, haversine", "BSL-1.0", {MRD_FAMILY_MEASURE, &peers::GlobeFamily<Globe>::table})
