// SPDX-License-Identifier: Apache-2.0
//
// The measure family on a globe, over the formulas of a peer. A Globe is
//
//   explicit Globe(const mrd_model &)
//   static const mrd_op_info *info(uint32_t op)
//   mrd_item_status distance(Place a, Place b, double &metres) const
//   mrd_item_status inverse(Place a, Place b, Inverse &) const           when hasInverse
//   mrd_item_status direct(Place, double azimuth, double metres, End &) const   when hasDirect
//   double ringArea(const Geoms &, Span ring) const                      when hasArea; signed, at most half the surface
//
// Longitudes of an edge that spans half a turn are handed to `distance` and `inverse` such that it goes east.
#pragma once

#include "geoms.hpp"

namespace peers {

struct Inverse {
  double metres;
  double azimuth1;
  double azimuth2;
};

struct End {
  Place place;
  double azimuth;
};

/// b - a is an odd number of half turns, exactly.
inline bool isHalfTurn(double a, double b) {
  if (!(std::fabs(b - a) >= 180)) return false;
  const double p = -std::remainder(a, 360), q = std::remainder(b, 360);
  const double sum = p + q, back = sum - p;
  return std::fabs(std::remainder(sum, 360)) == 180 && (p - (sum - back)) + (q - back) == 0;
}

inline double upToHalfTurn(double azimuth) { return azimuth <= -180 ? azimuth + 360 : azimuth; }

template <class Globe>
class GlobeFamily {
 public:
  static const mrd_family_measure table;

 private:
  static mrd_status measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                            const mrd_columns *out, mrd_call *call) {
    return guarded(call, [&] {
      if (Globe::info(op) == nullptr || op >= MRD_MEASURE_INVERSE) unsupported("not an operation of this peer");
      if (readOptions(options).side != MRD_SIDE_SMALLER) unsupported("this peer takes the smaller side of a ring");
      const Geoms geoms(in, Globe::info(op));
      const Columns columns(out, geoms.count());
      const Globe globe(checked(geoms.model()));
      const uint32_t width = op == MRD_MEASURE_PERIMETER_AREA ? 2 : 1;
      forEachRow(geoms, columns, width, 0, true, call,
                 [&](int64_t row) { return measureRow(globe, op, geoms, row, columns, call); });
    });
  }

  static mrd_item_status measureRow(const Globe &globe, uint32_t op, const Geoms &geoms, int64_t row,
                                    const Columns &columns, mrd_call *call) {
    const bool wantsArea = op == MRD_MEASURE_AREA || op == MRD_MEASURE_AREA_SIGNED || op == MRD_MEASURE_PERIMETER_AREA;
    const bool wantsLength = op == MRD_MEASURE_LENGTH ? geoms.isLineal()
                                                      : op != MRD_MEASURE_AREA && op != MRD_MEASURE_AREA_SIGNED;
    mrd_item_status status = MRD_ITEM_OK;
    double length = 0, area = 0;
    if (wantsLength && (geoms.isPolygonal() || op == MRD_MEASURE_LENGTH))
      status = pathLength(globe, geoms, row, length, call);
    if (wantsArea && geoms.isPolygonal() && MRD_ITEM_CODE(status) == MRD_ITEM_OK)
      status = polygonArea(globe, geoms, row, op == MRD_MEASURE_AREA_SIGNED, area, call);
    if (MRD_ITEM_CODE(status) != MRD_ITEM_OK) return status;
    uint32_t column = 0;
    if (!wantsArea || op == MRD_MEASURE_PERIMETER_AREA) columns.set(column++, row, length);
    if (wantsArea) columns.set(column, row, area);
    return status;
  }

  static mrd_item_status pathLength(const Globe &globe, const Geoms &geoms, int64_t row, double &sum, mrd_call *call) {
    mrd_item_status status = MRD_ITEM_OK;
    geoms.forEachPath(row, [&](Span path) {
      for (int64_t at = path.begin + 1; at < path.end && MRD_ITEM_CODE(status) == MRD_ITEM_OK; at++) {
        if ((at & 1023) == 0) poll(call);
        double metres = 0;
        Place a = geoms.place(at - 1), b = geoms.place(at);
        if (eastward(a, b)) status |= MRD_ITEM_WARN_AMBIGUOUS_EDGE;
        const mrd_item_status edge = globe.distance(a, b, metres);
        if (edge != MRD_ITEM_OK) status = edge;
        sum += metres;
      }
    });
    return status;
  }

  /// An edge over half a turn has no side of its own; which one the library takes is not the ABI's promise.
  static mrd_item_status polygonArea(const Globe &globe, const Geoms &geoms, int64_t row, bool isSigned, double &area,
                                     mrd_call *call) {
    if constexpr (Globe::hasArea) {
      bool isAmbiguous = false;
      geoms.forEachPolygon(row, [&](Span rings) {
        for (int64_t ring = rings.begin; ring < rings.end; ring++) {
          poll(call);
          const Span path = geoms.path(ring);
          for (int64_t at = path.begin + 1; at < path.end; at++)
            isAmbiguous = isAmbiguous || isHalfTurn(geoms.x(at - 1), geoms.x(at));
          if (isAmbiguous || path.count() < 4) continue;
          const double part = globe.ringArea(geoms, path);
          area += isSigned ? part : ring == rings.begin ? std::fabs(part) : -std::fabs(part);
        }
      });
      return isAmbiguous ? MRD_ITEM_UNSUPPORTED : MRD_ITEM_OK;
    }
    return MRD_ITEM_UNSUPPORTED;
  }

  static mrd_status pair(uint32_t op, const mrd_geoms *a, const mrd_geoms *b, const mrd_measure_options *options,
                         const mrd_columns *out, mrd_call *call) {
    return guarded(call, [&] {
      if (Globe::info(op) == nullptr || (op != MRD_MEASURE_INVERSE && op != MRD_MEASURE_DISTANCE))
        unsupported("not an operation of this peer");
      const bool broadcast = readOptions(options).flags & MRD_MEASURE_BROADCAST_B;
      const Geoms first(a, Globe::info(op)), second(b, Globe::info(op));
      if (second.count() != (broadcast ? 1 : first.count()) || !isSame(first.model(), second.model()))
        throw Refusal{MRD_E_ARGUMENT, "the two arrays differ in length or model"};
      const Columns columns(out, first.count());
      const Globe globe(checked(first.model()));
      const uint32_t width = op == MRD_MEASURE_INVERSE ? 3 : 1;
      forEachRow(first, columns, width, nan, true, call, [&](int64_t row) {
        const int64_t other = broadcast ? 0 : row;
        const mrd_item_status status = second.inspect(other, true, call);
        if (status != MRD_ITEM_OK) return status;
        return pairRow(globe, op, first.place(first.row(row).begin), second.place(second.row(other).begin), row, columns);
      });
    });
  }

  static mrd_item_status pairRow(const Globe &globe, uint32_t op, Place a, Place b, int64_t row,
                                 const Columns &columns) {
    const bool ambiguous = eastward(a, b);
    if (op == MRD_MEASURE_DISTANCE) {
      double metres = 0;
      const mrd_item_status status = globe.distance(a, b, metres);
      if (status == MRD_ITEM_OK) columns.set(0, row, metres);
      return status;
    }
    if constexpr (Globe::hasInverse) {
      Inverse found{};
      const mrd_item_status status = globe.inverse(a, b, found);
      if (status != MRD_ITEM_OK) return status;
      // GeodesicExact puts equal points some 1e-10 m apart.
      if (found.metres == 0 || (a.x == b.x && a.y == b.y)) found = {};
      columns.set(0, row, found.metres);
      columns.set(1, row, upToHalfTurn(found.azimuth1));
      columns.set(2, row, upToHalfTurn(found.azimuth2));
      if (found.metres == 0) return MRD_ITEM_DEGENERATE;
    }
    return ambiguous ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : MRD_ITEM_OK;
  }

  static mrd_status direct(const mrd_geoms *in, const double *azimuth, const double *distance,
                           const mrd_measure_options *options, const mrd_columns *out, mrd_call *call) {
    return guarded(call, [&] {
      if constexpr (Globe::hasDirect) {
        readOptions(options);
        const Geoms geoms(in, Globe::info(MRD_MEASURE_DIRECT));
        if (geoms.count() > 0 && (azimuth == nullptr || distance == nullptr))
          throw Refusal{MRD_E_ARGUMENT, "direct needs azimuths and distances"};
        const Columns columns(out, geoms.count());
        const Globe globe(checked(geoms.model()));
        forEachRow(geoms, columns, 3, nan, true, call, [&](int64_t row) -> mrd_item_status {
          if (!std::isfinite(azimuth[row]) || !std::isfinite(distance[row])) return MRD_ITEM_NONFINITE;
          End end{};
          const mrd_item_status status = globe.direct(geoms.place(geoms.row(row).begin), azimuth[row], distance[row], end);
          if (status != MRD_ITEM_OK) return status;
          columns.set(0, row, end.place.x);
          columns.set(1, row, end.place.y);
          columns.set(2, row, upToHalfTurn(end.azimuth));
          return MRD_ITEM_OK;
        });
      } else {
        unsupported("not an operation of this peer");
      }
    });
  }

  /// True for an edge over half a turn, whose longitudes are then replaced by a pair that goes east.
  static bool eastward(Place &a, Place &b) {
    if (!isHalfTurn(a.x, b.x)) return false;
    a.x = -90;
    b.x = 90;
    return true;
  }

  static mrd_model checked(const mrd_model &model) {
    if (!(model.semi_major > 0) || !std::isfinite(model.semi_major) || !(std::fabs(model.flattening) <= 1.0 / 50))
      throw Refusal{MRD_E_ARGUMENT, "the radius must be positive and the flattening at most 1/50"};
    return model;
  }

  static bool isSame(const mrd_model &a, const mrd_model &b) {
    return a.edges == b.edges && a.metric == b.metric && a.semi_major == b.semi_major && a.flattening == b.flattening;
  }
};

template <class Globe>
const mrd_family_measure GlobeFamily<Globe>::table = {sizeof(mrd_family_measure), 0, Globe::info, measure, pair,
                                                      direct, nullptr};

}  // namespace peers
