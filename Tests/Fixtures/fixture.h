/* SPDX-License-Identifier: Apache-2.0
 *
 * A small plug-in that behaves. A fixture defines the macros of the parts where it misbehaves and includes this file:
 *
 *   FIXTURE_ID, FIXTURE_ABI, FIXTURE_PLUGIN_SIZE, FIXTURE_FAMILY_SIZE   other values in the tables
 *   FIXTURE_GET_FAMILY, FIXTURE_INFO, FIXTURE_INIT                      other functions, or NULL
 *   FIXTURE_MEASURE, FIXTURE_SIMPLIFY                                   other kernels
 *   FIXTURE_NO_ENTRY, FIXTURE_ENTRY                                     no entry, or another one
 *
 * What behaves: measure.length gives the number of coordinates of a row of a linestring array, and
 * simplify.douglas_peucker gives every row back unchanged.                                                       */
#ifndef MERIDIAN_TESTS_FIXTURE_H
#define MERIDIAN_TESTS_FIXTURE_H

#include <string.h>

#include "meridian/plugin.h"

#ifndef FIXTURE_ID
#  define FIXTURE_ID "org.example.fixture"
#endif
#ifndef FIXTURE_ABI
#  define FIXTURE_ABI MRD_ABI_VERSION
#endif
#ifndef FIXTURE_PLUGIN_SIZE
#  define FIXTURE_PLUGIN_SIZE sizeof(mrd_plugin)
#endif
#ifndef FIXTURE_FAMILY_SIZE
#  define FIXTURE_FAMILY_SIZE sizeof(mrd_family_measure)
#endif
#ifndef FIXTURE_INFO
#  define FIXTURE_INFO fixture_info
#endif
#ifndef FIXTURE_INIT
#  define FIXTURE_INIT NULL
#endif
#ifndef FIXTURE_GET_FAMILY
#  define FIXTURE_GET_FAMILY fixture_get_family
#endif
#ifndef FIXTURE_MEASURE
#  define FIXTURE_MEASURE fixture_measure
#endif
#ifndef FIXTURE_SIMPLIFY
#  define FIXTURE_SIMPLIFY fixture_simplify
#endif

static inline int64_t fixture_offset(const mrd_geoms *in, int64_t row) {
  int64_t at = in->first + row;
  return in->offset_bits == 64 ? ((const int64_t *)in->offsets[0])[at] : ((const int32_t *)in->offsets[0])[at];
}

static inline mrd_status fixture_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                         const mrd_columns *out, mrd_call *call) {
  (void)op;
  (void)options;
  (void)call;
  for (int64_t row = 0; row < in->length; row++) {
    out->values[0][row] = (double)(fixture_offset(in, row + 1) - fixture_offset(in, row));
  }
  return MRD_OK;
}

/* Gives a linestring array back, made of 64-bit offsets and separated x and y. */
static inline mrd_status fixture_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                          mrd_geoms_out *out, int32_t *outcomes, mrd_call *call) {
  int64_t begin = fixture_offset(in, 0), count = fixture_offset(in, in->length) - begin;
  int64_t *offsets = call->grow(call, MRD_BUF_OFFSETS0, (in->length + 1) * 8);
  double *ordinates[2];
  (void)op;
  (void)options;
  ordinates[0] = call->grow(call, MRD_BUF_X, count * 8);
  ordinates[1] = call->grow(call, MRD_BUF_Y, count * 8);
  if (offsets == NULL || ordinates[0] == NULL || ordinates[1] == NULL) return MRD_E_MEMORY;
  for (int64_t row = 0; row <= in->length; row++) offsets[row] = fixture_offset(in, row) - begin;
  for (int64_t row = 0; outcomes != NULL && row < in->length; row++) outcomes[row] = MRD_SIMPLIFY_UNCHANGED;
  for (int axis = 0; axis < 2; axis++) {
    const char *from = (const char *)in->coords.v[axis] + begin * in->coords.stride[axis];
    for (int64_t at = 0; at < count; at++) memcpy(ordinates[axis] + at, from + at * in->coords.stride[axis], 8);
  }
  out->type = in->type;
  out->dims = MRD_XY;
  out->length = in->length;
  return MRD_OK;
}

static const mrd_op_info fixture_length = {
    .struct_size = sizeof(mrd_op_info), .flags = MRD_OP_CANCELS, .type_mask = 1u << MRD_LINESTRING,
    .dims_mask = 1u << MRD_XY, .edges_mask = 1u << MRD_EDGES_PLANAR, .metric_mask = 1u << MRD_METRIC_COORD,
    .error_unit = MRD_UNIT_COORD, .method = "counts coordinates"};

static inline const mrd_op_info *fixture_info(uint32_t op) { return op == 1 ? &fixture_length : NULL; }

static const mrd_family_measure fixture_measure_table = {
    .struct_size = FIXTURE_FAMILY_SIZE, .info = FIXTURE_INFO, .measure = FIXTURE_MEASURE};
static const mrd_family_simplify fixture_simplify_table = {
    .struct_size = sizeof(mrd_family_simplify), .info = FIXTURE_INFO, .simplify = FIXTURE_SIMPLIFY};

static inline const void *fixture_get_family(const char *id) {
  if (strcmp(id, MRD_FAMILY_MEASURE) == 0) return &fixture_measure_table;
  return strcmp(id, MRD_FAMILY_SIMPLIFY) == 0 ? &fixture_simplify_table : NULL;
}

static const mrd_plugin fixture_plugin = {
    .struct_size = FIXTURE_PLUGIN_SIZE, .abi = FIXTURE_ABI, .id = FIXTURE_ID, .name = "A fixture",
    .vendor = "Meridian's tests", .version = "1.0.0", .license = "Apache-2.0", .build = "C11", .init = FIXTURE_INIT,
    .get_family = FIXTURE_GET_FAMILY};

#ifdef FIXTURE_NO_ENTRY
MRD_EXPORT const void *another_name(void) { return &fixture_plugin; }
#else
#  ifndef FIXTURE_ENTRY
#    define FIXTURE_ENTRY(host, error) ((void)(host), (void)(error), &fixture_plugin)
#  endif
const mrd_plugin *mrd_plugin_entry_v1(const mrd_host *host, mrd_error *error) { return FIXTURE_ENTRY(host, error); }
#endif

#endif /* MERIDIAN_TESTS_FIXTURE_H */
