/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_EMPTYKERNEL_H
#define MERIDIAN_CBENCH_EMPTYKERNEL_H

/* The table (mrd_plugin) of the kernel "meridian.empty", which does nothing in measure.length, validate.valid and
 * index.window: what is left of a call is the boundary's cost. Static storage. */
const void *mrdb_empty_plugin(void);

#endif /* MERIDIAN_CBENCH_EMPTYKERNEL_H */
