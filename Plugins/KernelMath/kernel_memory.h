/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for handles that outlive a call, where running out of it is an answer and not the end of the process.   */
#ifndef MERIDIAN_KERNEL_MEMORY_H
#define MERIDIAN_KERNEL_MEMORY_H

void *malloc(__SIZE_TYPE__);
void free(void *);

#if defined(__linux__)
int madvise(void *, __SIZE_TYPE__, int);
#endif

/* Says of fresh memory that all of it will be written: a system that gives large pages then has fewer to hand out, which
 * takes about as long as filling them. */
static inline void mrdk_will_fill(void *memory, __SIZE_TYPE__ bytes) {
#if defined(__linux__)
  const __SIZE_TYPE__ page = 4096, large = (__SIZE_TYPE__)2 << 20;
  __UINTPTR_TYPE__ start = ((__UINTPTR_TYPE__)memory + page - 1) & ~(page - 1);
  __UINTPTR_TYPE__ end = ((__UINTPTR_TYPE__)memory + bytes) & ~(page - 1);
  if (bytes >= 2 * large && end > start) (void)madvise((void *)start, end - start, 14 /* MADV_HUGEPAGE */);
#else
  (void)memory;
  (void)bytes;
#endif
}

#endif /* MERIDIAN_KERNEL_MEMORY_H */
