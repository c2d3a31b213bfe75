/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading memory once: what no measure of coordinates can go below.                                               */
#ifndef MERIDIAN_CBENCH_READING_H
#define MERIDIAN_CBENCH_READING_H

#include <stdint.h>

/* The sum of `count` doubles, in an order of its own. */
double mrdb_read(const double *values, int64_t count);

#endif /* MERIDIAN_CBENCH_READING_H */
