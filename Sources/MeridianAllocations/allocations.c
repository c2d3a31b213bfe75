/* SPDX-License-Identifier: Apache-2.0 */
#include "MeridianAllocations.h"

#include <errno.h>
#include <stddef.h>

/* Only the GNU C library gives its allocator a second name to call it by. Elsewhere nothing is taken over, and there is no
 * `mrda_read` either: no counts are not a count of 0. */
#if defined(__GLIBC__)

static int64_t call_count;
static int64_t byte_count;

void mrda_read(int64_t *calls, int64_t *bytes) {
    *calls = __atomic_load_n(&call_count, __ATOMIC_RELAXED);
    *bytes = __atomic_load_n(&byte_count, __ATOMIC_RELAXED);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void *counted(void *block, size_t bytes) {
    if (block != NULL) {
        __atomic_fetch_add(&call_count, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&byte_count, (int64_t)bytes, __ATOMIC_RELAXED);
    }
    return block;
}

void *malloc(size_t bytes) { return counted(__libc_malloc(bytes), bytes); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size), count * size); }
void *realloc(void *block, size_t bytes) { return counted(__libc_realloc(block, bytes), bytes); }
void *memalign(size_t alignment, size_t bytes) { return counted(__libc_memalign(alignment, bytes), bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return counted(__libc_memalign(alignment, bytes), bytes); }

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *block = counted(__libc_memalign(alignment, bytes), bytes);
    if (block == NULL) return ENOMEM;
    *out = block;
    return 0;
}

#endif
