/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks for buffers that do not exist and for lengths that cannot be; NULL is the only right answer. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  if (call->grow(call, MRD_BUF_COUNT, 8) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "buffer 13");
  if (call->grow(call, UINT32_MAX, 8) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "buffer 2^32 - 1");
  if (call->grow(call, MRD_BUF_X, -8) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "negative length");
  if (call->grow(call, MRD_BUF_X, INT64_MAX) != NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "2^63 - 1");
  if (call->grow(call, MRD_BUF_X, 0) == NULL) return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "empty buffer");
  for (int64_t row = 0; row < in->length; row++) out->values[0][row] = 1;
  return MRD_OK;
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
