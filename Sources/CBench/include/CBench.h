/* SPDX-License-Identifier: Apache-2.0
 *
 * What the harness reads of the system and Swift cannot, a header for each concept.                               */
#ifndef MERIDIAN_CBENCH_H
#define MERIDIAN_CBENCH_H

#include "affinity.h"
#include "allocations.h"
#include "clock.h"
#include "counters.h"
#include "emptykernel.h"
#include "reading.h"
#include "resident.h"
#include "restart.h"
#include "terminal.h"

#endif /* MERIDIAN_CBENCH_H */
