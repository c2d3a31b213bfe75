/* SPDX-License-Identifier: Apache-2.0
 *
 * Its plug-in table ends before the slot that every plug-in must have. */
#define FIXTURE_PLUGIN_SIZE 16
#include "fixture.h"
