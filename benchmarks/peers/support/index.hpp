// SPDX-License-Identifier: Apache-2.0
//
// The index family in memory, over a tree of a peer: build, window, nearest. A Tree is
//
//   static constexpr const char *method
//   static constexpr bool hasNearest, takesBoxes      k nearest at all; of query boxes with extent
//   explicit Tree(const std::vector<Entry> &)         finite boxes that can be hit, at least one
//   void window(const Box &, std::vector<int64_t> &ids) const                appends the ids of boxes that meet
//   void nearest(const Box &, int64_t k, std::vector<int64_t> &ids) const    appends k nearest, in any order
//
// Ordinates beyond 2^480, where squares overflow, are not given to trees: such an index is searched box by box.
#pragma once

#include <memory>
#include <vector>

#include "results.hpp"

namespace peers {

struct Box {
  double xmin, ymin, xmax, ymax;

  /// Boxes with NaN and inverted ones are never hit.
  bool canBeHit() const { return xmin <= xmax && ymin <= ymax; }
  bool hasNaN() const { return std::isnan(xmin) || std::isnan(ymin) || std::isnan(xmax) || std::isnan(ymax); }
  bool isHuge() const { return !(std::max({-xmin, -ymin, xmax, ymax}) <= 0x1p480); }
  bool meets(const Box &other) const {
    return xmin <= other.xmax && other.xmin <= xmax && ymin <= other.ymax && other.ymin <= ymax;
  }
};

struct Entry {
  Box box;
  int64_t id;
};

/// Ordered by fl(dx^2 + dy^2); a square that overflows is formed from scaled gaps and ranks behind all others.
struct Distance {
  bool overflows;
  double square;

  Distance(double dx, double dy) : overflows(false), square(dx * dx + dy * dy) {
    if (square != std::numeric_limits<double>::infinity()) return;
    overflows = true;
    dx *= 0x1p-520;
    dy *= 0x1p-520;
    square = dx * dx + dy * dy;
  }
  Distance(const Box &a, const Box &b) : Distance(gap(a.xmin, a.xmax, b.xmin, b.xmax), gap(a.ymin, a.ymax, b.ymin, b.ymax)) {}
  double value() const { return overflows ? std::sqrt(square) * 0x1p520 : std::sqrt(square); }
  bool operator<(const Distance &other) const {
    return overflows != other.overflows ? other.overflows : square < other.square;
  }

 private:
  static double gap(double amin, double amax, double bmin, double bmax) {
    return amin > bmax ? amin - bmax : bmin > amax ? bmin - amax : 0;
  }
};

struct Neighbour {
  Distance distance;
  int64_t id;
  bool operator<(const Neighbour &other) const {
    return distance < other.distance || (!(other.distance < distance) && id < other.id);
  }
};

/// Checked access to an array of boxes on the plane.
class Boxes {
 public:
  explicit Boxes(const mrd_boxes *pointer) : raw(need(pointer)) {
    for (const double *side : raw.v)
      if (raw.length < 0 || (raw.length > 0 && side == nullptr))
        throw Refusal{MRD_E_ARGUMENT, "the boxes have a negative length or lack a bound"};
    if (raw.model != nullptr && (raw.model->edges != MRD_EDGES_PLANAR || raw.model->metric != MRD_METRIC_COORD))
      unsupported("this tree is planar, in coordinate units");
  }
  int64_t count() const { return raw.length; }
  Box operator[](int64_t index) const { return {load(0, index), load(1, index), load(2, index), load(3, index)}; }

 private:
  double load(int side, int64_t index) const {
    return *reinterpret_cast<const double *>(reinterpret_cast<const char *>(raw.v[side]) + index * raw.stride[side]);
  }
  const mrd_boxes &raw;
};

template <class Tree>
class Index {
 public:
  explicit Index(const Boxes &source, mrd_call *call) {
    std::vector<Entry> entries;
    entries.reserve(static_cast<size_t>(source.count()));
    boxes.reserve(static_cast<size_t>(source.count()));
    for (int64_t id = 0; id < source.count(); id++) {
      if ((id & 1023) == 0) poll(call);
      const Box box = source[id];
      boxes.push_back(box);
      if (!box.canBeHit()) continue;
      entries.push_back({box, id});
      isHuge = isHuge || box.isHuge();
      bounds = {std::min(bounds.xmin, box.xmin), std::min(bounds.ymin, box.ymin), std::max(bounds.xmax, box.xmax),
                std::max(bounds.ymax, box.ymax)};
    }
    hittable = static_cast<int64_t>(entries.size());
    if (!entries.empty() && !isHuge) tree = std::make_unique<Tree>(entries);
  }

  void window(const Box &query, std::vector<int64_t> &ids) const {
    if (!query.canBeHit() || !query.meets(bounds)) return;
    if (tree != nullptr) return tree->window(clamped(query), ids);
    for (size_t id = 0; id < boxes.size(); id++)
      if (boxes[id].canBeHit() && boxes[id].meets(query)) ids.push_back(static_cast<int64_t>(id));
  }

  /// The k nearest but `excluded`, all equals of the k-th among them; sorted.
  std::vector<Neighbour> nearest(const Box &query, int64_t k, int64_t excluded) const {
    std::vector<int64_t> ids;
    std::vector<Neighbour> found;
    const bool searches = tree == nullptr || query.isHuge();
    double reach = firstReach(k);
    for (int64_t wanted = std::min(k, hittable) + 2;; wanted *= 2, reach *= 2) {
      ids.clear();
      found.clear();
      const bool isAll = searches || wanted >= hittable;
      if (isAll) {
        window({-infinity, -infinity, infinity, infinity}, ids);
      } else if constexpr (Tree::hasNearest) {
        tree->nearest(query, wanted, ids);
      } else {
        tree->window(grown(query, reach), ids);
      }
      for (int64_t id : ids)
        if (id != excluded) found.push_back({Distance(query, boxes[static_cast<size_t>(id)]), id});
      std::sort(found.begin(), found.end());
      if (isAll || isSettled(found, k, reach)) return found;
    }
  }

  std::vector<Box> boxes;
  Box bounds = {infinity, infinity, -infinity, -infinity};
  int64_t hittable = 0;

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  static Box clamped(const Box &box) {
    return {std::max(box.xmin, -0x1p500), std::max(box.ymin, -0x1p500), std::min(box.xmax, 0x1p500),
            std::min(box.ymax, 0x1p500)};
  }
  static Box grown(const Box &box, double reach) {
    return {std::nextafter(box.xmin - reach, -infinity), std::nextafter(box.ymin - reach, -infinity),
            std::nextafter(box.xmax + reach, infinity), std::nextafter(box.ymax + reach, infinity)};
  }
  /// Half the side of a square that would hold k boxes if they were spread evenly; any positive number is right.
  double firstReach(int64_t k) const {
    const double side = std::max(bounds.xmax - bounds.xmin, bounds.ymax - bounds.ymin);
    const double reach = side * std::sqrt(std::min(1.0, static_cast<double>(k) / static_cast<double>(hittable + 1))) / 2;
    return reach > 0 && std::isfinite(reach) ? reach : 1;
  }
  /// No box that was not found can be as near as the k-th. A tree may round its own distances otherwise, by some ulps.
  static bool isSettled(const std::vector<Neighbour> &found, int64_t k, double reach) {
    if (static_cast<int64_t>(found.size()) < k) return false;
    const double kth = found[static_cast<size_t>(k - 1)].distance.square * (1 + 0x1p-49);
    return Tree::hasNearest ? kth < found.back().distance.square : kth < reach * reach;
  }

  std::unique_ptr<Tree> tree;
  bool isHuge = false;
};

template <class Tree>
class IndexFamily {
 public:
  static const mrd_family_index table;

 private:
  using Handle = Index<Tree>;

  static const mrd_op_info *info(uint32_t op) {
    static const mrd_op_info declared =
        planar(Tree::method, steady | MRD_OP_EXACT_PREDICATES, 0, bit(MRD_METRIC_COORD));
    return op >= MRD_INDEX_BUILD && op <= MRD_INDEX_NEAREST ? &declared : nullptr;
  }

  static const Handle &handle(const mrd_index *index) {
    if (index == nullptr) throw Refusal{MRD_E_ARGUMENT, "no index"};
    return *reinterpret_cast<const Handle *>(index);
  }

  static mrd_status build(const mrd_boxes *boxes, const mrd_index_options *options, mrd_index **out, mrd_call *call) {
    return guarded(call, [&] {
      if (readOptions(options).path != nullptr) unsupported("this tree lives in memory only");
      *out = reinterpret_cast<mrd_index *>(new Handle(Boxes(boxes), call));
    });
  }

  static void release(mrd_index *index) { delete reinterpret_cast<Handle *>(index); }

  static mrd_status facts(const mrd_index *index, mrd_index_facts *out, mrd_error *error) {
    if (index == nullptr || out == nullptr || out->struct_size < sizeof(mrd_index_facts))
      return mrd_fail(error, MRD_E_ARGUMENT, -1, -1, "no index, or too small a record for its facts");
    const Handle &its = handle(index);
    const auto count = static_cast<int64_t>(its.boxes.size());
    *out = {out->struct_size, 0, count, count - its.hittable, -1,
            {its.bounds.xmin, its.bounds.ymin, its.bounds.xmax, its.bounds.ymax}};
    return MRD_OK;
  }

  static mrd_status window(const mrd_index *index, const mrd_boxes *windows, const mrd_window_options *options,
                           mrd_call *call) {
    return guarded(call, [&] {
      const Handle &its = handle(index);
      const mrd_window_options known = readOptions(options);
      if (known.flags & ~MRD_WINDOW_ASCENDING) unsupported("a flag of a newer version is not known");
      if (known.mode < MRD_WINDOW_IDS || known.mode > MRD_WINDOW_FIRST || known.limit < 0)
        throw Refusal{MRD_E_ARGUMENT, "the mode or the limit of hits is outside its domain"};
      answerWindows(its, Boxes(windows), known, call);
    });
  }

  static void answerWindows(const Handle &its, const Boxes &queries, const mrd_window_options &known, mrd_call *call) {
    Buffer<int64_t> rows(call, MRD_BUF_ROWS), ids(call, MRD_BUF_IDS);
    const bool visits = known.mode == MRD_WINDOW_IDS && known.visitor != nullptr;
    std::vector<int64_t> hits;
    if (known.mode == MRD_WINDOW_IDS && !visits) rows.append(0);
    for (int64_t query = 0; query < queries.count(); query++) {
      poll(call);
      hits.clear();
      const Box box = queries[query];
      if (box.hasNaN()) setStatus(call, query, MRD_ITEM_NONFINITE);
      its.window(box, hits);
      if (known.mode == MRD_WINDOW_FIRST) {
        ids.append(hits.empty() ? -1 : *std::min_element(hits.begin(), hits.end()));
        continue;
      }
      if (known.mode == MRD_WINDOW_IDS && known.flags & MRD_WINDOW_ASCENDING) std::sort(hits.begin(), hits.end());
      if (known.limit > 0 && static_cast<int64_t>(hits.size()) > known.limit) {
        hits.resize(static_cast<size_t>(known.limit));
        setStatus(call, query, MRD_ITEM_WARN_TRUNCATED);
      }
      if (known.mode == MRD_WINDOW_COUNT) {
        ids.append(static_cast<int64_t>(hits.size()));
      } else if (visits) {
        for (int64_t id : hits)
          if (known.visitor(known.visitor_context, query, id) != 0) break;
      } else {
        for (int64_t id : hits) ids.append(id);
        rows.append(ids.size());
      }
    }
    if (visits) return;
    ids.finish();
    if (known.mode == MRD_WINDOW_IDS) rows.finish();
  }

  static mrd_status nearest(const mrd_index *index, const mrd_boxes *queries, const mrd_nearest_options *options,
                            mrd_call *call) {
    return guarded(call, [&] {
      const Handle &its = handle(index);
      const mrd_nearest_options known = readOptions(options);
      if (known.max_distance_m != 0) unsupported("this tree measures in coordinate units");
      if (known.k < 0 || !(known.max_distance_coord >= 0) || known.ties < MRD_TIES_LOWEST_ID ||
          known.ties > MRD_TIES_ALL)
        throw Refusal{MRD_E_ARGUMENT, "k, the largest distance or the rule for ties is outside its domain"};
      answerNearest(its, Boxes(queries), known, call);
    });
  }

  static void answerNearest(const Handle &its, const Boxes &queries, const mrd_nearest_options &known, mrd_call *call) {
    Buffer<int64_t> rows(call, MRD_BUF_ROWS), ids(call, MRD_BUF_IDS);
    Buffer<double> distances(call, MRD_BUF_VALUES);
    const int64_t k = std::max<int64_t>(1, known.k);
    const Distance most(known.max_distance_coord, 0);
    rows.append(0);
    for (int64_t query = 0; query < queries.count(); query++) {
      poll(call);
      const Box box = queries[query];
      const bool hasExtent = box.xmin != box.xmax || box.ymin != box.ymax;
      if (box.hasNaN()) {
        setStatus(call, query, MRD_ITEM_NONFINITE);
      } else if (!Tree::takesBoxes && hasExtent) {
        setStatus(call, query, MRD_ITEM_UNSUPPORTED);
      } else if (box.canBeHit()) {
        int64_t given = 0;
        const int64_t excluded = known.exclude != nullptr ? known.exclude[query] : -1;
        const Neighbour *former = nullptr;
        const std::vector<Neighbour> found = its.nearest(box, k, excluded);
        for (const Neighbour &next : found) {
          if (known.max_distance_coord > 0 && most < next.distance) break;
          if (given >= k && (known.ties == MRD_TIES_LOWEST_ID || former->distance < next.distance)) break;
          ids.append(next.id);
          distances.append(next.distance.value());
          former = &next;
          given++;
        }
      }
      rows.append(ids.size());
    }
    rows.finish();
    ids.finish();
    distances.finish();
  }
};

template <class Tree>
const mrd_family_index IndexFamily<Tree>::table = {
    sizeof(mrd_family_index), 0, info, build, release, facts, window, nearest, nullptr, nullptr, nullptr, nullptr,
    nullptr, nullptr};

}  // namespace peers
