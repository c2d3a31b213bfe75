/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/ext/observer.h: sees the begin and the end of each call that the host makes into a kernel.
 *
 * The benchmark harness and the comparison of two kernels are its first clients.                                */
#ifndef MERIDIAN_EXT_OBSERVER_H
#define MERIDIAN_EXT_OBSERVER_H

#include "../call.h"

#define MRD_EXT_OBSERVER "meridian.observer/1"

/* One call into a kernel; valid during the callback. */
typedef struct mrd_observation {
  uint32_t struct_size;
  uint32_t op;         /* operation number inside the family */
  const char *family;  /* "meridian.measure/1" */
  const char *kernel;  /* id of the plug-in that answers */
  int64_t rows;        /* rows of this chunk */
  int64_t coordinates; /* coordinates that these rows span */
  int64_t nanoseconds; /* monotonic time of the call; 0 at its begin */
  mrd_status status;   /* MRD_OK at its begin */
  uint32_t worker;     /* number of the worker thread, 0 = the calling thread */
} mrd_observation;

/* Both may be NULL. They run on the thread that makes the call, concurrently for different chunks, and must not call
 * back into the host. [any] */
typedef struct mrd_observer {
  uint32_t struct_size;
  uint32_t pad0;
  void *context;
  void(MRD_ABI *begin)(void *context, const mrd_observation *observation);
  void(MRD_ABI *end)(void *context, const mrd_observation *observation);
} mrd_observer;

#endif /* MERIDIAN_EXT_OBSERVER_H */
