/* SPDX-License-Identifier: Apache-2.0
 *
 * Stamps an ABI that no host of today speaks. */
#define FIXTURE_ABI MRD_MAKE_ABI(7, 0)
#include "fixture.h"
