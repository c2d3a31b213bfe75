/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers an error from init. */
#include "meridian/plugin.h"

static mrd_status failing_init(mrd_error *error) {
  return mrd_fail(error, MRD_E_INTERNAL, -1, -1, "the table of sines is empty");
}
#define FIXTURE_INIT failing_init
#include "fixture.h"
