/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_TERMINAL_H
#define MERIDIAN_CBENCH_TERMINAL_H

#include <stdint.h>

/* Columns of the terminal behind a descriptor; 0 = not known. */
int32_t mrdb_terminal_columns(int32_t descriptor);

#endif /* MERIDIAN_CBENCH_TERMINAL_H */
