/* SPDX-License-Identifier: Apache-2.0
 *
 * Its last offset lies behind its coordinates. */
#include "meridian/plugin.h"

static mrd_status broken_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                  mrd_geoms_out *out, int32_t *outcomes, mrd_call *call);
#define FIXTURE_SIMPLIFY broken_simplify
#include "fixture.h"

static mrd_status broken_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                  mrd_geoms_out *out, int32_t *outcomes, mrd_call *call) {
  mrd_status status = fixture_simplify(op, in, options, out, outcomes, call);
  if (status != MRD_OK) return status;
  int64_t *offsets = call->grow(call, MRD_BUF_OFFSETS0, (in->length + 1) * 8);
  if (offsets == NULL) return MRD_E_MEMORY;
  offsets[in->length] += 1000000;
  return MRD_OK;
}
