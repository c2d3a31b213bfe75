/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers a status that no version of the headers has. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  return 4711;
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
