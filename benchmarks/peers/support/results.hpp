// SPDX-License-Identifier: Apache-2.0
//
// Results of variable length in the host's buffers.
#pragma once

#include "geoms.hpp"

namespace peers {

/// A growing result buffer: room in powers of two, the exact length by `finish`.
template <class Value>
class Buffer {
 public:
  Buffer(mrd_call *call, uint32_t number) : call(call), number(number) {}

  void append(Value value) {
    if (count == capacity) reserve(count + 1);
    base[count++] = value;
  }
  void reserve(int64_t wanted) {
    if (wanted <= capacity) return;
    const int64_t room = std::max({wanted, capacity * 2, int64_t{64}});
    base = static_cast<Value *>(grown(room));
    capacity = room;
  }
  void finish() { grown(count); }
  int64_t size() const { return count; }
  Value &operator[](int64_t index) { return base[index]; }

 private:
  void *grown(int64_t values) {
    void *memory = call->grow(call, number, values * static_cast<int64_t>(sizeof(Value)));
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }

  mrd_call *call;
  uint32_t number;
  Value *base = nullptr;
  int64_t count = 0;
  int64_t capacity = 0;
};

/// Writes a geometry array row by row: coordinates by `add`, each ring or line closed by `endRing`, each polygon of a
/// multipolygon by `endPart`, then `endRow`.
class Writer {
 public:
  Writer(mrd_call *call, int32_t type, int32_t dims)
      : type(type), dims(dims), levels(type == MRD_POINT ? 0 : type == MRD_LINESTRING || type == MRD_MULTIPOINT ? 1
                                       : type == MRD_MULTIPOLYGON ? 3 : 2),
        rows(call, MRD_BUF_OFFSETS0), rings(call, MRD_BUF_OFFSETS1), inner(call, MRD_BUF_OFFSETS2),
        xs(call, MRD_BUF_X), ys(call, MRD_BUF_Y), zs(call, MRD_BUF_Z), ms(call, MRD_BUF_M),
        validity(call, MRD_BUF_VALIDITY) {
    if (levels >= 1) rows.append(0);
    if (levels >= 2) rings.append(0);
    if (levels == 3) inner.append(0);
  }

  void add(double x, double y, double z = nan, double m = nan) {
    xs.append(x);
    ys.append(y);
    if (hasZ()) zs.append(z);
    if (hasM()) ms.append(m);
  }
  /// One coordinate of the input, bit-equal.
  void add(const Geoms &geoms, int64_t at) { add(geoms.x(at), geoms.y(at), geoms.z(at), geoms.m(at)); }
  void endRing() {
    if (levels == 2) rings.append(xs.size());
    if (levels == 3) inner.append(xs.size());
  }
  void endPart() {
    if (levels == 3) rings.append(inner.size() - 1);
  }
  void endRow() { close(true); }
  int64_t coordinates() const { return xs.size(); }

  /// Row `row` of the input as it was; its type is this writer's, or the single type of it.
  void copyRow(const Geoms &geoms, int64_t row) {
    const bool widens = geoms.raw.type != type;
    if (geoms.isNull(row)) {
      if (levels == 0) add(nan, nan);
      return close(false);
    }
    if (geoms.isPuntal() || geoms.raw.type == MRD_LINESTRING) {
      const Span span = geoms.row(row);
      for (int64_t at = span.begin; at < span.end; at++)
        if (!(widens && geoms.isEmptyPoint(at))) add(geoms, at);
      if (widens && geoms.isLineal() && !span.empty()) endRing();
    } else if (geoms.isLineal()) {
      copyPaths(geoms, geoms.row(row));
    } else {
      geoms.forEachPolygon(row, [&](Span polygon) {
        copyPaths(geoms, polygon);
        endPart();
      });
    }
    endRow();
  }

  void finish(mrd_geoms_out &out) {
    if (levels >= 1) rows.finish();
    if (levels >= 2) rings.finish();
    if (levels == 3) inner.finish();
    xs.finish();
    ys.finish();
    if (hasZ()) zs.finish();
    if (hasM()) ms.finish();
    validity.finish();
    out.type = type;
    out.dims = dims;
    out.length = written;
  }

 private:
  bool hasZ() const { return dims == MRD_XYZ || dims == MRD_XYZM; }
  bool hasM() const { return dims == MRD_XYM || dims == MRD_XYZM; }

  void copyPaths(const Geoms &geoms, Span paths) {
    for (int64_t path = paths.begin; path < paths.end; path++) {
      const Span span = geoms.path(path);
      for (int64_t at = span.begin; at < span.end; at++) add(geoms, at);
      endRing();
    }
  }
  void close(bool isValid) {
    if (levels == 1) rows.append(xs.size());
    if (levels >= 2) rows.append(rings.size() - 1);
    if ((written & 7) == 0) validity.append(0);
    if (isValid) validity[written >> 3] |= static_cast<uint8_t>(1u << (written & 7));
    written++;
  }

  int32_t type;
  int32_t dims;
  int levels;
  Buffer<int64_t> rows, rings, inner;
  Buffer<double> xs, ys, zs, ms;
  Buffer<uint8_t> validity;
  int64_t written = 0;
};

/// Problems of a validation, with their words.
class Problems {
 public:
  explicit Problems(mrd_call *call) : records(call, MRD_BUF_RECORDS), text(call, MRD_BUF_BYTES) {}

  void append(int32_t code, int32_t jtsCode, int64_t row, double x, double y, const char *words) {
    const int64_t start = text.size();
    for (; *words != 0; words++) text.append(*words);
    records.append({code, MRD_SEVERITY_ERROR, row, -1, -1, -1, -1, -1, -1, -1, x, y, nan, nan, jtsCode,
                    static_cast<uint32_t>(text.size() - start), start});
  }
  void finish(mrd_problems_out &out) {
    records.finish();
    text.finish();
    out.record_size = sizeof(mrd_problem);
    out.count = records.size();
  }

 private:
  Buffer<mrd_problem> records;
  Buffer<char> text;
};

}  // namespace peers
