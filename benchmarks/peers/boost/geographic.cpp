// SPDX-License-Identifier: Apache-2.0
//
// Boost.Geometry on the ellipsoid, by the formula PEER_FORMULA: karney, vincenty, thomas or andoyer.
#include <boost/geometry.hpp>

#include "globe.hpp"
#include "plugin.hpp"

namespace bg = boost::geometry;

using Formula = bg::strategy::PEER_FORMULA;
using Point = bg::model::point<double, 2, bg::cs::geographic<bg::degree>>;
using Spheroid = bg::srs::spheroid<double>;
using AreaStrategy = bg::strategy::area::geographic<Formula, bg::strategy::default_order<Formula>::value, Spheroid>;

#define TEXT_(word) #word
#define TEXT(word) TEXT_(word)

constexpr bool isKarney = std::is_same_v<Formula, bg::strategy::karney>;
constexpr double degree = 3.14159265358979323846 / 180;

// Boost states no bounds. Those for distances are twice the largest error that a million random and near-antipodal pairs
// showed against long double (README.md); none is declared for areas.
static const mrd_op_info pointInfo = {
    .struct_size = sizeof(mrd_op_info), .flags = peers::steady | MRD_OP_CANCELS, .type_mask = peers::points,
    .dims_mask = peers::everyDimension, .edges_mask = peers::bit(MRD_EDGES_GEODESIC),
    .metric_mask = peers::bit(MRD_METRIC_ELLIPSOID), .error_unit = MRD_UNIT_METRE, .error_absolute = PEER_METRES,
    .max_flattening = 1.0 / 290, .method = "Boost.Geometry, " TEXT(PEER_FORMULA)};
static const mrd_op_info lengthInfo = [] {
  mrd_op_info info = pointInfo;
  info.type_mask = peers::everyType;
  info.error_absolute = 0;
  info.error_per_vertex = PEER_METRES;
  return info;
}();
static const mrd_op_info areaInfo = [] {
  mrd_op_info info = lengthInfo;
  info.flags = peers::steady;  // a ring is not interrupted
  info.error_unit = MRD_UNIT_NONE;
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

  explicit Globe(const mrd_model &model)
      : spheroid(model.semi_major, model.semi_major * (1 - model.flattening)), areas(spheroid) {
    const double e2 = model.flattening * (2 - model.flattening);
    const double authalic2 = bg::formula_dispatch::authalic_radius_sqr<double, Spheroid, bg::srs_spheroid_tag>::apply(
        model.semi_major * model.semi_major, e2);
    surface = 4 * bg::math::pi<double>() * authalic2;
  }

  mrd_item_status distance(peers::Place a, peers::Place b, double &metres) const {
    if (isNearAntipodal(a, b)) return MRD_ITEM_NOT_CONVERGED;
    metres = Formula::inverse<double, true, false>::apply(a.x * degree, a.y * degree, b.x * degree, b.y * degree,
                                                          spheroid).distance;
    return MRD_ITEM_OK;
  }

  mrd_item_status inverse(peers::Place a, peers::Place b, peers::Inverse &out) const {
    if (isNearAntipodal(a, b)) return MRD_ITEM_NOT_CONVERGED;
    const auto found = Formula::inverse<double, true, true, true>::apply(a.x * degree, a.y * degree, b.x * degree,
                                                                         b.y * degree, spheroid);
    out = {found.distance, found.azimuth / degree, found.reverse_azimuth / degree};
    return MRD_ITEM_OK;
  }

  /// West is mirrored to east: Boost 1.88 turns quotients of negative azimuths into unsigned numbers, which is undefined
  /// and goes wrong below -135 degrees on processors with AVX-512.
  mrd_item_status direct(peers::Place a, double azimuth, double metres, peers::End &out) const {
    azimuth = std::remainder(azimuth, 360);
    const double mirror = azimuth < 0 ? -1 : 1;
    const auto end = Formula::direct<double, true, true>::apply(mirror * a.x * degree, a.y * degree, metres,
                                                                mirror * azimuth * degree, spheroid);
    out = {{mirror * end.lon2 / degree, end.lat2 / degree}, mirror * end.reverse_azimuth / degree};
    return MRD_ITEM_OK;
  }

  /// Boost counts clockwise rings as positive.
  double ringArea(const peers::Geoms &geoms, peers::Span ring) const {
    using Ring = bg::model::ring<Point>;
    AreaStrategy::state<Ring> state;
    Point former(geoms.x(ring.begin), geoms.y(ring.begin));
    for (int64_t at = ring.begin + 1; at < ring.end; at++) {
      const Point next(geoms.x(at), geoms.y(at));
      areas.apply(former, next, state);
      former = next;
    }
    return std::remainder(-areas.result(state), surface);
  }

 private:
  /// All but Karney's formula lose their accuracy, or do not converge, about the antipode.
  static bool isNearAntipodal(peers::Place a, peers::Place b) {
    if (isKarney || std::fabs(a.y + b.y) > PEER_ANTIPODAL) return false;
    const double cosine = std::sin(a.y * degree) * std::sin(b.y * degree) +
                          std::cos(a.y * degree) * std::cos(b.y * degree) * std::cos((b.x - a.x) * degree);
    return cosine < -std::cos(PEER_ANTIPODAL * degree);
  }

  Spheroid spheroid;
  AreaStrategy areas;
  double surface;
};

PEER_PLUGIN("Boost.Geometry, " TEXT(PEER_FORMULA), "BSL-1.0", {MRD_FAMILY_MEASURE, &peers::GlobeFamily<Globe>::table})
