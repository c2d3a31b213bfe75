// SPDX-License-Identifier: Apache-2.0
//
// Douglas-Peucker and topology-preserving simplification by GEOS. Vertices carry their number as Z through GEOS.
#pragma once

#include "../support/simplify.hpp"
#include "segment.hpp"
#include "session.hpp"

class Simplifier {
 public:
  static const mrd_op_info *info(uint32_t op) {
    static const mrd_op_info plain = peers::planar("GEOS Douglas-Peucker; withheld when rebuilt with new vertices or moved too far",
                                                   peers::steady | MRD_OP_KEPT_VERTICES, peers::everyType,
                                                   peers::everyMetric);
    static const mrd_op_info preserving = peers::planar("GEOS TopologyPreservingSimplifier",
                                                        peers::steady | MRD_OP_KEPT_VERTICES, peers::everyType,
                                                        peers::everyMetric);
    return op == MRD_SIMPLIFY_DOUGLAS_PEUCKER ? &plain : op == MRD_SIMPLIFY_TOPOLOGY_PRESERVING ? &preserving : nullptr;
  }

  Simplifier(const peers::Geoms &geoms, mrd_call *call) : geoms(geoms), call(call) {}

  mrd_item_status simplify(uint32_t op, int64_t row, double tolerance, peers::Shape &shape) {
    const bool preserves = op == MRD_SIMPLIFY_TOPOLOGY_PRESERVING;
    const Session::Geometry geometry = session.build(geoms, row, Third::number);
    if (geometry == nullptr) return peers::failedRow(call, row, session.words);
    if (preserves && !session.isValid(geometry)) return MRD_ITEM_INVALID;
    const Session::Geometry less =
        session.own(preserves ? GEOSTopologyPreserveSimplify_r(session.context, geometry.get(), tolerance)
                              : GEOSSimplify_r(session.context, geometry.get(), tolerance));
    if (less == nullptr) return peers::failedRow(call, row, session.words);
    if (preserves && !session.isValid(less)) return MRD_ITEM_NOT_APPLIED;
    peers::Shape whole;
    session.take(less.get(), dimension(geoms), whole);
    if (!preserves && dimension(geoms) == 2 && movesTooFar(whole, row, tolerance)) return MRD_ITEM_NOT_APPLIED;
    for (size_t part = 0; part < whole.partEnds.size(); part++)
      if (dimension(geoms) == 2 || !isPointLike(whole, part)) copyPart(whole, part, shape);
    return MRD_ITEM_OK;
  }

 private:
  /// A closed line that shrank to its two equal ends.
  static bool isPointLike(const peers::Shape &shape, size_t part) {
    const size_t path = shape.partBegin(part), first = shape.pathBegin(path);
    for (size_t slot = first; slot < shape.pathEnds[path]; slot++)
      if (shape.xs[slot] != shape.xs[first] || shape.ys[slot] != shape.ys[first]) return false;
    return true;
  }

  /// GEOS drops the first vertex of a ring when it is near to the edge that then closes the ring, but does not look again
  /// at the vertices that it had dropped on both sides of it.
  bool movesTooFar(const peers::Shape &shape, int64_t row, double tolerance) const {
    bool found = false;
    for (size_t path = 0; path < shape.pathEnds.size(); path++) {
      const size_t first = shape.pathBegin(path), last = shape.pathEnds[path] - 2;
      geoms.forEachPath(row, [&](peers::Span ring) {
        const double begin = static_cast<double>(ring.begin), end = static_cast<double>(ring.end);
        if (!(shape.zs[first] > begin && shape.zs[first] < end && shape.zs[last] < end)) return;
        const Segment edge = {shape.xs[last], shape.ys[last], shape.xs[first], shape.ys[first]};
        const auto isFar = [&](int64_t at) {
          return edge.squaredDistance(geoms.x(at), geoms.y(at)) > tolerance * tolerance;
        };
        for (auto at = static_cast<int64_t>(shape.zs[last]) + 1; at < ring.end; at++) found = found || isFar(at);
        for (int64_t at = ring.begin; at < static_cast<int64_t>(shape.zs[first]); at++) found = found || isFar(at);
      });
    }
    return found;
  }

  static void copyPart(const peers::Shape &from, size_t part, peers::Shape &to) {
    for (size_t path = from.partBegin(part); path < from.partEnds[part]; path++) {
      for (size_t slot = from.pathBegin(path); slot < from.pathEnds[path]; slot++)
        to.add(from.xs[slot], from.ys[slot], from.zs[slot]);
      to.endPath();
    }
    to.endPart();
  }

  const peers::Geoms &geoms;
  mrd_call *call;
  Session session;
};
