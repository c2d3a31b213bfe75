// SPDX-License-Identifier: Apache-2.0
//
// The C geodesic routines of GeographicLib, from a folder that holds geodesic.c and geodesic.h.
extern "C" {
#include <geodesic.h>
}

#include "globe.hpp"
#include "plugin.hpp"

// What the author states: 15 nm for |f| <= 1/150, 0.1 m2 an edge.
static const mrd_op_info lengthInfo = {
    .struct_size = sizeof(mrd_op_info), .flags = peers::steady | MRD_OP_CANCELS, .type_mask = peers::everyType,
    .dims_mask = peers::everyDimension, .edges_mask = peers::bit(MRD_EDGES_GEODESIC),
    .metric_mask = peers::bit(MRD_METRIC_ELLIPSOID), .error_unit = MRD_UNIT_METRE, .error_per_vertex = 30e-9,
    .max_flattening = 1.0 / 50, .method = "Karney 2013, series of order 6, geodesic.c"};
static const mrd_op_info areaInfo = [] {
  mrd_op_info info = lengthInfo;
  info.flags = peers::steady;  // a ring is not interrupted
  info.error_relative = 5e-14;
  info.error_per_vertex = 0.1;
  return info;
}();
static const mrd_op_info pointInfo = [] {
  mrd_op_info info = lengthInfo;
  info.type_mask = peers::points;
  info.error_absolute = 30e-9;
  info.error_per_vertex = 0;
  return info;
}();

class Globe {
 public:
  static constexpr bool hasInverse = true, hasDirect = true, hasArea = true;

  static const mrd_op_info *info(uint32_t op) {
    switch (op) {
      case MRD_MEASURE_LENGTH:
      case MRD_MEASURE_PERIMETER: return &lengthInfo;
      case MRD_MEASURE_AREA:
      case MRD_MEASURE_AREA_SIGNED:
      case MRD_MEASURE_PERIMETER_AREA: return &areaInfo;
      case MRD_MEASURE_INVERSE:
      case MRD_MEASURE_DISTANCE:
      case MRD_MEASURE_DIRECT: return &pointInfo;
      default: return nullptr;
    }
  }

  explicit Globe(const mrd_model &model) { geod_init(&geodesic, model.semi_major, model.flattening); }

  mrd_item_status distance(peers::Place a, peers::Place b, double &metres) const {
    geod_inverse(&geodesic, a.y, a.x, b.y, b.x, &metres, nullptr, nullptr);
    return MRD_ITEM_OK;
  }

  mrd_item_status inverse(peers::Place a, peers::Place b, peers::Inverse &out) const {
    geod_inverse(&geodesic, a.y, a.x, b.y, b.x, &out.metres, &out.azimuth1, &out.azimuth2);
    return MRD_ITEM_OK;
  }

  mrd_item_status direct(peers::Place a, double azimuth, double metres, peers::End &out) const {
    geod_direct(&geodesic, a.y, a.x, azimuth, metres, &out.place.y, &out.place.x, &out.azimuth);
    return MRD_ITEM_OK;
  }

  double ringArea(const peers::Geoms &geoms, peers::Span ring) const {
    geod_polygon polygon;
    geod_polygon_init(&polygon, 0);
    for (int64_t at = ring.begin; at < ring.end - 1; at++)
      geod_polygon_addpoint(&geodesic, &polygon, geoms.y(at), geoms.x(at));
    double area = 0;
    geod_polygon_compute(&geodesic, &polygon, 0, 1, &area, nullptr);
    return area;
  }

 private:
  geod_geodesic geodesic;
};

PEER_PLUGIN("geodesic.c of GeographicLib", "MIT", {MRD_FAMILY_MEASURE, &peers::GlobeFamily<Globe>::table})
