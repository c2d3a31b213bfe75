/* SPDX-License-Identifier: Apache-2.0
 *
 * A complete kernel: the great-circle length of linestrings on a sphere, by the haversine formula.                */
#include <math.h>

#include "meridian/plugin.h"

#define PI 3.14159265358979323846

/* The coordinate range of a row; `first` is where row 0 of this slice starts in the offsets. */
static void row_span(const mrd_geoms *in, int64_t row, int64_t span[2]) {
  for (int end = 0; end < 2; end++) {
    int64_t at = in->first + row + end;
    span[end] = in->offset_bits == 64 ? ((const int64_t *)in->offsets[0])[at] : ((const int32_t *)in->offsets[0])[at];
  }
}

static int32_t is_null(const mrd_geoms *in, int64_t row) {
  int64_t bit = in->first + row;
  return in->validity != NULL && (in->validity[bit >> 3] >> (bit & 7) & 1) == 0;
}

/* Coordinates lie a stride apart: separated and interleaved buffers need no copy. */
static double value(const mrd_geoms *in, int dimension, int64_t at) {
  return *(const double *)(const void *)((const char *)in->coords.v[dimension] + at * in->coords.stride[dimension]);
}

/* Metres between coordinates a and b. Accurate for short edges, where the arc cosine formula is not. */
static double haversine(const mrd_geoms *in, int64_t a, int64_t b) {
  double lat_a = value(in, 1, a) * PI / 180, lat_b = value(in, 1, b) * PI / 180;
  double s = sin((lat_b - lat_a) / 2), t = sin((value(in, 0, b) - value(in, 0, a)) * PI / 360);
  double h = s * s + cos(lat_a) * cos(lat_b) * t * t;
  return 2 * in->model->semi_major * asin(sqrt(h < 1 ? h : 1));
}

/* Length of one row, or NaN and the status that says why there is none. */
static double row_length(const mrd_geoms *in, int64_t row, mrd_item_status *status, const mrd_call *call) {
  int64_t span[2];
  double sum = 0;
  *status = is_null(in, row) ? MRD_ITEM_NULL : MRD_ITEM_OK;
  if (*status != MRD_ITEM_OK) return NAN;
  row_span(in, row, span);
  if (span[0] == span[1]) *status = MRD_ITEM_EMPTY; /* an empty line has length 0 */
  for (int64_t at = span[0]; at < span[1]; at++) {
    if ((at & 4095) == 0 && mrd_cancelled(call)) return NAN;
    if (!isfinite(value(in, 0, at)) || !isfinite(value(in, 1, at))) *status = MRD_ITEM_NONFINITE;
    else if (fabs(value(in, 1, at)) > 90) *status = MRD_ITEM_DOMAIN;
    else if (at > span[0]) sum += haversine(in, at - 1, at);
    if (*status == MRD_ITEM_NONFINITE || *status == MRD_ITEM_DOMAIN) return NAN;
  }
  return sum;
}

static mrd_status measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options, const mrd_columns *out,
                          mrd_call *call) {
  (void)options; /* LENGTH has none; a kernel that reads options refuses an unknown tail */
  if (op != MRD_MEASURE_LENGTH || in->type != MRD_LINESTRING || in->model == NULL ||
      in->model->edges != MRD_EDGES_GREAT_CIRCLE || in->model->metric != MRD_METRIC_SPHERE)
    return mrd_fail(call->error, MRD_E_UNSUPPORTED, -1, -1, "haversine: lengths of linestrings on a sphere only");
  for (int64_t row = 0; row < in->length; row++) {
    mrd_item_status status;
    double length = row_length(in, row, &status, call);
    if (mrd_cancelled(call))
      return mrd_fail(call->error, MRD_E_CANCELLED, row, -1, "haversine: cancelled");
    if (out->count > 0 && out->values[0] != NULL) out->values[0][row] = length;
    if (call->item_status != NULL) call->item_status[row] = status;
  }
  return MRD_OK;
}

static const mrd_op_info length_info = {
    .struct_size = sizeof(mrd_op_info), .flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS,
    .type_mask = 1u << MRD_LINESTRING, .dims_mask = 1u << MRD_XY | 1u << MRD_XYZ | 1u << MRD_XYM | 1u << MRD_XYZM,
    .edges_mask = 1u << MRD_EDGES_GREAT_CIRCLE, .metric_mask = 1u << MRD_METRIC_SPHERE,
    .error_unit = MRD_UNIT_METRE, .error_per_vertex = 0.2, /* half an arc near antipodes is found to about 1e-8 */
    .method = "haversine formula"};

static const mrd_op_info *info(uint32_t op) { return op == MRD_MEASURE_LENGTH ? &length_info : NULL; }

static const mrd_family_measure family = {.struct_size = sizeof(mrd_family_measure), .info = info, .measure = measure};

static const void *get_family(const char *id) {
  const char *mine = MRD_FAMILY_MEASURE;
  while (*id != 0 && *id == *mine) { id++; mine++; }
  return *id == *mine ? &family : NULL;
}

static const mrd_plugin plugin = {
    .struct_size = sizeof(mrd_plugin), .abi = MRD_MAKE_ABI(0, 1), .id = "org.example.haversine",
    .name = "Haversine lengths", .vendor = "example.org", .version = "1.0.0", .license = "Apache-2.0",
    .build = "C11", .get_family = get_family};

const mrd_plugin *mrd_plugin_entry_v1(const mrd_host *host, mrd_error *error) {
  if (host->abi_min <= plugin.abi && plugin.abi <= host->abi_max) return &plugin;
  mrd_fail(error, MRD_E_ABI, -1, -1, "haversine: needs ABI 0.1");
  return NULL;
}
