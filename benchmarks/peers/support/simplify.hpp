// SPDX-License-Identifier: Apache-2.0
//
// The simplify family, row by row, over an Engine of a peer:
//
//   static const mrd_op_info *info(uint32_t op)
//   Engine(const Geoms &, mrd_call *)
//   mrd_item_status simplify(uint32_t op, int64_t row, double tolerance, Shape &)
//
// The engine gives the number of the input coordinate as Z of each vertex, NaN where the library lost it, and leaves out
// what collapsed. A row is given unchanged and WITHHELD when the result would break a promise of the family.
#pragma once

#include <map>

#include "shape.hpp"

namespace peers {

template <class Engine>
class SimplifyFamily {
 public:
  static const mrd_family_simplify table;

 private:
  static mrd_status simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options, mrd_geoms_out *out,
                             int32_t *outcomes, mrd_call *call) {
    return guarded(call, [&] {
      need(out);
      const mrd_op_info *info = Engine::info(op);
      if (info == nullptr) unsupported("this peer has no such method");
      const mrd_simplify_options known = readOptions(options);
      if (known.unit != MRD_TOLERANCE_COORD || known.flags & ~MRD_SIMPLIFY_WANT_KEPT || known.n_tolerances > 1 ||
          known.target_count != 0 || known.target_share != 0 || known.max_distance != 0 ||
          known.protected_vertices != nullptr)
        unsupported("this peer takes one tolerance in coordinate units and no variants");
      if (known.n_tolerances != 1 || known.tolerances == nullptr || !(*known.tolerances >= 0) ||
          known.collapse < MRD_COLLAPSE_KEEP || known.collapse > MRD_COLLAPSE_DROP)
        throw Refusal{MRD_E_ARGUMENT, "one tolerance that is not negative and not NaN is needed"};
      const Geoms geoms(in, info);
      SimplifyFamily run(geoms, known, outcomes, call);
      Engine engine(geoms, call);
      for (int64_t row = 0; row < geoms.count(); row++) {
        poll(call);
        run.answer(engine, op, row);
      }
      run.finish(*out);
    });
  }

  SimplifyFamily(const Geoms &geoms, const mrd_simplify_options &options, int32_t *outcomes, mrd_call *call)
      : geoms(geoms), options(options), outcomes(outcomes), call(call), writer(call, geoms.raw.type, geoms.raw.dims),
        kept(call, MRD_BUF_IDS), points(call, MRD_BUF_VALUES) {}

  void answer(Engine &engine, uint32_t op, int64_t row) {
    place = {nan, nan};
    if (geoms.isNull(row)) {
      leave(row, MRD_SIMPLIFY_UNCHANGED, MRD_ITEM_NULL);
    } else if (geoms.isEmpty(row) || geoms.isPuntal()) {
      leave(row, MRD_SIMPLIFY_UNCHANGED, geoms.isEmpty(row) ? MRD_ITEM_EMPTY : MRD_ITEM_OK);
    } else if (const Fault fault = findFault(geoms, row); fault.code != 0) {
      leave(row, MRD_SIMPLIFY_WITHHELD, fault.status());
    } else {
      Shape shape;
      const mrd_item_status status = engine.simplify(op, row, *options.tolerances, shape);
      if (status != MRD_ITEM_OK)
        leave(row, MRD_SIMPLIFY_WITHHELD, status);
      else
        take(shape, row);
    }
    if (options.collapse == MRD_COLLAPSE_POINT) {
      points.append(place.x);
      points.append(place.y);
    }
  }

  void take(const Shape &shape, int64_t row) {
    const bool isSingle = geoms.raw.type == MRD_LINESTRING || geoms.raw.type == MRD_POLYGON;
    const bool isKept = options.collapse != MRD_COLLAPSE_KEEP || shape.pathEnds.size() == pathCount(geoms, row);
    std::vector<int64_t> numbers;
    if (!isKept || (isSingle && shape.partEnds.size() > 1) || !number(shape, row, numbers))
      return leave(row, MRD_SIMPLIFY_WITHHELD, MRD_ITEM_NOT_APPLIED);
    if (shape.empty()) return vanish(row);
    if (shape.isSame(geoms, row)) return leave(row, MRD_SIMPLIFY_UNCHANGED, MRD_ITEM_OK);
    shape.write(writer, [&](size_t slot) { writer.add(geoms, numbers[slot]); });
    if (options.flags & MRD_SIMPLIFY_WANT_KEPT)
      for (int64_t number : numbers) kept.append(number);
    report(row, MRD_SIMPLIFY_REDUCED, MRD_ITEM_OK);
  }

  void vanish(int64_t row) {
    const bool becomesPoint = options.collapse == MRD_COLLAPSE_POINT;
    if (becomesPoint) place = geoms.place(geoms.coordinates(row).begin);
    writer.endRow();
    report(row, becomesPoint ? MRD_SIMPLIFY_TO_POINT : MRD_SIMPLIFY_DROPPED, MRD_ITEM_OK);
  }

  /// Which input coordinate each vertex is; false for one that the library made.
  bool number(const Shape &shape, int64_t row, std::vector<int64_t> &numbers) const {
    const Span span = geoms.coordinates(row);
    std::map<std::pair<double, double>, int64_t> places;
    for (size_t slot = 0; slot < shape.xs.size(); slot++) {
      const double x = shape.xs[slot], y = shape.ys[slot], hint = shape.zs[slot];
      if (hint >= static_cast<double>(span.begin) && hint < static_cast<double>(span.end) &&
          geoms.x(static_cast<int64_t>(hint)) == x && geoms.y(static_cast<int64_t>(hint)) == y) {
        numbers.push_back(static_cast<int64_t>(hint));
        continue;
      }
      if (places.empty())
        for (int64_t at = span.begin; at < span.end; at++) places.emplace(std::pair{geoms.x(at), geoms.y(at)}, at);
      const auto known = places.find({x, y});
      if (known == places.end()) return false;
      numbers.push_back(known->second);
    }
    return true;
  }

  /// Gives the row as it was.
  void leave(int64_t row, int32_t outcome, mrd_item_status status) {
    const int64_t before = writer.coordinates();
    writer.copyRow(geoms, row);
    if (options.flags & MRD_SIMPLIFY_WANT_KEPT) {
      const int64_t first = geoms.isNull(row) ? -1 : geoms.coordinates(row).begin;
      for (int64_t at = 0; at < writer.coordinates() - before; at++) kept.append(first < 0 ? -1 : first + at);
    }
    report(row, outcome, status);
  }

  void report(int64_t row, int32_t outcome, mrd_item_status status) {
    setStatus(call, row, status);
    if (outcomes != nullptr) outcomes[row] = outcome;
  }

  void finish(mrd_geoms_out &out) {
    if (options.flags & MRD_SIMPLIFY_WANT_KEPT) kept.finish();
    if (options.collapse == MRD_COLLAPSE_POINT) points.finish();
    writer.finish(out);
  }

  const Geoms &geoms;
  const mrd_simplify_options options;
  int32_t *outcomes;
  mrd_call *call;
  Writer writer;
  Buffer<int64_t> kept;
  Buffer<double> points;
  Place place{nan, nan};
};

template <class Engine>
const mrd_family_simplify SimplifyFamily<Engine>::table = {sizeof(mrd_family_simplify), 0, Engine::info, simplify};

}  // namespace peers
