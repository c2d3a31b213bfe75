/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for handles that outlive a call, where running out of it is an answer and not the end of the process.   */
#ifndef MERIDIAN_KERNEL_MEMORY_H
#define MERIDIAN_KERNEL_MEMORY_H

void *malloc(__SIZE_TYPE__);
void free(void *);

#endif /* MERIDIAN_KERNEL_MEMORY_H */
