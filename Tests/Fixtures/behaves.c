/* SPDX-License-Identifier: Apache-2.0
 *
 * Misbehaves nowhere: what the others are compared with. */
#include "fixture.h"
