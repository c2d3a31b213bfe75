// SPDX-License-Identifier: Apache-2.0
//
// GEOS for the length of one call: a context of its own, rows into geometries and back.
#pragma once

#include <geos_c.h>

#include <memory>

#include "../support/shape.hpp"

/// What becomes the Z of a vertex: nothing, the array's Z, or the number of the coordinate.
enum class Third { none, z, number };

class Session {
 public:
  Session() : context(GEOS_init_r()) {
    if (context == nullptr) throw std::bad_alloc();
    GEOSContext_setErrorMessageHandler_r(context, keepWords, words);
  }
  Session(const Session &) = delete;
  ~Session() { GEOS_finish_r(context); }

  struct Destroy {
    GEOSContextHandle_t context;
    void operator()(GEOSGeometry *geometry) const { GEOSGeom_destroy_r(context, geometry); }
  };
  using Geometry = std::unique_ptr<GEOSGeometry, Destroy>;

  Geometry own(GEOSGeometry *geometry) const { return Geometry(geometry, Destroy{context}); }

  bool isValid(const Geometry &geometry) const { return GEOSisValid_r(context, geometry.get()) == 1; }

  /// The row as a geometry, NULL when GEOS refuses it; empty points of multipoints are left out.
  Geometry build(const peers::Geoms &geoms, int64_t row, Third third) {
    const peers::Span span = geoms.row(row);
    std::vector<GEOSGeometry *> parts;
    switch (geoms.raw.type) {
      case MRD_POINT: return own(point(geoms, span.begin, third));
      case MRD_LINESTRING: return own(line(geoms, span, third));
      case MRD_POLYGON: return own(polygon(geoms, span, third));
      case MRD_MULTIPOINT:
        for (int64_t at = span.begin; at < span.end; at++)
          if (!geoms.isEmptyPoint(at)) parts.push_back(point(geoms, at, third));
        return own(collection(GEOS_MULTIPOINT, parts));
      case MRD_MULTILINESTRING:
        geoms.forEachPath(row, [&](peers::Span path) { parts.push_back(line(geoms, path, third)); });
        return own(collection(GEOS_MULTILINESTRING, parts));
      default:
        geoms.forEachPolygon(row, [&](peers::Span rings) { parts.push_back(polygon(geoms, rings, third)); });
        return own(collection(GEOS_MULTIPOLYGON, parts));
    }
  }

  /// Takes a result apart; answers how many pieces of another dimension than `wanted` were left out.
  int64_t take(const GEOSGeometry *geometry, int wanted, peers::Shape &shape) const {
    const int type = GEOSGeomTypeId_r(context, geometry);
    if (type >= GEOS_MULTIPOINT) {
      int64_t others = 0;
      for (int at = 0; at < GEOSGetNumGeometries_r(context, geometry); at++)
        others += take(GEOSGetGeometryN_r(context, geometry, at), wanted, shape);
      return others;
    }
    if (GEOSisEmpty_r(context, geometry) == 1) return 0;
    if (GEOSGeom_getDimensions_r(context, geometry) != wanted) return 1;
    if (type == GEOS_POLYGON) {
      addPath(GEOSGetExteriorRing_r(context, geometry), shape);
      for (int at = 0; at < GEOSGetNumInteriorRings_r(context, geometry); at++)
        addPath(GEOSGetInteriorRingN_r(context, geometry, at), shape);
    } else {
      addPath(geometry, shape);
    }
    shape.endPart();
    return 0;
  }

  GEOSContextHandle_t context;
  char words[400] = {};

 private:
  static void keepWords(const char *message, void *words) {
    std::strncpy(static_cast<char *>(words), message, sizeof(Session::words) - 1);
  }

  void addPath(const GEOSGeometry *path, peers::Shape &shape) const {
    const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(context, path);
    unsigned size = 0;
    GEOSCoordSeq_getSize_r(context, sequence, &size);
    const size_t first = shape.xs.size();
    for (std::vector<double> *column : {&shape.xs, &shape.ys, &shape.zs}) column->resize(first + size, peers::nan);
    if (size > 0)
      GEOSCoordSeq_copyToArrays_r(context, sequence, &shape.xs[first], &shape.ys[first], &shape.zs[first], nullptr);
    shape.endPath();
  }

  GEOSGeometry *point(const peers::Geoms &geoms, int64_t at, Third third) {
    if (geoms.isEmptyPoint(at)) return GEOSGeom_createEmptyPoint_r(context);
    GEOSCoordSequence *made = sequence(geoms, {at, at + 1}, third);
    return made == nullptr ? nullptr : GEOSGeom_createPoint_r(context, made);
  }
  GEOSGeometry *line(const peers::Geoms &geoms, peers::Span span, Third third) {
    GEOSCoordSequence *made = sequence(geoms, span, third);
    return made == nullptr ? nullptr : GEOSGeom_createLineString_r(context, made);
  }
  GEOSGeometry *ring(const peers::Geoms &geoms, peers::Span span, Third third) {
    GEOSCoordSequence *made = sequence(geoms, span, third);
    return made == nullptr ? nullptr : GEOSGeom_createLinearRing_r(context, made);
  }
  GEOSGeometry *polygon(const peers::Geoms &geoms, peers::Span rings, Third third) {
    if (rings.empty()) return GEOSGeom_createEmptyPolygon_r(context);
    std::vector<GEOSGeometry *> made;
    for (int64_t at = rings.begin; at < rings.end; at++) made.push_back(ring(geoms, geoms.path(at), third));
    if (!areAll(made)) return nullptr;
    return GEOSGeom_createPolygon_r(context, made[0], made.data() + 1, static_cast<unsigned>(made.size() - 1));
  }
  GEOSGeometry *collection(int type, std::vector<GEOSGeometry *> &parts) {
    if (!areAll(parts)) return nullptr;
    return GEOSGeom_createCollection_r(context, type, parts.data(), static_cast<unsigned>(parts.size()));
  }
  /// All of them, or none.
  bool areAll(const std::vector<GEOSGeometry *> &parts) const {
    if (std::find(parts.begin(), parts.end(), nullptr) == parts.end()) return true;
    for (GEOSGeometry *part : parts)
      if (part != nullptr) GEOSGeom_destroy_r(context, part);
    return false;
  }

  /// Without a copy of ours where the layout is one that GEOS reads.
  GEOSCoordSequence *sequence(const peers::Geoms &geoms, peers::Span span, Third third) {
    const mrd_coords &coords = geoms.raw.coords;
    const auto size = static_cast<unsigned>(span.count());
    if (size == 0) return GEOSCoordSeq_create_r(context, 0, third == Third::none ? 2 : 3);
    if (third == Third::none && coords.stride[0] == 16 && coords.stride[1] == 16 && coords.v[1] == coords.v[0] + 1)
      return GEOSCoordSeq_copyFromBuffer_r(context, coords.v[0] + 2 * span.begin, size, 0, 0);
    staged.resize(3 * static_cast<size_t>(size));
    double *xs = staged.data(), *ys = xs + size, *zs = ys + size;
    for (int64_t at = span.begin; at < span.end; at++) {
      const int64_t slot = at - span.begin;
      xs[slot] = geoms.x(at);
      ys[slot] = geoms.y(at);
      zs[slot] = third == Third::number ? static_cast<double>(at) : geoms.z(at);
    }
    return GEOSCoordSeq_copyFromArrays_r(context, xs, ys, third == Third::none ? nullptr : zs, nullptr, size);
  }

  std::vector<double> staged;
};

inline int dimension(const peers::Geoms &geoms) { return geoms.isPolygonal() ? 2 : geoms.isLineal() ? 1 : 0; }

inline int32_t multiType(const peers::Geoms &geoms) {
  return geoms.isPolygonal() ? MRD_MULTIPOLYGON : geoms.isLineal() ? MRD_MULTILINESTRING : MRD_MULTIPOINT;
}
