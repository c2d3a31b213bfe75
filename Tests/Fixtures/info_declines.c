/* SPDX-License-Identifier: Apache-2.0
 *
 * Its manifest names operations that info then says are not there. */
#include "meridian/plugin.h"

static const mrd_op_info *declining_info(uint32_t op) {
  (void)op;
  return NULL;
}
#define FIXTURE_INFO declining_info
#include "fixture.h"
