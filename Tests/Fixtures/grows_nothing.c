/* SPDX-License-Identifier: Apache-2.0
 *
 * Says that it made rows, and asked for no memory for them. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                  mrd_geoms_out *out, int32_t *outcomes, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)outcomes, (void)call;
  out->type = in->type;
  out->dims = MRD_XY;
  out->length = in->length;
  return MRD_OK;
}
#define FIXTURE_SIMPLIFY broken_simplify
#include "fixture.h"
