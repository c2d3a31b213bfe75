/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives row statuses that no version of the headers has. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  for (int64_t row = 0; row < in->length; row++) {
    out->values[0][row] = 1;
    if (call->item_status != NULL) call->item_status[row] = row % 2 == 0 ? INT32_MIN : 0x7fffffff;
  }
  return MRD_OK;
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
