// SPDX-License-Identifier: Apache-2.0
//
// Validity and repair by GEOS.
#pragma once

#include <set>

#include "../support/validate.hpp"
#include "session.hpp"

inline const mrd_op_info *validateInfo(uint32_t op) {
  static const mrd_op_info valid = [] {
    mrd_op_info info = peers::planar("GEOS IsValidOp, one problem a row", peers::steady, peers::everyType,
                                     peers::everyMetric);
    info.dialect_mask = peers::bit(MRD_DIALECT_OGC);
    return info;
  }();
  static const mrd_op_info repair = [] {
    mrd_op_info info = peers::planar("GEOS MakeValid, structure or linework", peers::steady, peers::everyType,
                                     peers::everyMetric);
    info.dims_mask = peers::bit(MRD_XY) | peers::bit(MRD_XYZ);
    info.dialect_mask = peers::bit(MRD_REPAIR_STRUCTURE) | peers::bit(MRD_REPAIR_LINEWORK);
    return info;
  }();
  return op == MRD_VALIDATE_VALID ? &valid : op == MRD_VALIDATE_REPAIR ? &repair : nullptr;
}

/// A kind of problem as GEOS words it.
struct Reason {
  const char *words;
  int32_t code;
  int32_t jtsCode;
};

constexpr Reason reasons[] = {
    {"Hole lies outside shell", MRD_PROBLEM_HOLE_OUTSIDE_SHELL, MRD_JTS_HOLE_OUTSIDE_SHELL},
    {"Holes are nested", MRD_PROBLEM_NESTED_HOLES, MRD_JTS_NESTED_HOLES},
    {"Interior is disconnected", MRD_PROBLEM_DISCONNECTED_INTERIOR, MRD_JTS_DISCONNECTED_INTERIOR},
    {"Self-intersection", MRD_PROBLEM_CROSSING, MRD_JTS_SELF_INTERSECTION},
    {"Ring Self-intersection", MRD_PROBLEM_RING_SELF_TOUCH, MRD_JTS_RING_SELF_INTERSECTION},
    {"Nested shells", MRD_PROBLEM_NESTED_SHELLS, MRD_JTS_NESTED_SHELLS},
    {"Duplicate Rings", MRD_PROBLEM_DUPLICATE_RING, MRD_JTS_DUPLICATE_RINGS},
    {"Duplicated Rings", MRD_PROBLEM_DUPLICATE_RING, MRD_JTS_DUPLICATE_RINGS},
    {"Too few points in geometry component", MRD_PROBLEM_TOO_FEW_POINTS, MRD_JTS_TOO_FEW_POINTS},
    {"Invalid Coordinate", MRD_PROBLEM_NONFINITE, MRD_JTS_INVALID_COORDINATE},
    {"Ring is not closed", MRD_PROBLEM_RING_NOT_CLOSED, MRD_JTS_RING_NOT_CLOSED},
};

class Validator {
 public:
  Validator(const peers::Geoms &geoms, mrd_call *call) : geoms(geoms), call(call) {}

  peers::Verdict judge(int64_t row, bool wantsReason) {
    peers::Verdict verdict;
    const Session::Geometry geometry = session.build(geoms, row, Third::none);
    char *words = nullptr;
    GEOSGeometry *place = nullptr;
    const int answer = geometry == nullptr ? 2
                       : wantsReason ? GEOSisValidDetail_r(session.context, geometry.get(), 0, &words, &place)
                                     : GEOSisValid_r(session.context, geometry.get());
    verdict.isValid = answer == 1;
    if (answer != 0 && answer != 1) verdict.status = peers::failedRow(call, row, session.words);
    if (place != nullptr) {
      GEOSGeomGetX_r(session.context, place, &verdict.x);
      GEOSGeomGetY_r(session.context, place, &verdict.y);
      GEOSGeom_destroy_r(session.context, place);
    }
    if (words == nullptr) return verdict;
    verdict.words = words;
    GEOSFree_r(session.context, words);
    for (const Reason &reason : reasons)
      if (verdict.words == reason.words) {
        verdict.code = reason.code;
        verdict.jtsCode = reason.jtsCode;
      }
    return verdict;
  }

 private:
  const peers::Geoms &geoms;
  mrd_call *call;
  Session session;
};

/// Repairs the rows of one call.
class Repairer {
 public:
  Repairer(const peers::Geoms &geoms, int32_t rule, mrd_repair_report *reports, uint32_t size, mrd_call *call)
      : geoms(geoms), rule(rule), reports(reports), size(size), call(call), writer(call, multiType(geoms), geoms.raw.dims),
        plain(params(0)), keeping(params(1)) {}
  Repairer(const Repairer &) = delete;
  ~Repairer() {
    GEOSMakeValidParams_destroy_r(session.context, plain);
    GEOSMakeValidParams_destroy_r(session.context, keeping);
  }

  void run(mrd_geoms_out &out) {
    for (int64_t row = 0; row < geoms.count(); row++) {
      peers::poll(call);
      peers::setStatus(call, row, repair(row));
    }
    writer.finish(out);
  }

 private:
  mrd_item_status repair(int64_t row) {
    if (geoms.isNull(row)) return leave(row, MRD_REPAIR_UNCHANGED, MRD_ITEM_NULL);
    const peers::Fault fault = peers::findFault(geoms, row);
    if (fault.code != 0) return leave(row, MRD_REPAIR_WITHHELD, fault.status());
    const Session::Geometry geometry = session.build(geoms, row, geoms.hasZ() ? Third::z : Third::none);
    if (geometry == nullptr) return fail(row);
    if (session.isValid(geometry)) return leave(row, MRD_REPAIR_UNCHANGED, MRD_ITEM_OK);
    const Session::Geometry made = session.own(GEOSMakeValidWithParams_r(session.context, geometry.get(), plain));
    if (made == nullptr) return fail(row);
    if (!session.isValid(made)) return leave(row, MRD_REPAIR_WITHHELD, MRD_ITEM_NOT_APPLIED);
    peers::Shape shape;
    int64_t collapsed = session.take(made.get(), dimension(geoms), shape);
    if (rule == MRD_REPAIR_STRUCTURE && reports != nullptr) collapsed = countCollapsed(geometry);
    shape.write(writer, [&](size_t slot) { writer.add(shape.xs[slot], shape.ys[slot], shape.zs[slot]); });
    describe(row, shape, collapsed);
    return MRD_ITEM_OK;
  }

  /// The structure rule gives what collapses only when asked to keep it.
  int64_t countCollapsed(const Session::Geometry &geometry) const {
    const Session::Geometry kept = session.own(GEOSMakeValidWithParams_r(session.context, geometry.get(), keeping));
    peers::Shape shape;
    return kept == nullptr ? 0 : session.take(kept.get(), dimension(geoms), shape);
  }

  void describe(int64_t row, const peers::Shape &shape, int64_t collapsed) {
    std::set<std::pair<double, double>> before, after;
    const peers::Span span = geoms.coordinates(row);
    for (int64_t at = span.begin; at < span.end; at++) before.emplace(geoms.x(at), geoms.y(at));
    for (size_t slot = 0; slot < shape.xs.size(); slot++) after.emplace(shape.xs[slot], shape.ys[slot]);
    int64_t added = 0, dropped = 0;
    for (const auto &place : after) added += before.count(place) == 0;
    for (const auto &place : before) dropped += after.count(place) == 0;
    report(row, {shape.empty() ? MRD_REPAIR_COLLAPSED : MRD_REPAIR_REPAIRED, rule, peers::rowArea(geoms, row), shape.area(),
                 added, dropped, parts(row), static_cast<int64_t>(shape.partEnds.size()), collapsed});
  }

  mrd_item_status fail(int64_t row) { return leave(row, MRD_REPAIR_WITHHELD, peers::failedRow(call, row, session.words)); }

  mrd_item_status leave(int64_t row, int32_t outcome, mrd_item_status status) {
    writer.copyRow(geoms, row);
    const double area = geoms.isNull(row) ? 0 : peers::rowArea(geoms, row);
    const int64_t count = geoms.isNull(row) ? 0 : parts(row);
    report(row, {outcome, rule, area, area, 0, 0, count, count, 0});
    return status;
  }

  int64_t parts(int64_t row) const {
    const bool isSingle = geoms.raw.type <= MRD_POLYGON;
    return isSingle ? !geoms.isEmpty(row) : geoms.row(row).count();
  }

  /// The caller's records lie `size` bytes apart; members outside of them are not touched.
  void report(int64_t row, const mrd_repair_report &report) const {
    if (reports == nullptr || size == 0) return;
    std::memcpy(reinterpret_cast<char *>(reports) + row * size, &report, std::min<size_t>(size, sizeof(report)));
  }

  GEOSMakeValidParams *params(int keepsCollapsed) {
    GEOSMakeValidParams *made = GEOSMakeValidParams_create_r(session.context);
    if (made == nullptr) throw std::bad_alloc();
    GEOSMakeValidParams_setMethod_r(session.context, made,
                                    rule == MRD_REPAIR_LINEWORK ? GEOS_MAKE_VALID_LINEWORK : GEOS_MAKE_VALID_STRUCTURE);
    GEOSMakeValidParams_setKeepCollapsed_r(session.context, made, keepsCollapsed);
    return made;
  }

  const peers::Geoms &geoms;
  int32_t rule;
  mrd_repair_report *reports;
  uint32_t size;
  mrd_call *call;
  Session session;
  peers::Writer writer;
  GEOSMakeValidParams *plain;
  GEOSMakeValidParams *keeping;
};

inline mrd_status check(uint32_t op, const mrd_geoms *in, const mrd_validate_options *options, mrd_problems_out *out,
                        mrd_call *call) {
  return peers::check<Validator>(op == MRD_VALIDATE_VALID ? validateInfo(op) : nullptr, in, options, out, call);
}

inline mrd_status repair(const mrd_geoms *in, const mrd_repair_options *options, mrd_geoms_out *out,
                         mrd_repair_report *reports, uint32_t size, mrd_call *call) {
  return peers::guarded(call, [&] {
    peers::need(out);
    const mrd_repair_options known = peers::readOptions(options);
    if (known.flags != 0 || known.dialect != MRD_DIALECT_OGC ||
        (known.rule != MRD_REPAIR_STRUCTURE && known.rule != MRD_REPAIR_LINEWORK))
      peers::unsupported("GEOS repairs by structure or by linework, to the rules of OGC");
    const peers::Geoms geoms(in, validateInfo(MRD_VALIDATE_REPAIR));
    Repairer(geoms, known.rule, reports, size, call).run(*out);
  });
}
