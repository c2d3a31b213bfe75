/* SPDX-License-Identifier: Apache-2.0
 *
 * Its measure table ends before its info function. */
#define FIXTURE_FAMILY_SIZE 8
#include "fixture.h"
