/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes one value behind its column, and one before it. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  for (int64_t row = -1; row <= in->length; row++) out->values[0][row] = 1;
  return MRD_OK;
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
