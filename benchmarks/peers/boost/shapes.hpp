// SPDX-License-Identifier: Apache-2.0
//
// Rows as geometries of Boost.Geometry, whose points know which coordinate of the array they are.
#pragma once

#include <boost/geometry.hpp>
#include <boost/geometry/geometries/register/point.hpp>
#include <cstdint>

#include "../support/geoms.hpp"

struct Vertex {
  double x = 0;
  double y = 0;
  int64_t number = -1;
};
BOOST_GEOMETRY_REGISTER_POINT_2D(Vertex, double, boost::geometry::cs::cartesian, x, y)

using Line = boost::geometry::model::linestring<Vertex>;
using Ring = boost::geometry::model::ring<Vertex>;  // clockwise, closed
using Polygon = boost::geometry::model::polygon<Vertex>;
using MultiPoint = boost::geometry::model::multi_point<Vertex>;
using MultiLine = boost::geometry::model::multi_linestring<Line>;
using MultiPolygon = boost::geometry::model::multi_polygon<Polygon>;

template <class Range>
void append(const peers::Geoms &geoms, peers::Span span, Range &range) {
  range.reserve(static_cast<size_t>(span.count()));
  for (int64_t at = span.begin; at < span.end; at++)
    if (!geoms.isEmptyPoint(at)) range.push_back({geoms.x(at), geoms.y(at), at});
}

/// Empty rings are left out. `turns`: shells become clockwise and holes counter-clockwise, as Boost wants them.
inline Polygon polygon(const peers::Geoms &geoms, peers::Span rings, bool turns) {
  Polygon made;
  for (int64_t index = rings.begin; index < rings.end; index++) {
    Ring ring;
    append(geoms, geoms.path(index), ring);
    if (ring.empty()) continue;
    const bool isShell = index == rings.begin;
    if (turns && (boost::geometry::area(ring) < 0) == isShell) std::reverse(ring.begin(), ring.end());
    if (isShell) made.outer() = std::move(ring);
    else made.inners().push_back(std::move(ring));
  }
  return made;
}

/// Calls `body` with the row as the geometry of Boost that it is; empty parts are left out.
template <class Body>
void withRow(const peers::Geoms &geoms, int64_t row, bool turns, Body body) {
  if (geoms.isPuntal()) {
    MultiPoint points;
    append(geoms, geoms.row(row), points);
    body(points);
  } else if (geoms.isLineal()) {
    MultiLine lines;
    geoms.forEachPath(row, [&](peers::Span path) {
      if (path.empty()) return;
      lines.emplace_back();
      append(geoms, path, lines.back());
    });
    body(lines);
  } else if (geoms.raw.type == MRD_POLYGON) {
    body(polygon(geoms, geoms.row(row), turns));
  } else {
    MultiPolygon polygons;
    geoms.forEachPolygon(row, [&](peers::Span rings) {
      Polygon part = polygon(geoms, rings, turns);
      if (!part.outer().empty()) polygons.push_back(std::move(part));
    });
    body(polygons);
  }
}
