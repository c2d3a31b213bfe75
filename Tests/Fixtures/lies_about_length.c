/* SPDX-License-Identifier: Apache-2.0
 *
 * Says that it made more rows than its buffers hold. */
#include "meridian/plugin.h"

static mrd_status broken_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                  mrd_geoms_out *out, int32_t *outcomes, mrd_call *call);
#define FIXTURE_SIMPLIFY broken_simplify
#include "fixture.h"

static mrd_status broken_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                  mrd_geoms_out *out, int32_t *outcomes, mrd_call *call) {
  mrd_status status = fixture_simplify(op, in, options, out, outcomes, call);
  if (status != MRD_OK) return status;
  out->length = in->length + 1000;
  return MRD_OK;
}
