// SPDX-License-Identifier: Apache-2.0
//
// S2: great circles on the sphere.
#include <s2/s1angle.h>
#include <s2/s2latlng.h>
#include <s2/s2loop_measures.h>
#include <s2/s2point_span.h>

#include <vector>

#include "globe.hpp"
#include "plugin.hpp"

// Angles between unit vectors are right to a few 1e-16; the curvature of a loop to about 1e-15 a vertex, which is 0.05 m2
// on the earth. Bounds are for radii of about the earth's.
static const mrd_op_info pointInfo = {
    .struct_size = sizeof(mrd_op_info), .flags = peers::steady | MRD_OP_CANCELS, .type_mask = peers::points,
    .dims_mask = peers::everyDimension, .edges_mask = peers::bit(MRD_EDGES_GREAT_CIRCLE),
    .metric_mask = peers::bit(MRD_METRIC_SPHERE), .error_unit = MRD_UNIT_METRE, .error_absolute = 3e-8,
    .method = "S2, angle between unit vectors"};
static const mrd_op_info lengthInfo = [] {
  mrd_op_info info = pointInfo;
  info.type_mask = peers::everyType;
  info.error_absolute = 0;
  info.error_per_vertex = 3e-8;
  return info;
}();
static const mrd_op_info areaInfo = [] {
  mrd_op_info info = lengthInfo;
  info.flags = peers::steady;  // a ring is not interrupted
  info.error_per_vertex = 0.5;
  info.method = "S2, signed area of a loop";
  return info;
}();

class Globe {
 public:
  static constexpr bool hasInverse = false, hasDirect = false, hasArea = true;

  /// S2 has no azimuths.
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

  explicit Globe(const mrd_model &model) : radius(model.semi_major) {}

  mrd_item_status distance(peers::Place a, peers::Place b, double &metres) const {
    metres = S1Angle(point(a), point(b)).radians() * radius;
    return MRD_ITEM_OK;
  }

  double ringArea(const peers::Geoms &geoms, peers::Span ring) const {
    std::vector<S2Point> loop;
    loop.reserve(static_cast<size_t>(ring.count()));
    for (int64_t at = ring.begin; at < ring.end - 1; at++) {
      const S2Point next = point(geoms.place(at));
      if (loop.empty() || next != loop.back()) loop.push_back(next);
    }
    return loop.size() < 3 ? 0 : S2::GetSignedArea(S2PointLoopSpan(loop)) * radius * radius;
  }

 private:
  static S2Point point(peers::Place place) { return S2LatLng::FromDegrees(place.y, place.x).ToPoint(); }

  double radius;
};

PEER_PLUGIN("S2", "Apache-2.0", {MRD_FAMILY_MEASURE, &peers::GlobeFamily<Globe>::table})
