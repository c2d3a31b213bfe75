// SPDX-License-Identifier: Apache-2.0
//
// One row as a library gave it back: vertices path after path (ring, line or point), paths part after part.
#pragma once

#include <vector>

#include "results.hpp"

namespace peers {

struct Shape {
  std::vector<double> xs, ys, zs;
  std::vector<size_t> pathEnds;  // among the vertices
  std::vector<size_t> partEnds;  // among the paths

  void add(double x, double y, double z) {
    xs.push_back(x);
    ys.push_back(y);
    zs.push_back(z);
  }
  void endPath() { pathEnds.push_back(xs.size()); }
  void endPart() { partEnds.push_back(pathEnds.size()); }
  bool empty() const { return partEnds.empty(); }

  size_t pathBegin(size_t path) const { return path == 0 ? 0 : pathEnds[path - 1]; }
  size_t partBegin(size_t part) const { return part == 0 ? 0 : partEnds[part - 1]; }

  /// Planar |shell| - sum |hole| over all parts.
  double area() const {
    double sum = 0;
    for (size_t part = 0; part < partEnds.size(); part++)
      for (size_t path = partBegin(part); path < partEnds[part]; path++)
        sum += path == partBegin(part) ? ringArea(path) : -ringArea(path);
    return sum;
  }

  /// The row's vertices in the row's order, bit for bit in x and y.
  bool isSame(const Geoms &geoms, int64_t row) const {
    const Span span = geoms.coordinates(row);
    if (static_cast<size_t>(span.count()) != xs.size()) return false;
    for (size_t slot = 0; slot < xs.size(); slot++)
      if (xs[slot] != geoms.x(span.begin + static_cast<int64_t>(slot)) ||
          ys[slot] != geoms.y(span.begin + static_cast<int64_t>(slot)))
        return false;
    return true;
  }

  /// Writes a whole row, each vertex by `vertex(slot)`.
  template <class Vertex>
  void write(Writer &writer, Vertex vertex) const {
    for (size_t part = 0; part < partEnds.size(); part++) {
      for (size_t path = partBegin(part); path < partEnds[part]; path++) {
        for (size_t slot = pathBegin(path); slot < pathEnds[path]; slot++) vertex(slot);
        writer.endRing();
      }
      writer.endPart();
    }
    writer.endRow();
  }

 private:
  double ringArea(size_t path) const {
    const size_t first = pathBegin(path);
    double twice = 0;
    for (size_t at = first + 1; at < pathEnds[path]; at++)
      twice += (xs[at - 1] - xs[first]) * (ys[at] - ys[first]) - (xs[at] - xs[first]) * (ys[at - 1] - ys[first]);
    return std::fabs(twice) / 2;
  }
};

/// Rings or lines of a row that have coordinates.
inline size_t pathCount(const Geoms &geoms, int64_t row) {
  size_t count = 0;
  geoms.forEachPath(row, [&](Span path) { count += path.empty() ? 0 : 1; });
  return count;
}

/// |shell| - sum |hole| of a row as it is stored; 0 for rows without areas.
inline double rowArea(const Geoms &geoms, int64_t row) {
  Shape shape;
  geoms.forEachPolygon(row, [&](Span rings) {
    for (int64_t ring = rings.begin; ring < rings.end; ring++) {
      const Span path = geoms.path(ring);
      for (int64_t at = path.begin; at < path.end; at++) shape.add(geoms.x(at), geoms.y(at), 0);
      shape.endPath();
    }
    shape.endPart();
  });
  return shape.area();
}

/// Why a row cannot be handed to a library: a problem of validation, 0 = none, and the coordinate that shows it.
struct Fault {
  int32_t code = 0;
  int64_t at = -1;
  mrd_item_status status() const { return code == MRD_PROBLEM_NONFINITE ? MRD_ITEM_NONFINITE : MRD_ITEM_INVALID; }
};

/// The first fault of a row that is not null: numbers that are not finite, rings that are open or of under three
/// coordinates, lines of one. Empty points are no fault.
inline Fault findFault(const Geoms &geoms, int64_t row) {
  const Span all = geoms.coordinates(row);
  for (int64_t at = all.begin; at < all.end; at++)
    if ((!std::isfinite(geoms.x(at)) || !std::isfinite(geoms.y(at))) && !(geoms.isPuntal() && geoms.isEmptyPoint(at)))
      return {MRD_PROBLEM_NONFINITE, at};
  Fault fault;
  if (geoms.isPuntal()) return fault;
  geoms.forEachPath(row, [&](Span path) {
    if (fault.code != 0 || path.empty()) return;
    const int64_t last = path.end - 1;
    const bool isClosed = geoms.x(path.begin) == geoms.x(last) && geoms.y(path.begin) == geoms.y(last);
    if (geoms.isPolygonal() && !isClosed) fault = {MRD_PROBLEM_RING_NOT_CLOSED, path.begin};
    if (path.count() < (geoms.isPolygonal() ? 3 : 2)) fault = {MRD_PROBLEM_TOO_FEW_POINTS, path.begin};
  });
  geoms.forEachPolygon(row, [&](Span rings) {
    for (int64_t ring = rings.begin + 1; ring < rings.end && fault.code == 0; ring++)
      if (geoms.path(rings.begin).empty() && !geoms.path(ring).empty())
        fault = {MRD_PROBLEM_HOLE_OUTSIDE_SHELL, geoms.path(ring).begin};
  });
  return fault;
}

}  // namespace peers
