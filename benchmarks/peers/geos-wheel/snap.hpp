// SPDX-License-Identifier: Apache-2.0
//
// Rows snapped to the vertices of their targets by GEOS.
#pragma once

#include <set>

#include "segment.hpp"
#include "session.hpp"

inline const mrd_op_info *snapInfo(uint32_t op) {
  static const mrd_op_info pair = [] {
    mrd_op_info info = peers::planar("GEOS Snap to the target's vertices; withheld when it becomes invalid or moves too far",
                                     peers::steady, peers::everyType, peers::everyMetric);
    info.dims_mask = peers::bit(MRD_XY);
    return info;
  }();
  return op == MRD_SNAP_PAIR ? &pair : nullptr;
}

/// Vertices and edges of one side of a movement.
struct Side {
  std::set<std::pair<double, double>> vertices;
  std::vector<Segment> edges;

  template <class X, class Y>
  void add(int64_t begin, int64_t end, X x, Y y) {
    for (int64_t at = begin; at < end; at++) {
      vertices.emplace(x(at), y(at));
      // A lone point is an edge without length.
      const int64_t former = at == begin ? at : at - 1;
      if (at > begin || end - begin == 1) edges.push_back({x(former), y(former), x(at), y(at)});
    }
  }
  /// Every vertex of this side stands on the other or is near to one of its edges.
  bool isNear(const Side &other, double squaredReach) const {
    return std::all_of(vertices.begin(), vertices.end(), [&](const auto &vertex) {
      return other.vertices.count(vertex) > 0 ||
             std::any_of(other.edges.begin(), other.edges.end(), [&](const Segment &edge) {
               return edge.squaredDistance(vertex.first, vertex.second) <= squaredReach;
             });
    });
  }
};

class Snapper {
 public:
  Snapper(const peers::Geoms &geoms, const peers::Geoms &targets, double tolerance, int32_t *outcomes, mrd_call *call)
      : geoms(geoms), targets(targets), tolerance(tolerance), outcomes(outcomes), call(call),
        writer(call, geoms.raw.type, geoms.raw.dims) {}

  void run(mrd_geoms_out &out) {
    for (int64_t row = 0; row < geoms.count(); row++) {
      peers::poll(call);
      peers::setStatus(call, row, snap(row));
    }
    writer.finish(out);
  }

 private:
  mrd_item_status snap(int64_t row) {
    if (geoms.isNull(row)) return leave(row, MRD_SNAP_UNCHANGED, MRD_ITEM_NULL);
    if (geoms.isEmpty(row)) return leave(row, MRD_SNAP_UNCHANGED, MRD_ITEM_EMPTY);
    if (targets.isNull(row) || targets.isEmpty(row)) return leave(row, MRD_SNAP_UNCHANGED, MRD_ITEM_OK);
    const peers::Fault fault = peers::findFault(geoms, row);
    if (fault.code != 0) return leave(row, MRD_SNAP_WITHHELD, fault.status());
    if (peers::findFault(targets, row).code != 0) return leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_NOT_APPLIED);
    const Session::Geometry geometry = session.build(geoms, row, Third::none);
    const Session::Geometry target = session.build(targets, row, Third::none);
    const Session::Geometry snapped =
        session.own(geometry == nullptr || target == nullptr
                        ? nullptr
                        : GEOSSnap_r(session.context, geometry.get(), target.get(), tolerance));
    if (snapped == nullptr) return leave(row, MRD_SNAP_WITHHELD, peers::failedRow(call, row, session.words));
    return accept(snapped, geometry, row);
  }

  /// Takes the result when it keeps the promises of the family; GEOS makes none of them.
  mrd_item_status accept(const Session::Geometry &snapped, const Session::Geometry &geometry, int64_t row) {
    peers::Shape shape;
    session.take(snapped.get(), dimension(geoms), shape);
    if (shape.isSame(geoms, row)) return leave(row, MRD_SNAP_UNCHANGED, MRD_ITEM_OK);
    peers::Shape before;
    session.take(geometry.get(), dimension(geoms), before);
    const bool isSameShape =
        shape.pathEnds.size() == before.pathEnds.size() && shape.partEnds.size() == before.partEnds.size();
    const bool becameInvalid = !session.isValid(snapped) && session.isValid(geometry);
    const double reach = tolerance * (1 + 1e-12);
    const Side old = side(before), fresh = side(shape);
    if (!isSameShape || becameInvalid || !fresh.isNear(old, reach * reach) || !old.isNear(fresh, reach * reach))
      return leave(row, MRD_SNAP_WITHHELD, MRD_ITEM_NOT_APPLIED);
    shape.write(writer, [&](size_t slot) { writer.add(shape.xs[slot], shape.ys[slot]); });
    if (outcomes != nullptr) outcomes[row] = MRD_SNAP_MOVED;
    return MRD_ITEM_OK;
  }

  static Side side(const peers::Shape &shape) {
    Side made;
    for (size_t path = 0; path < shape.pathEnds.size(); path++)
      made.add(static_cast<int64_t>(shape.pathBegin(path)), static_cast<int64_t>(shape.pathEnds[path]),
               [&](int64_t at) { return shape.xs[static_cast<size_t>(at)]; },
               [&](int64_t at) { return shape.ys[static_cast<size_t>(at)]; });
    return made;
  }

  mrd_item_status leave(int64_t row, int32_t outcome, mrd_item_status status) {
    writer.copyRow(geoms, row);
    if (outcomes != nullptr) outcomes[row] = outcome;
    return status;
  }

  const peers::Geoms &geoms;
  const peers::Geoms &targets;
  double tolerance;
  int32_t *outcomes;
  mrd_call *call;
  Session session;
  peers::Writer writer;
};

inline mrd_status snap(uint32_t op, const mrd_geoms *in, const mrd_geoms *targets, const mrd_snap_options *options,
                       mrd_geoms_out *out, int32_t *outcomes, mrd_call *call) {
  return peers::guarded(call, [&] {
    peers::need(out);
    if (snapInfo(op) == nullptr) peers::unsupported("this peer snaps pairs only");
    const mrd_snap_options known = peers::readOptions(options);
    if (known.flags != 0 || known.tolerance_m != 0)
      peers::unsupported("GEOS snaps vertices and edges to vertices, in coordinate units");
    const peers::Geoms geoms(in, snapInfo(op)), aims(targets, snapInfo(op));
    if (!(known.tolerance_coord > 0) || !std::isfinite(known.tolerance_coord) || geoms.count() != aims.count())
      throw peers::Refusal{MRD_E_ARGUMENT, "a positive tolerance_coord and one target for each row are needed"};
    Snapper(geoms, aims, known.tolerance_coord, outcomes, call).run(*out);
  });
}
