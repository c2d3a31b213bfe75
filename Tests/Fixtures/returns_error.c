/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers an error about a row. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  return mrd_fail(call->error, MRD_E_LIMIT, 1, -1, "row 1 is too long for me");
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
