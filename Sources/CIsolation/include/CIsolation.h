/* SPDX-License-Identifier: Apache-2.0
 *
 * What isolation of kernels asks of the system: memory that two processes share, and the processes.              */
#ifndef MERIDIAN_CISOLATION_H
#define MERIDIAN_CISOLATION_H

#include <stdint.h>

/* The file descriptors that a worker is started with. */
enum { MRDI_CHANNEL = 3, MRDI_REQUEST = 4, MRDI_RESULT = 5 };

/* How a process ended: by a signal (0 = none), or with an exit code. */
typedef struct mrdi_end {
  int32_t signal;
  int32_t code;
} mrdi_end;

/* Memory without a name that can be mapped by whoever has the descriptor. It grows by ftruncate and never shrinks: a process
 * that maps what there was is not ended by one that takes it away. -1 = errno. */
int32_t mrdi_shared_memory(void);

/* Starts this executable with one word. `channel`, `request` and `result` become its descriptors MRDI_*; Swift's backtracer is
 * off in it, which would hold a crashed worker for seconds. 0 = started; else an error number. */
int32_t mrdi_start_worker(const char *word, int32_t channel, int32_t request, int32_t result, int32_t *process);

/* A pair of connected sockets, closed on exec. 0 = done; else an error number. */
int32_t mrdi_channel(int32_t *own, int32_t *others);

/* In a worker, before it loads kernels: it gets no more than `bytes` of address space (0 = no limit), leaves no core files,
 * leaves Ctrl-C to the process that started it, and ends with it. 0 = done; else an error number. */
int32_t mrdi_settle_worker(int64_t bytes);

/* Waits until the channel can be read or is closed. 1 = it can, 0 = the time is over. */
int32_t mrdi_wait(int32_t channel, int32_t milliseconds);

/* `send` and `recv` of exactly so many bytes, without a signal when nobody is there. 1 = done, 0 = the other end is closed. */
int32_t mrdi_send(int32_t channel, const void *bytes, int64_t count);
int32_t mrdi_receive(int32_t channel, void *bytes, int64_t count);

/* Waits for the end of a process, and after so many milliseconds brings it about. */
mrdi_end mrdi_end_process(int32_t process, int32_t milliseconds);

/* 1 when a descriptor is a socket. */
int32_t mrdi_is_channel(int32_t descriptor);

/* The first `bytes` bytes of shared memory, to be read and, where `writes` is not 0, written; NULL = they cannot be mapped. */
void *mrdi_map(int32_t descriptor, int64_t bytes, int32_t writes);
void mrdi_unmap(void *start, int64_t bytes);

/* "SIGSEGV" of a signal; NULL for one without a name. */
const char *mrdi_signal_name(int32_t signal);

#endif /* MERIDIAN_CISOLATION_H */
