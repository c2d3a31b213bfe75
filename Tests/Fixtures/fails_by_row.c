/* SPDX-License-Identifier: Apache-2.0
 *
 * Fails on rows by the x of their first coordinate, and behaves on all others: 1001 writes where nothing is, 1002 never comes
 * back, 1003 takes memory until there is none, 1004 answers what cannot be, 1005 aborts, 1006 ends the process. Offers
 * validate.valid beside what fixture.h offers. */
#include <stdlib.h>
#include <string.h>

#include "meridian/plugin.h"

static mrd_status failing_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                  const mrd_columns *out, mrd_call *call);
static mrd_status failing_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                   mrd_geoms_out *out, int32_t *outcomes, mrd_call *call);
static const void *failing_family(const char *id);
#define FIXTURE_MEASURE failing_measure
#define FIXTURE_SIMPLIFY failing_simplify
#define FIXTURE_GET_FAMILY failing_family
#include "fixture.h"

enum { WRITES_NOWHERE = 1001, NEVER_ENDS, TAKES_ALL, ANSWERS_NONSENSE, ABORTS, EXITS };

/* MRD_OK, MRD_E_MEMORY, or MRD_E_INTERNAL for a row that is to be answered with nonsense. */
static mrd_status fail(const mrd_geoms *in) {
  mrd_status status = MRD_OK;
  for (int64_t row = 0; row < in->length; row++) {
    const char *x = (const char *)in->coords.v[0] + fixture_offset(in, row) * in->coords.stride[0];
    double first = 0;
    if (fixture_offset(in, row + 1) > fixture_offset(in, row)) memcpy(&first, x, sizeof first);
    if (first == WRITES_NOWHERE) *(volatile int *)(uintptr_t)8 = 1;
    for (volatile int at = 0; first == NEVER_ENDS; at = 1 - at) {}
    if (first == TAKES_ALL) {
      const size_t piece = (size_t)1 << 26;
      for (void *more = malloc(piece); more != NULL; more = malloc(piece)) memset(more, 1, piece);
      return MRD_E_MEMORY;
    }
    if (first == ANSWERS_NONSENSE) status = MRD_E_INTERNAL;
    if (first == ABORTS) abort();
    if (first == EXITS) _Exit(3);
  }
  return status;
}

static mrd_status failing_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                  const mrd_columns *out, mrd_call *call) {
  const mrd_status status = fail(in);
  if (status == MRD_E_MEMORY) return status;
  if (status == MRD_E_INTERNAL) out->values[0][in->length] = 1;
  return fixture_measure(op, in, options, out, call);
}

static mrd_status failing_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                   mrd_geoms_out *out, int32_t *outcomes, mrd_call *call) {
  const mrd_status failure = fail(in);
  if (failure == MRD_E_MEMORY) return failure;
  const mrd_status status = fixture_simplify(op, in, options, out, outcomes, call);
  if (failure == MRD_E_INTERNAL) out->length += 1000;
  return status;
}

static mrd_status failing_check(uint32_t op, const mrd_geoms *in, const mrd_validate_options *options,
                                mrd_problems_out *out, mrd_call *call) {
  (void)op, (void)options, (void)call;
  const mrd_status status = fail(in);
  if (status == MRD_E_MEMORY) return status;
  if (out->verdicts != NULL) memset(out->verdicts, MRD_VERDICT_VALID, (size_t)in->length);
  out->record_size = sizeof(mrd_problem);
  out->count = status == MRD_E_INTERNAL ? 1000 : 0;
  return MRD_OK;
}

static const mrd_op_info failing_valid = {
    .struct_size = sizeof(mrd_op_info), .type_mask = 1u << MRD_LINESTRING, .dims_mask = 1u << MRD_XY,
    .edges_mask = 1u << MRD_EDGES_PLANAR, .metric_mask = 1u << MRD_METRIC_COORD, .dialect_mask = 1u << MRD_DIALECT_OGC,
    .method = "fails on rows"};

static const mrd_op_info *failing_info(uint32_t op) { return op == 1 ? &failing_valid : NULL; }

static const mrd_family_validate failing_validate_table = {
    .struct_size = sizeof(mrd_family_validate), .info = failing_info, .check = failing_check};

static const void *failing_family(const char *id) {
  return strcmp(id, MRD_FAMILY_VALIDATE) == 0 ? &failing_validate_table : fixture_get_family(id);
}
