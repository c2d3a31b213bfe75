// SPDX-License-Identifier: Apache-2.0
//
// GeographicLib: Geodesic (series of order 6), or GeodesicExact (elliptic integrals) with PEER_EXACT. The precision is
// the one that the library was built with: long double makes the exact one an oracle for results in double.
#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/GeodesicExact.hpp>
#include <GeographicLib/PolygonArea.hpp>

#include "globe.hpp"
#include "plugin.hpp"

#if PEER_EXACT
using Solver = GeographicLib::GeodesicExact;
#else
using Solver = GeographicLib::Geodesic;
#endif
using Real = GeographicLib::Math::real;

// What the author states for WGS84-like ellipsoids in double: 15 nm (series, |f| <= 1/150; 30 nm to 1/50), 40 nm (exact),
// 0.1 m2 an edge. A long double has 11 bits more; then the result's own rounding to double stays.
constexpr bool isWide = sizeof(Real) > sizeof(double);
constexpr double metres = isWide ? 1e-10 : PEER_EXACT ? 40e-9 : 30e-9;
constexpr double squareMetres = isWide ? 1e-4 : 0.1;
constexpr const char *method = PEER_EXACT ? (isWide ? "GeodesicExact, elliptic integrals, long double"
                                                    : "GeodesicExact, elliptic integrals, double")
                                          : (isWide ? "Karney 2013, series of order 6, long double"
                                                    : "Karney 2013, series of order 6, double");

// One declaration for the ellipsoid, and behind it the same for the sphere.
struct Declared {
  mrd_op_info ellipsoid;
  mrd_op_info sphere;
  Declared(uint32_t types, uint32_t flags, double absolute, double perVertex, double relative) {
    sphere = {.struct_size = sizeof(mrd_op_info), .flags = flags, .type_mask = types,
              .dims_mask = peers::everyDimension, .edges_mask = peers::bit(MRD_EDGES_GREAT_CIRCLE),
              .metric_mask = peers::bit(MRD_METRIC_SPHERE), .error_unit = MRD_UNIT_METRE, .error_absolute = absolute,
              .error_relative = relative, .error_per_vertex = perVertex, .method = method};
    ellipsoid = sphere;
    ellipsoid.edges_mask = peers::bit(MRD_EDGES_GEODESIC);
    ellipsoid.metric_mask = peers::bit(MRD_METRIC_ELLIPSOID);
    ellipsoid.max_flattening = 1.0 / 50;
    ellipsoid.next = &sphere;
  }
};

constexpr double rounding = 0x1p-52;
static const Declared lengthInfo(peers::everyType, peers::steady | MRD_OP_CANCELS, 0, metres, rounding);
static const Declared areaInfo(peers::everyType, peers::steady, 0, squareMetres, isWide ? rounding : 5e-14);
static const Declared pointInfo(peers::points, peers::steady | MRD_OP_CANCELS, metres, 0, rounding);

class Globe {
 public:
  static constexpr bool hasInverse = true, hasDirect = true, hasArea = true;

  static const mrd_op_info *info(uint32_t op) {
    switch (op) {
      case MRD_MEASURE_LENGTH:
      case MRD_MEASURE_PERIMETER: return &lengthInfo.ellipsoid;
      case MRD_MEASURE_AREA:
      case MRD_MEASURE_AREA_SIGNED:
      case MRD_MEASURE_PERIMETER_AREA: return &areaInfo.ellipsoid;
      case MRD_MEASURE_INVERSE:
      case MRD_MEASURE_DISTANCE:
      case MRD_MEASURE_DIRECT: return &pointInfo.ellipsoid;
      default: return nullptr;
    }
  }

  explicit Globe(const mrd_model &model)
      : solver(model.semi_major, model.edges == MRD_EDGES_GEODESIC ? model.flattening : 0) {}

  mrd_item_status distance(peers::Place a, peers::Place b, double &metres) const {
    Real distance;
    solver.Inverse(a.y, a.x, b.y, b.x, distance);
    metres = static_cast<double>(distance);
    return MRD_ITEM_OK;
  }

  mrd_item_status inverse(peers::Place a, peers::Place b, peers::Inverse &out) const {
    Real distance, azimuth1, azimuth2;
    solver.Inverse(a.y, a.x, b.y, b.x, distance, azimuth1, azimuth2);
    out = {static_cast<double>(distance), static_cast<double>(azimuth1), static_cast<double>(azimuth2)};
    return MRD_ITEM_OK;
  }

  mrd_item_status direct(peers::Place a, double azimuth, double metres, peers::End &out) const {
    Real latitude, longitude, azimuth2;
    solver.Direct(a.y, a.x, azimuth, metres, latitude, longitude, azimuth2);
    out = {{static_cast<double>(longitude), static_cast<double>(latitude)}, static_cast<double>(azimuth2)};
    return MRD_ITEM_OK;
  }

  double ringArea(const peers::Geoms &geoms, peers::Span ring) const {
    GeographicLib::PolygonAreaT<Solver> polygon(solver);
    for (int64_t at = ring.begin; at < ring.end - 1; at++) polygon.AddPoint(geoms.y(at), geoms.x(at));
    Real perimeter, area;
    polygon.Compute(false, true, perimeter, area);
    return static_cast<double>(area);
  }

 private:
  Solver solver;
};

PEER_PLUGIN("GeographicLib geodesics", "MIT", {MRD_FAMILY_MEASURE, &peers::GlobeFamily<Globe>::table})
