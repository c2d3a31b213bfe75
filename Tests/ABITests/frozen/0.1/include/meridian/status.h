/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/status.h: export macros, versions, status codes and the error record.
 *
 * Conventions of every header below `meridian/`:
 *  - Fixed-width integers and doubles only. No bool, size_t, long, bit-field, variadic function, struct by value
 *    or pointer typedef crosses the boundary. Padding is explicit on 64-bit targets.
 *  - A struct that crosses by pointer begins with `struct_size`, written by whoever fills the struct. A reader tests
 *    a member with MRD_HAS before it reads it. Members are appended, never moved.
 *  - An array of records stands beside a `record_size`, written by whoever owns the memory. The other side steps by
 *    it and touches only the members that lie inside it.
 *  - Options are zero by default: all-zero options are the documented defaults. A reader that finds a non-zero byte
 *    behind the members that it knows answers MRD_E_UNSUPPORTED.
 *  - Strings are UTF-8, end in NUL and belong to whoever wrote the struct.
 *  - Longitude comes before latitude, both in degrees. Azimuths are degrees clockwise from north.
 *  - Thread tags end each contract: [init] the host's loading thread, never concurrently; [any] any thread,
 *    concurrently, reentrant; [call] only inside the family function that received the `mrd_call`, on the thread
 *    that runs it; [owner] one thread at a time for one handle.                                                  */
#ifndef MERIDIAN_STATUS_H
#define MERIDIAN_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#  define MRD_ABI __cdecl
#  define MRD_EXPORT __declspec(dllexport)
#else
#  define MRD_ABI
#  define MRD_EXPORT __attribute__((visibility("default")))
#endif

/* The version of the plug-in ABI that these headers describe. Versions 0.x match exactly; from 1.0 on, a plug-in
 * states the lowest minor version that it needs and runs on every host of the same major version from there on. */
#define MRD_MAKE_ABI(major, minor) (((uint32_t)(major) << 16) | (uint32_t)(minor))
#define MRD_ABI_MAJOR 0
#define MRD_ABI_MINOR 1
#define MRD_ABI_VERSION 0x00000001u

/* True when `member` lies inside the bytes that the writer of *p filled in. */
#define MRD_HAS(p, type, member) ((p)->struct_size >= offsetof(type, member) + sizeof((p)->member))

/* Status of a whole call. A value that is not listed is an error that a newer partner knows. */
typedef int32_t mrd_status;
#define MRD_OK 0            /* every row has a result or a row status that says why not */
#define MRD_E_ABI 1         /* the partners share no ABI version, or a struct is too small */
#define MRD_E_ARGUMENT 2    /* an argument is outside its documented domain: a negative tolerance, a NULL array */
#define MRD_E_UNSUPPORTED 3 /* a legal request that this kernel does not serve: edge model, option, geometry type */
#define MRD_E_MEMORY 4      /* memory could not be had */
#define MRD_E_CANCELLED 5   /* the cancel word was set; results are incomplete and are thrown away */
#define MRD_E_LIMIT 6       /* a documented limit was reached: too many problems, hits or coordinates */
#define MRD_E_INTERNAL 7    /* a fault of the kernel or of a library below it */
#define MRD_E_IO 8          /* a file could not be read or written */
#define MRD_E_NOT_FOUND 9   /* no kernel, operation, plug-in or file answers to the request */

/* Status of one row: a code in the low byte, warnings above it. A row with a code other than OK has no result
 * (NaN in numbers, null in geometries) unless its contract says otherwise; a warning never takes a result away. */
typedef int32_t mrd_item_status;
#define MRD_ITEM_CODE(s) ((s) & 0xff)
#define MRD_ITEM_OK 0
#define MRD_ITEM_NULL 1          /* the row is null */
#define MRD_ITEM_EMPTY 2         /* the geometry has no coordinates; measures are 0, bounds and centroid are absent */
#define MRD_ITEM_NONFINITE 3     /* a coordinate is NaN or infinite */
#define MRD_ITEM_DOMAIN 4        /* a coordinate is outside the domain: latitude beyond [-90, 90] */
#define MRD_ITEM_INVALID 5       /* the operation needs a valid geometry and this one is not */
#define MRD_ITEM_DEGENERATE 6    /* the answer is not unique or does not exist: azimuth between equal points */
#define MRD_ITEM_NOT_CONVERGED 7 /* an iteration did not reach the declared bound */
#define MRD_ITEM_UNSUPPORTED 8   /* this type or shape of row is not served by the kernel */
#define MRD_ITEM_NOT_APPLIED 9   /* the change was withheld: it would break a promise; the row is given unchanged */
#define MRD_ITEM_FAILED 10       /* the library below failed on this row; the error record of the call has its words */
#define MRD_ITEM_WARN_AMBIGUOUS_EDGE 0x100  /* an edge spans exactly 180 degrees; it was taken eastward */
#define MRD_ITEM_WARN_ILL_CONDITIONED 0x200 /* the result amplifies the rounding of the input beyond use */
#define MRD_ITEM_WARN_TRUNCATED 0x400       /* a limit cut this row's list; what is given is its beginning */
#define MRD_ITEM_WARN_PARTLY 0x800          /* the change was applied to a part of the row only */

/* Why a call failed. Owned by the caller, of fixed size: nothing to release and nothing to outlive. The caller sets
 * `struct_size`; whoever reports an error fills the rest and always ends `message` in NUL, cutting at a character. */
typedef struct mrd_error {
  uint32_t struct_size;
  mrd_status code;
  int64_t item;      /* first offending row of the call's array, -1 when it is not about a row */
  int64_t coord;     /* first offending coordinate of that array, -1 when it is not about one */
  char message[488]; /* English, no newline at the end */
} mrd_error;

#endif /* MERIDIAN_STATUS_H */
