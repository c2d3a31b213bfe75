/* SPDX-License-Identifier: Apache-2.0
 *
 * Blames a row that the array does not have. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  return mrd_fail(call->error, MRD_E_INTERNAL, INT64_MAX, INT64_MIN, "somewhere far away");
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
