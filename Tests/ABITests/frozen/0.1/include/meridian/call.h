/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/call.h: what the host hands to every family function.
 *
 * A kernel owns no thread, no thread-local with a destructor, no signal or fork handler; it leaves locale, floating
 * point mode, working directory and standard streams alone; it never exits, aborts, throws or unwinds across the
 * boundary. What it needs from its surroundings it takes from here.                                             */
#ifndef MERIDIAN_CALL_H
#define MERIDIAN_CALL_H

#include "geometry.h"

/* Result buffers that a kernel grows. Each operation's contract lists those that it fills. */
#define MRD_BUF_OFFSETS0 0u /* int64_t */
#define MRD_BUF_OFFSETS1 1u /* int64_t */
#define MRD_BUF_OFFSETS2 2u /* int64_t */
#define MRD_BUF_X 3u        /* double */
#define MRD_BUF_Y 4u        /* double */
#define MRD_BUF_Z 5u        /* double */
#define MRD_BUF_M 6u        /* double */
#define MRD_BUF_VALIDITY 7u /* bits, least significant first; missing = all present */
#define MRD_BUF_BYTES 8u    /* bytes: text, serialised handles */
#define MRD_BUF_RECORDS 9u  /* records of the operation: mrd_problem, mrd_snap_hit */
#define MRD_BUF_ROWS 10u    /* int64_t: length + 1 offsets from rows into IDS, VALUES or RECORDS (CSR) */
#define MRD_BUF_IDS 11u     /* int64_t: ids, row numbers, kept vertices */
#define MRD_BUF_VALUES 12u  /* double: distances that stand beside IDS */
#define MRD_BUF_COUNT 13u   /* how many there are in this version */

/* Log levels. */
#define MRD_LOG_DEBUG 0
#define MRD_LOG_INFO 1
#define MRD_LOG_WARNING 2
#define MRD_LOG_ERROR 3
#define MRD_LOG_HOST_MISBEHAVING 4   /* a kernel blames its host */
#define MRD_LOG_KERNEL_MISBEHAVING 5 /* a host blames a kernel */

typedef struct mrd_call mrd_call;

/* One piece of parallel work, rows or items [begin, end). Answers MRD_OK or the error that stops the loop. */
typedef mrd_status(MRD_ABI *mrd_range_fn)(void *context, int64_t begin, int64_t end);

struct mrd_call {
  uint32_t struct_size;
  uint32_t thread_budget; /* threads that parallel_for may use, this one included; 1 = this thread only */

  /* Non-zero = stop soon. Polled through mrd_cancelled at least every 4,096 coordinates or 1 ms, whichever is later
   * in a tight loop. NULL = this call cannot be cancelled. Written by other threads at any time. */
  const uint32_t *cancel;

  void *host; /* the host's own; opaque to the kernel */

  /* Temporary memory, aligned to `align` (a power of two, at most 4,096); uninitialised. The host frees it after the
   * call. NULL = no memory, answer MRD_E_MEMORY. Never NULL itself. Not inside parallel_for. [call] */
  void *(MRD_ABI *scratch)(mrd_call *call, int64_t bytes, uint32_t align);

  /* Result memory: makes the result buffer `buffer` (MRD_BUF_*) exactly `bytes` long, keeping what it held, and
   * returns where it is now, 64-byte aligned (earlier pointers into this buffer are dead). The host over-allocates,
   * so growing by a constant factor is not the kernel's business. The length last asked for is the length of the
   * result. NULL = no memory, answer MRD_E_MEMORY; the buffer is as it was. bytes = 0 gives a non-NULL pointer.
   * Never NULL itself. Not inside parallel_for. [call] */
  void *(MRD_ABI *grow)(mrd_call *call, uint32_t buffer, int64_t bytes);

  /* Runs body over [0, count) in pieces of at least `grain`, on up to thread_budget threads, and returns when all
   * are done: MRD_OK, MRD_E_CANCELLED, or the error of the lowest piece that failed. Pieces are cut without regard
   * to the number of threads, so results that depend on pieces alone are the same for every budget. NULL = run the
   * body yourself. Not nested. [call] */
  mrd_status(MRD_ABI *parallel_for)(mrd_call *call, mrd_range_fn body, void *context, int64_t count, int64_t grain);

  /* Tells how far this call is, 0 to 1, never going backward. NULL = nobody listens. [call] */
  void(MRD_ABI *progress)(mrd_call *call, double fraction);

  /* One line for the host's log (MRD_LOG_*); the host copies it. NULL = nobody listens. [call] */
  void(MRD_ABI *log)(mrd_call *call, int32_t level, const char *message);

  /* [length of the input] one status a row, zeroed by the host, or NULL when the caller does not want it: then a
   * kernel still marks absent results as NaN or null. */
  mrd_item_status *item_status;

  /* Filled when the status is not MRD_OK. Never NULL; `struct_size` is set. */
  mrd_error *error;
};

/* True when the caller wants this call to stop. [any] */
static inline int32_t mrd_cancelled(const mrd_call *call) {
  return call->cancel != NULL && *(const volatile uint32_t *)call->cancel != 0;
}

/* Fills the call's error record and returns `code`, so that a kernel can write `return mrd_fail(...)`. [call] */
static inline mrd_status mrd_fail(mrd_error *error, mrd_status code, int64_t item, int64_t coord, const char *message) {
  if (error != NULL && error->struct_size >= sizeof(mrd_error)) {
    size_t n = 0;
    error->code = code;
    error->item = item;
    error->coord = coord;
    while (message != NULL && message[n] != 0 && n + 1 < sizeof(error->message)) { error->message[n] = message[n]; n++; }
    if (message != NULL && message[n] != 0) { /* cut: step back to the start of a UTF-8 character */
      while (n > 0 && ((unsigned char)message[n] & 0xC0u) == 0x80u) n--;
    }
    error->message[n] = 0;
  }
  return code;
}

#endif /* MERIDIAN_CALL_H */
