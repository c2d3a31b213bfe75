/* SPDX-License-Identifier: Apache-2.0
 *
 * Refuses every host, with a reason. */
#define FIXTURE_ENTRY(host, error) \
  ((void)(host), (void)mrd_fail(error, MRD_E_UNSUPPORTED, -1, -1, "the license server is on holiday"), \
   (const mrd_plugin *)0)
#include "fixture.h"
