/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the message of its error to the last byte, without an end. */
#include <string.h>

#include "meridian/plugin.h"

static mrd_status broken_measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                                 const mrd_columns *out, mrd_call *call) {
  (void)op, (void)in, (void)options, (void)out, (void)call;
  memset(call->error->message, 'x', sizeof call->error->message);
  call->error->code = MRD_E_INTERNAL;
  return MRD_E_INTERNAL;
}
#define FIXTURE_MEASURE broken_measure
#include "fixture.h"
