/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks for one offset and writes two. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_simplify(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                  mrd_geoms_out *out, int32_t *outcomes, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)outcomes, (void)call;
  int64_t *offsets = call->grow(call, MRD_BUF_OFFSETS0, 8);
  if (offsets == NULL) return MRD_E_MEMORY;
  offsets[0] = 0;
  offsets[1] = 0;
  out->type = in->type;
  out->dims = MRD_XY;
  out->length = 0;
  return MRD_OK;
}
#define FIXTURE_SIMPLIFY broken_simplify
#include "fixture.h"
