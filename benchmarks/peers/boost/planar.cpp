// SPDX-License-Identifier: Apache-2.0
//
// Boost.Geometry on the plane: lengths and areas, validity, Douglas-Peucker, the R-tree.
#include <cmath>

#include "../support/plugin.hpp"
#include "../support/simplify.hpp"
#include "../support/validate.hpp"
#include "index.hpp"
#include "shapes.hpp"

namespace bg = boost::geometry;

// ---- measure -----------------------------------------------------------------------------------------------------------

static const mrd_op_info measureDeclared =
    peers::planar("Boost.Geometry, plain sums of doubles", peers::steady, peers::everyType, peers::bit(MRD_METRIC_COORD));

static const mrd_op_info *measureInfo(uint32_t op) {
  return op >= MRD_MEASURE_LENGTH && op <= MRD_MEASURE_PERIMETER_AREA ? &measureDeclared : nullptr;
}

/// |shell| - sum |hole|, or the sum of the rings' areas; Boost counts clockwise rings as positive.
static double areaOf(const peers::Geoms &geoms, int64_t row, bool isSigned, Ring &ring) {
  double sum = 0;
  geoms.forEachPolygon(row, [&](peers::Span rings) {
    for (int64_t index = rings.begin; index < rings.end; index++) {
      ring.clear();
      append(geoms, geoms.path(index), ring);
      const double area = -bg::area(ring);
      sum += isSigned ? area : index == rings.begin ? std::fabs(area) : -std::fabs(area);
    }
  });
  return sum;
}

static mrd_status measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options, const mrd_columns *out,
                          mrd_call *call) {
  return peers::guarded(call, [&] {
    if (measureInfo(op) == nullptr) peers::unsupported("not an operation of this peer");
    peers::readOptions(options);
    const peers::Geoms geoms(in, measureInfo(op));
    const peers::Columns columns(out, geoms.count());
    const bool wantsArea = op != MRD_MEASURE_LENGTH && op != MRD_MEASURE_PERIMETER;
    const bool wantsLength = op == MRD_MEASURE_LENGTH ? geoms.isLineal() : geoms.isPolygonal();
    const uint32_t width = op == MRD_MEASURE_PERIMETER_AREA ? 2 : 1;
    Ring ring;
    Line line;
    peers::forEachRow(geoms, columns, width, 0, false, call, [&](int64_t row) {
      double length = 0;
      if (wantsLength && (!wantsArea || width == 2))
        geoms.forEachPath(row, [&](peers::Span path) {
          line.clear();
          append(geoms, path, line);
          length += bg::length(line);
        });
      if (!wantsArea || width == 2) columns.set(0, row, length);
      if (wantsArea)
        columns.set(width - 1, row, geoms.isPolygonal() ? areaOf(geoms, row, op == MRD_MEASURE_AREA_SIGNED, ring) : 0);
      return MRD_ITEM_OK;
    });
  });
}

static const mrd_family_measure measureTable = {sizeof(mrd_family_measure), 0, measureInfo, measure, nullptr, nullptr,
                                                nullptr};

// ---- validate ----------------------------------------------------------------------------------------------------------

static const mrd_op_info validDeclared = [] {
  mrd_op_info info = peers::planar("Boost.Geometry is_valid, rings turned first; one problem a row, its place in words",
                                   peers::steady, peers::everyType, peers::everyMetric);
  info.dialect_mask = peers::bit(MRD_DIALECT_OGC);
  return info;
}();

static const mrd_op_info *validateInfo(uint32_t op) { return op == MRD_VALIDATE_VALID ? &validDeclared : nullptr; }

static int32_t problem(bg::validity_failure_type failure) {
  switch (failure) {
    case bg::failure_few_points:
    case bg::failure_wrong_topological_dimension: return MRD_PROBLEM_TOO_FEW_POINTS;
    case bg::failure_spikes: return MRD_PROBLEM_SPIKE;
    case bg::failure_not_closed: return MRD_PROBLEM_RING_NOT_CLOSED;
    case bg::failure_self_intersections: return MRD_PROBLEM_CROSSING;
    case bg::failure_interior_rings_outside: return MRD_PROBLEM_HOLE_OUTSIDE_SHELL;
    case bg::failure_nested_interior_rings: return MRD_PROBLEM_NESTED_HOLES;
    case bg::failure_disconnected_interior: return MRD_PROBLEM_DISCONNECTED_INTERIOR;
    case bg::failure_invalid_coordinate: return MRD_PROBLEM_NONFINITE;
    default: return MRD_PROBLEM_INVALID_OTHER;
  }
}

class Validator {
 public:
  Validator(const peers::Geoms &geoms, mrd_call *call) : geoms(geoms), call(call) {}

  peers::Verdict judge(int64_t row, bool wantsReason) {
    peers::Verdict verdict;
    try {
      withRow(geoms, row, true, [&](const auto &geometry) {
        bg::validity_failure_type failure;
        verdict.isValid = bg::is_valid(geometry, failure);
        verdict.code = problem(failure);
        if (!verdict.isValid && wantsReason) bg::is_valid(geometry, verdict.words);
      });
    } catch (const bg::exception &error) {
      verdict.status = peers::failedRow(call, row, error.what());
    }
    return verdict;
  }

 private:
  const peers::Geoms &geoms;
  mrd_call *call;
};

static mrd_status check(uint32_t op, const mrd_geoms *in, const mrd_validate_options *options, mrd_problems_out *out,
                        mrd_call *call) {
  return peers::check<Validator>(validateInfo(op), in, options, out, call);
}

static const mrd_family_validate validateTable = {
    sizeof(mrd_family_validate), 0, validateInfo, check, nullptr, nullptr, nullptr, nullptr};

// ---- simplify ----------------------------------------------------------------------------------------------------------

static const mrd_op_info simplifyDeclared =
    peers::planar("Boost.Geometry simplify, Douglas-Peucker; rings start where Boost starts them",
                  peers::steady | MRD_OP_KEPT_VERTICES, peers::everyType, peers::everyMetric);

class Simplifier {
 public:
  static const mrd_op_info *info(uint32_t op) {
    return op == MRD_SIMPLIFY_DOUGLAS_PEUCKER ? &simplifyDeclared : nullptr;
  }

  Simplifier(const peers::Geoms &geoms, mrd_call *) : geoms(geoms) {}

  mrd_item_status simplify(uint32_t, int64_t row, double tolerance, peers::Shape &shape) {
    if (geoms.isLineal()) {
      geoms.forEachPath(row, [&](peers::Span path) {
        Line line, less;
        append(geoms, path, line);
        bg::simplify(line, less, tolerance);
        // A closed line may shrink to its two equal ends.
        if (less.size() > 2 || (less.size() == 2 && !bg::equals(less.front(), less.back()))) add(less, shape);
        if (shape.pathEnds.size() > shape.partBegin(shape.partEnds.size())) shape.endPart();
      });
      return MRD_ITEM_OK;
    }
    geoms.forEachPolygon(row, [&](peers::Span rings) {
      Polygon less;
      bg::simplify(polygon(geoms, rings, false), less, tolerance);
      if (less.outer().size() < 4) return;
      add(less.outer(), shape);
      for (const Ring &hole : less.inners())
        if (hole.size() >= 4) add(hole, shape);
      shape.endPart();
    });
    return MRD_ITEM_OK;
  }

 private:
  template <class Range>
  static void add(const Range &range, peers::Shape &shape) {
    for (const Vertex &vertex : range) shape.add(vertex.x, vertex.y, static_cast<double>(vertex.number));
    shape.endPath();
  }

  const peers::Geoms &geoms;
};

PEER_PLUGIN("Boost.Geometry", "BSL-1.0", {MRD_FAMILY_MEASURE, &measureTable}, {MRD_FAMILY_VALIDATE, &validateTable},
            {MRD_FAMILY_SIMPLIFY, &peers::SimplifyFamily<Simplifier>::table},
            {MRD_FAMILY_INDEX, &peers::IndexFamily<Tree>::table})
