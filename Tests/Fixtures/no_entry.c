/* SPDX-License-Identifier: Apache-2.0
 *
 * Exports a symbol, but not the entry. */
#define FIXTURE_NO_ENTRY
#include "fixture.h"
