/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks for scratch memory of impossible length and alignment; NULL is the only right answer. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  if (call->scratch(call, -1, 8) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "negative length");
  if (call->scratch(call, INT64_MAX, 8) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "2^63 - 1");
  if (call->scratch(call, 8, 3) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "alignment 3");
  if (call->scratch(call, 8, 8192) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "alignment 8192");
  if ((uintptr_t)call->scratch(call, 100, 4096) % 4096 != 0) return MRD_E_INTERNAL;
  for (int64_t row = 0; row < in->length; row++) out->values[0][row] = 1;
  return MRD_OK;
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
