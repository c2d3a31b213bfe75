// SPDX-License-Identifier: Apache-2.0
//
// Checked, cheap access to a geometry array that crossed the boundary, and to the columns for its rows.
#pragma once

#include "abi.hpp"

namespace peers {

/// A half-open range of coordinates, rings or parts.
struct Span {
  int64_t begin;
  int64_t end;
  int64_t count() const { return end - begin; }
  bool empty() const { return begin == end; }
};

struct Place {
  double x;
  double y;
};

/// Shape errors are found once, in the constructor; the accessors then read without checks.
class Geoms {
 public:
  /// Refuses a damaged array, and what `info` or one of those behind it does not take.
  Geoms(const mrd_geoms *pointer, const mrd_op_info *info) : raw(need(pointer)) {
    static constexpr uint32_t levels[] = {9, 0, 1, 2, 1, 2, 3};
    if (raw.type < MRD_POINT || raw.type > MRD_MULTIPOLYGON || raw.n_offsets != levels[raw.type] ||
        (raw.n_offsets > 0 && raw.offset_bits != 32 && raw.offset_bits != 64) || raw.length < 0 || raw.first < 0 ||
        raw.dims < MRD_XY || raw.dims > MRD_XYZM)
      throw Refusal{MRD_E_ARGUMENT, "the geometry array has an unknown type, dimension or offset layout"};
    if (!isSound()) throw Refusal{MRD_E_ARGUMENT, "the geometry array has bad offsets or no coordinates"};
    const mrd_model its = model();
    for (; info != nullptr; info = info->next)
      if (info->edges_mask & bit(its.edges) && info->metric_mask & bit(its.metric) && info->type_mask & bit(raw.type) &&
          info->dims_mask & bit(raw.dims))
        return;
    unsupported("this edge model, metric, geometry type or dimension is not served");
  }

  const mrd_geoms &raw;

  int64_t count() const { return raw.length; }
  bool isLineal() const { return lines & bit(raw.type); }
  bool isPolygonal() const { return polygons & bit(raw.type); }
  bool isPuntal() const { return !isLineal() && !isPolygonal(); }
  bool hasZ() const { return raw.dims == MRD_XYZ || raw.dims == MRD_XYZM; }
  bool hasM() const { return raw.dims == MRD_XYM || raw.dims == MRD_XYZM; }

  /// Planar and in coordinate units when the array has none.
  mrd_model model() const {
    return raw.model != nullptr ? *raw.model : mrd_model{sizeof(mrd_model), MRD_EDGES_PLANAR, MRD_METRIC_COORD, 0, 0, 0};
  }

  bool isNull(int64_t row) const {
    const int64_t at = raw.first + row;
    return raw.validity != nullptr && (raw.validity[at >> 3] >> (at & 7) & 1) == 0;
  }

  int64_t offset(int level, int64_t index) const {
    return raw.offset_bits == 64 ? static_cast<const int64_t *>(raw.offsets[level])[index]
                                 : static_cast<const int32_t *>(raw.offsets[level])[index];
  }
  /// What entry `index` of a level spans at the level below.
  Span span(int level, int64_t index) const { return {offset(level, index), offset(level, index + 1)}; }
  /// What a row spans at the outermost level.
  Span row(int64_t row) const {
    const int64_t at = raw.first + row;
    return raw.n_offsets == 0 ? Span{at, at + 1} : span(0, at);
  }
  /// The polygons of a polygonal row as spans of rings: one for a polygon that is not empty.
  template <class Body>
  void forEachPolygon(int64_t index, Body body) const {
    const Span parts = row(index);
    if (raw.n_offsets == 2 && !parts.empty()) body(parts);
    if (raw.n_offsets == 3)
      for (int64_t part = parts.begin; part < parts.end; part++) body(span(1, part));
  }
  /// The coordinates of a ring or of a line inside a multilinestring.
  Span path(int64_t index) const { return span(static_cast<int>(raw.n_offsets) - 1, index); }
  /// Each ring or line of a row, as coordinates; each point for puntal rows.
  template <class Body>
  void forEachPath(int64_t index, Body body) const {
    Span range = row(index);
    if (raw.type == MRD_LINESTRING) return body(range);
    if (raw.n_offsets < 2) {
      for (int64_t at = range.begin; at < range.end; at++) body(Span{at, at + 1});
      return;
    }
    if (raw.n_offsets == 3) range = {offset(1, range.begin), offset(1, range.end)};
    for (int64_t at = range.begin; at < range.end; at++) body(path(at));
  }
  Span coordinates(int64_t index) const {
    Span range = row(index);
    for (uint32_t level = 1; level < raw.n_offsets; level++)
      range = {offset(static_cast<int>(level), range.begin), offset(static_cast<int>(level), range.end)};
    return range;
  }

  double x(int64_t at) const { return load(0, at); }
  double y(int64_t at) const { return load(1, at); }
  double z(int64_t at) const { return load(2, at); }
  double m(int64_t at) const { return load(3, at); }
  Place place(int64_t at) const { return {x(at), y(at)}; }

  bool isEmptyPoint(int64_t at) const { return std::isnan(x(at)) && std::isnan(y(at)); }
  bool isEmpty(int64_t index) const {
    const Span range = coordinates(index);
    return raw.type == MRD_POINT ? isEmptyPoint(range.begin) : range.empty();
  }

  /// NULL, EMPTY, NONFINITE, DOMAIN or OK. On the globe latitudes end at 90 degrees.
  mrd_item_status inspect(int64_t index, bool globe, mrd_call *call) const {
    if (isNull(index)) return MRD_ITEM_NULL;
    if (isEmpty(index)) return MRD_ITEM_EMPTY;
    const Span range = coordinates(index);
    for (int64_t at = range.begin; at < range.end; at++) {
      if ((at & 4095) == 0) poll(call);
      if (!std::isfinite(x(at)) || !std::isfinite(y(at))) return MRD_ITEM_NONFINITE;
      if (globe && std::fabs(y(at)) > 90) return MRD_ITEM_DOMAIN;
    }
    return MRD_ITEM_OK;
  }

 private:
  double load(int dimension, int64_t at) const {
    const double *base = raw.coords.v[dimension];
    if (base == nullptr) return nan;
    return *reinterpret_cast<const double *>(reinterpret_cast<const char *>(base) + at * raw.coords.stride[dimension]);
  }

  /// The rows' offsets ascend and end inside the level below, down to the coordinates.
  bool isSound() const {
    if (raw.length == 0) return true;
    if (raw.length > std::numeric_limits<int64_t>::max() - 1 - raw.first || raw.coords.count < 0) return false;
    Span range{raw.first, raw.first + raw.length};
    for (uint32_t level = 0; level < raw.n_offsets; level++) {
      if (raw.offsets[level] == nullptr) return false;
      int64_t last = offset(static_cast<int>(level), range.begin);
      const int64_t begin = last;
      if (begin < 0) return false;
      for (int64_t at = range.begin + 1; at <= range.end; at++) {
        const int64_t next = offset(static_cast<int>(level), at);
        if (next < last) return false;
        last = next;
      }
      range = {begin, last};
    }
    const bool hasPlane = raw.coords.v[0] != nullptr && raw.coords.v[1] != nullptr;
    return range.end <= raw.coords.count && (range.empty() || hasPlane);
  }
};

/// The caller's result columns: `set` ignores those that are not wanted.
class Columns {
 public:
  Columns(const mrd_columns *pointer, int64_t rows) : raw(need(pointer)) {
    if (raw.length < rows || (raw.count > 0 && raw.values == nullptr))
      throw Refusal{MRD_E_ARGUMENT, "the result columns are shorter than the input"};
  }
  void set(uint32_t column, int64_t row, double value) const {
    if (column < raw.count && raw.values[column] != nullptr) raw.values[column][row] = value;
  }
  void fill(int64_t row, uint32_t columns, double value) const {
    for (uint32_t column = 0; column < columns; column++) set(column, row, value);
  }

 private:
  const mrd_columns &raw;
};

/// Measures the rows that are present, finite and in the domain with `body`, which sets the columns and answers the
/// status; the others get their status, `emptyValue` where the row is empty and NaN else.
template <class Body>
void forEachRow(const Geoms &geoms, const Columns &columns, uint32_t width, double emptyValue, bool globe,
                mrd_call *call, Body body) {
  for (int64_t row = 0; row < geoms.count(); row++) {
    poll(call);
    mrd_item_status status = geoms.inspect(row, globe, call);
    columns.fill(row, width, status == MRD_ITEM_EMPTY ? emptyValue : nan);
    if (status == MRD_ITEM_OK) status = body(row);
    setStatus(call, row, status);
  }
}

}  // namespace peers
