/* SPDX-License-Identifier: Apache-2.0
 *
 * CGEOS.h: the reentrant C API of GEOS, and the bridge from GEOS's interrupts to the cancel word of a call.      */
#ifndef MERIDIAN_CGEOS_H
#define MERIDIAN_CGEOS_H

#define GEOS_USE_ONLY_R_API /* the other half of the API shares one context between threads */
#include <geos_c.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Installs the interrupt callback of this process, once; a callback that was there before is still called.
 *
 * Up to GEOS 3.13 the callback and the flag that GEOS_interruptRequest sets belong to the whole process: a request
 * made for one thread may stop another one, or an unrelated user of GEOS. So the callback asks the running thread's
 * own cancel word and stops the operation by an exception, which GEOS turns into an error of that very call. */
void mrd_geos_install_interrupt(void);

/* Makes `cancel` the cancel word of this thread (NULL = none) and returns the former one, which the caller puts back
 * when its call ends. */
const uint32_t *mrd_geos_set_cancel(const uint32_t *cancel);

/* What this plug-in was built against. Static storage. */
static inline const char *mrd_geos_build(void) { return "Embedded Swift, baseline CPU, GEOS " GEOS_CAPI_VERSION; }

#ifdef __cplusplus
}
#endif

#endif /* MERIDIAN_CGEOS_H */
