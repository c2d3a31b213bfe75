/* SPDX-License-Identifier: Apache-2.0
 *
 * Its tables have no info function. */
#define FIXTURE_INFO NULL
#include "fixture.h"
