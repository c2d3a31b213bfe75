/* SPDX-License-Identifier: Apache-2.0
 *
 * Declares an operation whose function is NULL. */
#define FIXTURE_MEASURE NULL
#define FIXTURE_SIMPLIFY NULL
#include "fixture.h"
