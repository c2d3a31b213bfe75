/* SPDX-License-Identifier: Apache-2.0
 *
 * Has no function that gives its tables. */
#define FIXTURE_GET_FAMILY NULL
#include "fixture.h"
